//! Why the cloud could not be read: what was asked, what came back, and what to do about it.

use std::fmt;
use std::time::Duration;

use super::token::SignInError;
use crate::azure::fetch::REACHING_ATTEMPTS;

/// A request, for messages: its method and address, in which there is nothing secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked(String);

impl Asked {
    pub(crate) fn new(method: &reqwest::Method, url: &reqwest::Url) -> Self {
        Self(format!("{method} {url}"))
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An error answer, decoded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The service's code, such as `AuthorizationFailed`; empty where the answer has none.
    pub code: String,
    /// The service's words; where the answer is none of the service's, what it looks like.
    pub message: String,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        if !self.code.is_empty() {
            write!(f, " {}", self.code)?;
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message.trim_end_matches('.'))?;
        }
        Ok(())
    }
}

/// Why a request has no usable answer. Every message names the request, and what would help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CloudError {
    /// No credential gave a token.
    #[error(transparent)]
    SignIn(#[from] SignInError),
    /// The token was not accepted, also after signing in anew (401).
    #[error(
        "{asked}: the access token was not accepted ({answer}). Sign in again ('az login'), and check this machine's clock"
    )]
    Expired {
        /// The request.
        asked: Asked,
        /// The answer.
        answer: Answer,
    },
    /// The identity may not read this (403).
    #[error("{asked}: access denied ({answer}). Give the identity the role Reader on this scope")]
    Denied {
        /// The request.
        asked: Asked,
        /// The answer.
        answer: Answer,
    },
    /// There is no such resource, group or subscription (404).
    #[error(
        "{asked}: not found ({answer}). Check subscription, resource group and name, and that the identity may see them"
    )]
    NotFound {
        /// The request.
        asked: Asked,
        /// The answer.
        answer: Answer,
    },
    /// Too many requests (429), and waiting did not help or would take too long.
    #[error(
        "{asked}: throttled ({answer}) after {attempts} attempt(s){}. Try again later, or ask for less at once",
        asks_to_wait(*wait)
    )]
    Throttled {
        /// The request.
        asked: Asked,
        /// The answer.
        answer: Answer,
        /// How long the service asks to wait.
        wait: Option<Duration>,
        /// How often it was tried.
        attempts: u32,
    },
    /// The service failed (408 and 5xx), also when asked again.
    #[error(
        "{asked}: the service failed ({answer}) after {attempts} attempt(s){}. Try again later",
        asks_to_wait(*wait)
    )]
    Unavailable {
        /// The request.
        asked: Asked,
        /// The answer.
        answer: Answer,
        /// How long the service asks to wait.
        wait: Option<Duration>,
        /// How often it was tried.
        attempts: u32,
    },
    /// Any other refusal.
    #[error("{asked}: refused ({answer})")]
    Refused {
        /// The request.
        asked: Asked,
        /// The answer.
        answer: Answer,
    },
    /// The status says success, the body holds an error.
    #[error("{asked}: the answer holds an error although its status says success ({answer})")]
    ErrorInBody {
        /// The request.
        asked: Asked,
        /// The error in the body.
        answer: Answer,
    },
    /// The answer is no JSON.
    #[error(
        "{asked}: the answer is not JSON but {looks}. Check the address, and whether a proxy answers in its place"
    )]
    NotJson {
        /// The request.
        asked: Asked,
        /// What it looks like.
        looks: String,
    },
    /// The JSON is malformed.
    #[error(
        "{asked}: the answer is malformed JSON at line {line}, column {column}: {reason}. Try again, and check whether a proxy changes answers"
    )]
    Malformed {
        /// The request.
        asked: Asked,
        /// Where.
        line: usize,
        /// Where.
        column: usize,
        /// What the reader found.
        reason: String,
    },
    /// The answer is sound JSON, but not what was asked for.
    #[error("{asked}: the answer holds no {wanted}")]
    Unrecognised {
        /// The request.
        asked: Asked,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The answer ends too early.
    #[error(
        "{asked}: the answer was cut off after {received} bytes, in {attempts} attempt(s). Try again"
    )]
    CutOff {
        /// The request.
        asked: Asked,
        /// How much had arrived.
        received: usize,
        /// How often it was tried.
        attempts: u32,
    },
    /// No complete answer in time.
    #[error(
        "{asked}: no complete answer within {} s, in {attempts} attempt(s). Check network and proxy, or allow more time",
        after.as_secs_f64()
    )]
    Timeout {
        /// The request.
        asked: Asked,
        /// How long was waited each time.
        after: Duration,
        /// How often it was tried.
        attempts: u32,
    },
    /// Nothing answers at the address: it has no entry in DNS, refuses connections or fails the handshake.
    #[error(
        "{asked}: {reason}, in {attempts} attempt(s). Check the address, network, proxy and certificates"
    )]
    Unreachable {
        /// The request.
        asked: Asked,
        /// The cause.
        reason: String,
        /// How often it was tried.
        attempts: u32,
    },
    /// The connection broke.
    #[error(
        "{asked}: no connection ({reason}) in {attempts} attempt(s). Check network, proxy and certificates"
    )]
    Connection {
        /// The request.
        asked: Asked,
        /// The cause.
        reason: String,
        /// How often it was tried.
        attempts: u32,
    },
    /// A page links to another host, which must not get the token.
    #[error(
        "{asked}: the answer continues on another host ({host}); that is not followed, since the access token would go there"
    )]
    ForeignLink {
        /// The request.
        asked: Asked,
        /// The host.
        host: String,
    },
    /// A list continues with a page that was read before, or without end.
    #[error("{asked}: the list does not end ({pages} pages were read)")]
    EndlessList {
        /// The request.
        asked: Asked,
        /// How many pages were read.
        pages: usize,
    },
    /// The answer is larger than anything that was asked for.
    #[error("{asked}: the answer is larger than {limit} bytes and was not read")]
    TooLarge {
        /// The request.
        asked: Asked,
        /// The limit.
        limit: usize,
    },
}

fn asks_to_wait(wait: Option<Duration>) -> String {
    wait.map_or_else(String::new, |wait| {
        format!("; the service asks to wait {} s", wait.as_secs_f64())
    })
}

impl CloudError {
    /// Whether the same request may succeed when it is sent again.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Throttled { .. }
                | Self::Unavailable { .. }
                | Self::CutOff { .. }
                | Self::Timeout { .. }
                | Self::Connection { .. }
                | Self::Unreachable { .. }
        )
    }

    /// Whether the request is worth sending again after so many attempts: an address that nothing answers at is soon
    /// given up, since waiting seldom helps there.
    pub(crate) const fn is_worth_another(&self, tried: u32) -> bool {
        match self {
            Self::Unreachable { .. } => tried < REACHING_ATTEMPTS,
            _ => self.is_transient(),
        }
    }

    /// How long the service asks to wait before the next attempt.
    #[must_use]
    pub const fn wait(&self) -> Option<Duration> {
        match self {
            Self::Throttled { wait, .. } | Self::Unavailable { wait, .. } => *wait,
            _ => None,
        }
    }

    /// Notes how often the request was tried.
    pub(crate) fn after(mut self, tried: u32) -> Self {
        if let Self::Throttled { attempts, .. }
        | Self::Unavailable { attempts, .. }
        | Self::CutOff { attempts, .. }
        | Self::Timeout { attempts, .. }
        | Self::Connection { attempts, .. }
        | Self::Unreachable { attempts, .. } = &mut self
        {
            *attempts = tried;
        }
        self
    }
}
