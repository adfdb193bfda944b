//! What is to be said of suppressions themselves.

use std::fmt;

use jiff::civil::Date;

/// Something about an entry that its keeper should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// It no longer holds.
    Expired {
        /// The entry: where it stands and what it is of.
        entry: String,
        /// Its last day.
        last: Date,
        /// How many findings count because of that.
        findings: usize,
    },
    /// It holds, and no finding is of that kind.
    Unused {
        /// The entry: where it stands and what it is of.
        entry: String,
    },
}

impl Remark {
    /// Whether something is wrong; else it is only worth knowing.
    #[must_use]
    pub const fn is_warning(&self) -> bool {
        matches!(self, Self::Expired { .. })
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired {
                entry,
                last,
                findings,
            } => {
                write!(f, "{entry} expired on {last}: ")?;
                match findings {
                    0 => write!(f, "no finding needs it, it can go"),
                    1 => write!(f, "1 finding that it fits counts again"),
                    many => write!(f, "{many} findings that it fits count again"),
                }
            }
            Self::Unused { entry } => write!(f, "{entry} fits no finding"),
        }
    }
}
