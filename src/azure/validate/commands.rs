//! The commands in fixes, with the names of the VM and the disks that they are for: what is pasted is to run.
//!
//! A fix is written with the command alone (`az disk update --set tier=P30`). `complete` puts in whose it is, in
//! [`general`] words that stand for the same of many the names are left open again.

use std::borrow::Cow;

use super::model::{DeployedDisk, DiskValidation, VmIdentity, VmValidation};
use crate::azure::facts::ResourceId;
use crate::planner::Finding;

/// What stands in place of a name that is not known, or that is another for each.
const GROUP: &str = "RESOURCE-GROUP";
const DISK: &str = "DISK";
const VM: &str = "VM";
const SNAPSHOT: &str = "SNAPSHOT";
const REGION: &str = "REGION";

/// A resource as commands name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    group: Option<String>,
    name: Option<String>,
}

impl Target {
    pub(super) fn new(id: Option<&ResourceId>, name: Option<&str>) -> Self {
        Self {
            group: id.and_then(ResourceId::resource_group).map(str::to_owned),
            name: name.map(str::to_owned),
        }
    }

    fn of_vm(vm: &VmIdentity) -> Self {
        Self {
            group: vm.resource_group.clone(),
            name: Some(vm.name.clone()),
        }
    }

    fn of_disk(disk: &DeployedDisk) -> Self {
        let id = disk.id.as_deref().and_then(ResourceId::new);
        Self::new(id.as_ref(), disk.name.as_deref())
    }

    fn group(&self) -> Cow<'_, str> {
        self.group.as_deref().map_or(Cow::Borrowed(GROUP), word)
    }

    fn name<'a>(&'a self, unknown: &'a str) -> Cow<'a, str> {
        self.name.as_deref().map_or(Cow::Borrowed(unknown), word)
    }

    fn words(&self, unknown: &str) -> String {
        format!("-g {} -n {}", self.group(), self.name(unknown))
    }

    /// A snapshot of the disk, by a name that follows from its own.
    fn snapshot_words(&self) -> String {
        let name = self.name.as_ref().map(|name| format!("{name}-snapshot"));
        let snapshot = name.as_deref().map_or(Cow::Borrowed(SNAPSHOT), word);
        snapshot_words(&self.group(), &snapshot, &self.name(DISK))
    }
}

fn snapshot_words(group: &str, snapshot: &str, disk: &str) -> String {
    format!("-g {group} -n {snapshot} --source {disk}")
}

fn location(region: &str) -> String {
    format!("--location {region}")
}

/// A name as a word of the shell: in quotes where it has more than letters, digits, `.`, `_` and `-`.
fn word(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    match !name.is_empty() && name.chars().all(is_plain) {
        true => Cow::Borrowed(name),
        false => Cow::Owned(format!("'{}'", name.replace('\'', "'\\''"))),
    }
}

/// What disks are as a command names them; of several the command has `DISK`, and these are told behind it.
pub(super) fn disk_words(disks: &[Target]) -> (String, String) {
    let [first, rest @ ..] = disks else {
        return (format!("-g {GROUP} -n {DISK}"), String::new());
    };
    if rest.is_empty() {
        return (first.words(DISK), String::new());
    }
    let group = match rest.iter().all(|other| other.group == first.group) {
        true => first.group(),
        false => GROUP.into(),
    };
    (format!("-g {group} -n {DISK}"), each(disks))
}

/// ` (DISK: a, b)`.
fn each(disks: &[Target]) -> String {
    let names: Vec<_> = disks.iter().map(|disk| disk.name(DISK)).collect();
    format!(" ({DISK}: {})", names.join(", "))
}

/// What the commands of a fix are about.
struct Subject<'s> {
    vm: Option<&'s VmIdentity>,
    disks: Vec<Target>,
}

