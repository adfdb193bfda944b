//! The VM or disk that metrics are of.

/// The kinds of resources that metrics of disks are of, as ids write them.
const KINDS: [&str; 3] = ["virtualMachines", "disks", "virtualMachineScaleSets"];

/// A VM or disk by its name and, where it is said, its id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Named {
    /// Its name; of an instance of a scale set, that of the set and its number (`web_4`).
    pub name: String,
    /// Its id in lower case, without what is below it.
    pub id: Option<String>,
}

impl Named {
    /// One of which no more than the name is said.
    pub const fn plain(name: String) -> Self {
        Self { name, id: None }
    }

    /// The VM or disk that a resource id is of, or is below.
    pub fn of(id: &str) -> Option<Self> {
        let path = id.split(['?', '#']).next().unwrap_or(id);
        let parts: Vec<&str> = path.split('/').collect();
        let named = |at: usize| parts.get(at).copied().filter(|name| !name.is_empty());
        let is = |part: &str, kind: &str| part.eq_ignore_ascii_case(kind);
        let last = parts
            .iter()
            .rposition(|part| KINDS.iter().any(|kind| is(part, kind)))?;
        let own = named(last + 1)?;
        let set = parts
            .get(..last)?
            .iter()
            .position(|part| is(part, "virtualMachineScaleSets"))
            .and_then(|at| named(at + 1));
        let whole = parts.get(..=last + 1)?.join("/").to_ascii_lowercase();
        let begin = whole.find("subscriptions/");
        Some(Self {
            name: set.map_or_else(|| own.to_owned(), |set| format!("{set}_{own}")),
            id: begin
                .and_then(|at| whole.get(at..))
                .map(|id| format!("/{id}")),
        })
    }

    /// Whether the id is that of a managed disk.
    pub fn is_disk(&self) -> bool {
        self.id.as_deref().is_some_and(|id| id.contains("/disks/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_name_their_resource() {
        let vm =
            "/subscriptions/S/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/Db1";
        let below = format!("{vm}/providers/Microsoft.Insights/metrics/Disk Read Bytes");
        let named = Named::of(&below).unwrap();
        assert_eq!(named.name, "Db1");
        assert_eq!(named.id.as_deref(), Some(vm.to_ascii_lowercase().as_str()));
        assert!(!named.is_disk());
        let set = "subscriptions/s/resourceGroups/r/providers/Microsoft.Compute/virtualMachineScaleSets/web";
        assert_eq!(Named::of(set).unwrap().name, "web");
        let instance = Named::of(&format!("{set}/virtualMachines/4")).unwrap();
        assert_eq!(instance.name, "web_4");
        assert!(instance.id.unwrap().ends_with("/web/virtualmachines/4"));
        assert!(Named::of("/subscriptions/s/resourceGroups/r").is_none());
    }
}
