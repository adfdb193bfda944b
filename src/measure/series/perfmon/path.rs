//! Counter paths: `\\HOST\PhysicalDisk(0 C:)\Disk Reads/sec`.

/// A counter path, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CounterPath<'h> {
    /// The computer, where the path names it.
    pub host: Option<&'h str>,
    /// The performance object, in the language of the system.
    pub object: &'h str,
    /// The instance.
    pub instance: &'h str,
    /// The counter, in the language of the system.
    pub counter: &'h str,
}

impl<'h> CounterPath<'h> {
    /// Takes a path apart; `None` for counters without an instance, and for anything else.
    pub fn of(path: &'h str) -> Option<Self> {
        let (host, rest) = match path.trim().strip_prefix(r"\\") {
            Some(rest) => {
                let (host, rest) = rest.split_once('\\')?;
                (Some(host), rest)
            }
            None => (None, path.trim().strip_prefix('\\')?),
        };
        let (object, rest) = rest.split_once('(')?;
        let at = rest.rfind(r")\")?;
        Some(Self {
            host,
            object: object.trim(),
            instance: rest.get(..at)?.trim(),
            counter: rest.get(at + 2..)?.trim(),
        })
    }

    /// Whether the instance sums all others.
    pub fn is_total(&self) -> bool {
        self.instance.eq_ignore_ascii_case("_total")
    }

    /// Whether the instance looks like a physical disk's: a number, and drive letters behind it.
    pub fn looks_physical(&self) -> bool {
        let (number, letters) = self.instance.split_once(' ').unwrap_or((self.instance, ""));
        !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && letters.split(' ').all(|l| l.is_empty() || l.ends_with(':'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_and_without_a_host() {
        let path = CounterPath::of(r"\\DB01\PhysicalDisk(0 C: D:)\Avg. Disk sec/Read").unwrap();
        assert_eq!(path.host, Some("DB01"));
        assert_eq!(path.object, "PhysicalDisk");
        assert_eq!(path.instance, "0 C: D:");
        assert_eq!(path.counter, "Avg. Disk sec/Read");
        assert!(path.looks_physical());
        let path = CounterPath::of(r"\LogicalDisk(_Total)\Disk Bytes/sec").unwrap();
        assert_eq!(path.host, None);
        assert!(path.is_total() && !path.looks_physical());
    }

    #[test]
    fn what_is_no_instance_is_no_path() {
        for path in [
            "",
            r"\\A\Memory\Pages/sec",
            "(PDH-CSV 4.0)",
            r"\\A",
            "x(y)z",
        ] {
            assert_eq!(CounterPath::of(path), None, "{path}");
        }
    }
}