impl Subject<'_> {
    /// The command with its names and what is said behind it; `None` where it names none, or does so already.
    fn named(&self, command: &str) -> Option<(String, String)> {
        let is_named = command.contains(" -g ") || command.contains(" -n ");
        if is_named {
            return None;
        }
        let words: Vec<&str> = command.split(' ').collect();
        let verbs = words.iter().take_while(|word| !word.starts_with('-'));
        let (head, tail) = words.split_at(verbs.count());
        let (names, behind) = match head {
            ["az", "disk", "update" | "show" | "delete" | "revoke-access"] => {
                disk_words(&self.disks)
            }
            ["az", "snapshot", "create"] => self.snapshot(),
            ["az", "vm", "disk", "detach"] => self.detached(),
            ["az", "vmss", "disk", "detach"] => {
                let vm = self.vm.map(Target::of_vm);
                let group = vm.as_ref().map_or(GROUP.into(), Target::group);
                (format!("-g {group}"), String::new())
            }
            ["az", "vm", "list-skus"] => {
                let region = self.vm?.region.as_deref()?;
                return Some((
                    command.replace(&location(REGION), &location(region)),
                    String::new(),
                ));
            }
            [
                "az",
                "vm",
                "update" | "show" | "deallocate" | "convert" | "list-vm-resize-options",
            ] => {
                return self.of_vm(head, tail);
            }
            _ => return None,
        };
        Some((joined(head, &names, tail), behind))
    }

    fn snapshot(&self) -> (String, String) {
        let words = match self.disks.as_slice() {
            [disk] => disk.snapshot_words(),
            _ => snapshot_words(GROUP, SNAPSHOT, DISK),
        };
        (words, String::new())
    }

    fn detached(&self) -> (String, String) {
        let vm = self.vm.map(Target::of_vm);
        let group = vm.as_ref().map_or(GROUP.into(), Target::group);
        let name = vm.as_ref().map_or(VM.into(), |vm| vm.name(VM));
        let (disk, behind) = match self.disks.as_slice() {
            [disk] => (disk.name(DISK), String::new()),
            [] => (DISK.into(), String::new()),
            several => (DISK.into(), each(several)),
        };
        (format!("-g {group} --vm-name {name} -n {disk}"), behind)
    }

    /// A command about the VM. An instance of a uniform scale set is no VM to `az vm`.
    fn of_vm(&self, head: &[&str], tail: &[&str]) -> Option<(String, String)> {
        let vm = self.vm?;
        let id = vm.id.as_deref().and_then(ResourceId::new);
        let instance = id
            .as_ref()
            .and_then(|id| Some((id.scale_set()?, id.name())));
        let Some((scale_set, instance)) = instance else {
            let names = Target::of_vm(vm).words(VM);
            return Some((joined(head, &names, tail), String::new()));
        };
        let ids = match head.last() {
            Some(&"deallocate") => "--instance-ids",
            Some(&"show") => "--instance-id",
            _ => return None,
        };
        let group = Target::of_vm(vm);
        let names = format!(
            "-g {} -n {} {ids} {}",
            group.group(),
            word(scale_set),
            word(instance)
        );
        let verb = head.last().copied().unwrap_or_default();
        Some((joined(&["az", "vmss", verb], &names, tail), String::new()))
    }
}

fn joined(head: &[&str], names: &str, tail: &[&str]) -> String {
    let mut words = head.to_vec();
    words.push(names);
    words.extend(tail);
    words.join(" ")
}

/// The fix with whole commands in place of those that name nothing.
fn completed(fix: &str, subject: &Subject<'_>) -> String {
    let mut out = String::with_capacity(fix.len());
    for (index, part) in fix.split('`').enumerate() {
        // Every second part stands between backquotes.
        if index % 2 == 0 {
            out.push_str(part);
            continue;
        }
        let named = subject.named(part);
        let (command, behind) = named.unwrap_or_else(|| (part.to_owned(), String::new()));
        out.push_str(&format!("`{command}`{behind}"));
    }
    out
}

/// Puts the names of a VM and its disks into the commands of its findings.
pub(super) fn complete(validation: &mut VmValidation) {
    let VmValidation {
        vm,
        disks,
        findings,
        ..
    } = validation;
    let with_command = |finding: &&mut Finding| has_command(finding.fix.as_deref());
    for finding in findings.iter_mut().filter(with_command) {
        let of_disk = disks_of(disks, &finding.subject).map(Target::of_disk);
        let subject = Subject {
            vm: Some(vm),
            disks: of_disk.collect(),
        };
        put(finding, &subject);
    }
}

fn has_command(fix: Option<&str>) -> bool {
    fix.is_some_and(|fix| fix.contains("`az "))
}

/// The same of a disk by itself.
pub(super) fn complete_disk(validation: &mut DiskValidation) {
    let mut disk = Target::of_disk(&validation.disk);
    disk.group = disk.group.or_else(|| validation.resource_group.clone());
    let subject = Subject {
        vm: None,
        disks: vec![disk],
    };
    validation
        .findings
        .iter_mut()
        .for_each(|finding| put(finding, &subject));
}

fn put(finding: &mut Finding, subject: &Subject<'_>) {
    let fix = finding.fix.as_deref();
    if let Some(fix) = fix.filter(|fix| has_command(Some(fix))) {
        finding.fix = Some(completed(fix, subject));
    }
}

/// The disks that a finding of their VM is about: those of a volume, or in a stripe the one behind its name
/// (`data/lun0`).
pub(super) fn disks_of<'d>(
    disks: &'d [DeployedDisk],
    subject: &str,
) -> impl Iterator<Item = &'d DeployedDisk> {
    let (volume, member) = subject.split_once('/').unwrap_or((subject, ""));
    disks.iter().filter(move |disk| {
        let lun = disk.lun.map(|lun| format!("lun{lun}"));
        let is_member = lun.as_deref() == Some(member) || disk.name.as_deref() == Some(member);
        disk.volume.eq_ignore_ascii_case(volume) && (member.is_empty() || is_member)
    })
}

