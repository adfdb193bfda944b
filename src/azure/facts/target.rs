//! What an id or a person names: one VM, or what holds several.

use std::fmt;

use super::id::ResourceId;

/// What is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One VM, or one instance of a scale set.
    Vm(ResourceId),
    /// All instances of a scale set.
    ScaleSet(ResourceId),
    /// A resource group.
    Group {
        /// The subscription.
        subscription: String,
        /// The group.
        group: String,
    },
    /// A subscription.
    Subscription(String),
    /// A management group with all below it.
    ManagementGroup(String),
}

/// An id that names nothing with disks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{input}' names no virtual machine, scale set, resource group, subscription or management group: write an id such as /subscriptions/ID/resourceGroups/GROUP/providers/Microsoft.Compute/virtualMachines/NAME"
)]
pub struct TargetError {
    /// The id as given.
    input: String,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vm(id) => write!(f, "VM {}", id.name()),
            Self::ScaleSet(id) => write!(f, "scale set {}", id.name()),
            Self::Group { group, .. } => write!(f, "resource group {group}"),
            Self::Subscription(subscription) => write!(f, "subscription {subscription}"),
            Self::ManagementGroup(group) => write!(f, "management group {group}"),
        }
    }
}

impl Target {
    /// What a resource id names.
    ///
    /// # Errors
    /// [`TargetError`] where that has no disks.
    pub fn from_id(input: &str) -> Result<Self, TargetError> {
        let wrong = || TargetError {
            input: input.to_owned(),
        };
        let id = ResourceId::new(input).ok_or_else(wrong)?;
        let lower = id.to_string().to_ascii_lowercase();
        let segments: Vec<&str> = lower.split('/').skip(1).collect();
        match segments.as_slice() {
            ["subscriptions", subscription] => Ok(Self::Subscription((*subscription).to_owned())),
            ["subscriptions", subscription, "resourcegroups", _] => Ok(Self::Group {
                subscription: (*subscription).to_owned(),
                group: id.name().to_owned(),
            }),
            ["providers", "microsoft.management", "managementgroups", _] => {
                Ok(Self::ManagementGroup(id.name().to_owned()))
            }
            [
                "subscriptions",
                _,
                "resourcegroups",
                _,
                "providers",
                "microsoft.compute",
                rest @ ..,
            ] => match rest {
                ["virtualmachines", _] | ["virtualmachinescalesets", _, "virtualmachines", _] => {
                    Ok(Self::Vm(id))
                }
                ["virtualmachinescalesets", _] => Ok(Self::ScaleSet(id)),
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_name_targets() {
        let vm = "/subscriptions/a/resourceGroups/Rg/providers/Microsoft.Compute/virtualMachines/v";
        let set = "/subscriptions/a/resourceGroups/Rg/providers/Microsoft.Compute/virtualMachineScaleSets/s";
        let id = |text: &str| ResourceId::new(text).unwrap();
        assert_eq!(Target::from_id(vm), Ok(Target::Vm(id(vm))));
        assert_eq!(Target::from_id(set), Ok(Target::ScaleSet(id(set))));
        let instance = format!("{set}/virtualMachines/0");
        assert_eq!(Target::from_id(&instance), Ok(Target::Vm(id(&instance))));
        assert_eq!(
            Target::from_id("/subscriptions/a"),
            Ok(Target::Subscription("a".into()))
        );
        assert_eq!(
            Target::from_id("/SUBSCRIPTIONS/a/RESOURCEGROUPS/Rg/"),
            Ok(Target::Group {
                subscription: "a".into(),
                group: "Rg".into()
            })
        );
        assert_eq!(
            Target::from_id("/providers/Microsoft.Management/managementGroups/Root"),
            Ok(Target::ManagementGroup("Root".into()))
        );
    }

    #[test]
    fn ids_of_other_things_are_refused() {
        for text in [
            "",
            "vm1",
            "/subscriptions",
            "/subscriptions/a/resourceGroups/r/providers/Microsoft.Compute/disks/d",
            "/subscriptions/a/resourceGroups/r/providers/Microsoft.Network/virtualMachines/v",
        ] {
            assert!(Target::from_id(text).is_err(), "{text}");
        }
    }
}