/// A fix of a VM in words that hold for others, too: without the names of VM and disks; `None` where it has none.
#[must_use]
pub fn general(vm: &VmValidation, fix: &str) -> Option<String> {
    let disks: Vec<Target> = vm.disks.iter().map(Target::of_disk).collect();
    let open = opened(fix, Some(&Target::of_vm(&vm.vm)), &disks)?;
    let region = vm.vm.region.as_deref();
    Some(region.map_or_else(
        || open.clone(),
        |own| open.replace(&location(own), &location(REGION)),
    ))
}

/// The same of a disk by itself.
#[must_use]
pub fn general_of_disk(disk: &DiskValidation, fix: &str) -> Option<String> {
    let mut target = Target::of_disk(&disk.disk);
    target.group = target.group.or_else(|| disk.resource_group.clone());
    opened(fix, None, &[target])
}

fn opened(fix: &str, vm: Option<&Target>, disks: &[Target]) -> Option<String> {
    if !has_command(Some(fix)) {
        return None;
    }
    let mut names: Vec<(String, String)> = Vec::new();
    for disk in disks {
        let (group, name) = (disk.group(), disk.name(DISK));
        names.push((disk.words(DISK), format!("-g {GROUP} -n {DISK}")));
        names.push((
            format!("-g {group} -n {DISK}"),
            format!("-g {GROUP} -n {DISK}"),
        ));
        names.push((disk.snapshot_words(), snapshot_words(GROUP, SNAPSHOT, DISK)));
        if let Some(vm) = vm {
            names.push((
                format!("-g {} --vm-name {} -n {name}", vm.group(), vm.name(VM)),
                format!("-g {GROUP} --vm-name {VM} -n {DISK}"),
            ));
        }
    }
    if let Some(vm) = vm {
        names.push((vm.words(VM), format!("-g {GROUP} -n {VM}")));
    }
    // A name may begin as another does.
    names.sort_by_key(|(exact, _)| std::cmp::Reverse(exact.len()));
    names.dedup();
    let mut open = without_lists(fix);
    for (exact, general) in names {
        open = open.replace(&exact, &general);
    }
    Some(open)
}

/// Without the names of several disks behind a command.
fn without_lists(fix: &str) -> String {
    let mut rest = fix;
    let mut out = String::with_capacity(fix.len());
    let begin = format!(" ({DISK}: ");
    while let Some((before, after)) = rest.split_once(begin.as_str()) {
        out.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(group: &str, name: &str) -> Target {
        Target {
            group: Some(group.to_owned()),
            name: Some(name.to_owned()),
        }
    }

    fn whole(fix: &str, disks: &[Target]) -> String {
        let subject = Subject {
            vm: None,
            disks: disks.to_vec(),
        };
        completed(fix, &subject)
    }

    #[test]
    fn commands_name_their_disks() {
        let data = target("prod", "data 1");
        assert_eq!(
            whole(
                "lower it (`az disk update --set tier=P10`): 5 less",
                std::slice::from_ref(&data)
            ),
            "lower it (`az disk update -g prod -n 'data 1' --set tier=P10`): 5 less"
        );
        assert_eq!(
            whole("`az disk show` says", &[]),
            "`az disk show -g RESOURCE-GROUP -n DISK` says"
        );
        let log = target("prod", "it's");
        assert_eq!(
            whole("`az disk update --set tier=P10`", &[data, log]),
            "`az disk update -g prod -n DISK --set tier=P10` (DISK: 'data 1', 'it'\\''s')"
        );
        // These are about no single disk, or have their names.
        for other in [
            "`az disk list`",
            "`az disk show -g a -n b`",
            "`P30` or `az vm list-skus`",
        ] {
            assert_eq!(whole(other, &[]), other);
        }
    }

    #[test]
    fn words_for_all_name_none() {
        let disks = [target("prod", "d1"), target("prod", "d10")];
        let open = |fix: &str| opened(fix, Some(&target("prod", "vm")), &disks).unwrap();
        assert_eq!(
            open(
                "`az disk update -g prod -n d10 --set tier=P10` or `az vm deallocate -g prod -n vm`"
            ),
            "`az disk update -g RESOURCE-GROUP -n DISK --set tier=P10` or `az vm deallocate -g RESOURCE-GROUP -n VM`"
        );
        assert_eq!(
            open("`az disk update -g prod -n DISK --set tier=P10` (DISK: d1, d10): less"),
            "`az disk update -g RESOURCE-GROUP -n DISK --set tier=P10`: less"
        );
        assert_eq!(opened("take P30", None, &disks), None);
    }
}
