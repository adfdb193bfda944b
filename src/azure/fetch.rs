//! Fetching over HTTP: patient with a busy server, and never while offline.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use jiff::Timestamp;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, StatusCode, Url, redirect};

/// How the program names itself to servers.
pub(crate) const USER_AGENT: &str = concat!("diskcap/", env!("CARGO_PKG_VERSION"));

/// How often an address is tried at which nothing answers. A second time for a blip of the network; more would only
/// keep somebody waiting who is offline or has misspelt the address.
pub(crate) const REACHING_ATTEMPTS: u32 = 2;

/// Whether the network may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// It may.
    Allowed,
    /// It may not (`--offline`).
    Offline,
}

/// Leave to use the network. A [`Fetcher`] cannot be made without it, and only [`Network::leave`] gives it.
#[derive(Debug, Clone, Copy)]
pub struct Online(());

impl Network {
    /// Leave to fetch from `url`.
    ///
    /// # Errors
    /// [`FetchError::Offline`], which names the URL, when the network may not be used.
    pub fn leave(self, url: &Url) -> Result<Online, FetchError> {
        match self {
            Self::Allowed => Ok(Online(())),
            Self::Offline => Err(FetchError::Offline { url: url.clone() }),
        }
    }
}

/// How patient a [`Fetcher`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How often a request is made at most.
    pub attempts: usize,
    /// The pause before the second attempt; it doubles from there.
    pub first_pause: Duration,
    /// The longest pause, also when the server asks for one.
    pub longest_pause: Duration,
    /// How long one attempt may take, connecting and reading included.
    pub timeout: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            attempts: 6,
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(60),
            timeout: Duration::from_secs(60),
        }
    }
}

impl Patience {
    /// The pauses between attempts where the server asks for none.
    pub(crate) fn pauses(&self) -> ExponentialBuilder {
        ExponentialBuilder::new()
            .with_jitter()
            .with_min_delay(self.first_pause)
            .with_max_delay(self.longest_pause)
            .with_max_times(self.attempts.saturating_sub(1))
    }

    /// The pause before the next attempt: at least what the server asks for. `None` gives up, for want of attempts or
    /// because the server asks for more than the longest pause.
    pub(crate) fn pause(
        &self,
        planned: Option<Duration>,
        asked: Option<Duration>,
    ) -> Option<Duration> {
        match (asked, planned) {
            (Some(wait), Some(planned)) => (wait <= self.longest_pause).then(|| wait.max(planned)),
            (_, planned) => planned,
        }
    }
}

/// Why something could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The network may not be used.
    #[error("offline: {url} was not asked; leave out --offline to allow it")]
    Offline {
        /// What would have been asked.
        url: Url,
    },
    /// The HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
    /// No answer, or one that broke off.
    #[error("{url}: {what}, after {}", tries(.attempts))]
    NoAnswer {
        /// What was asked.
        url: Url,
        /// What went wrong.
        what: String,
        /// How often it was tried.
        attempts: usize,
    },
    /// The server asks for fewer requests.
    #[error("{url}: the server is busy (HTTP 429 Too Many Requests){}, after {}", asks(.wait), tries(.attempts))]
    Busy {
        /// What was asked.
        url: Url,
        /// How long the server asked to wait, where it said so.
        wait: Option<Duration>,
        /// How often it was tried.
        attempts: usize,
    },
    /// The server refused or failed.
    #[error("{url}: HTTP {status}{}, after {}", quoted(.says), tries(.attempts))]
    Refused {
        /// What was asked.
        url: Url,
        /// The status.
        status: StatusCode,
        /// The head of the answer's text, where it has one.
        says: Option<String>,
        /// How often it was tried.
        attempts: usize,
    },
}

fn tries(attempts: &usize) -> String {
    match attempts {
        1 => "1 attempt".to_owned(),
        many => format!("{many} attempts"),
    }
}

fn asks(wait: &Option<Duration>) -> String {
    wait.map(|wait| format!(" and asks to wait {} s", wait.as_secs()))
        .unwrap_or_default()
}

fn quoted(says: &Option<String>) -> String {
    says.as_deref()
        .map(|says| format!(" ({says})"))
        .unwrap_or_default()
}

/// Fetches texts over HTTP.
#[derive(Clone)]
pub struct Fetcher {
    client: Client,
    patience: Patience,
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetcher")
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}

/// One attempt that failed.
struct Attempt {
    failure: Failure,
    /// How long the server asked to wait.
    wait: Option<Duration>,
}

enum Failure {
    Unreachable(String),
    NoAnswer(String),
    Status(StatusCode, Option<String>),
}

impl Attempt {
    /// Whether another attempt may fare better after so many.
    fn passes(&self, made: usize) -> bool {
        match &self.failure {
            Failure::Unreachable(_) => made < REACHING_ATTEMPTS as usize,
            Failure::NoAnswer(_) => true,
            Failure::Status(status, _) => {
                status.is_server_error()
                    || matches!(
                        *status,
                        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT
                    )
            }
        }
    }

    fn into_error(self, url: &Url, attempts: usize) -> FetchError {
        let url = url.clone();
        match self.failure {
            Failure::NoAnswer(what) | Failure::Unreachable(what) => FetchError::NoAnswer {
                url,
                what,
                attempts,
            },
            Failure::Status(StatusCode::TOO_MANY_REQUESTS, _) => FetchError::Busy {
                url,
                wait: self.wait,
                attempts,
            },
            Failure::Status(status, says) => FetchError::Refused {
                url,
                status,
                says,
                attempts,
            },
        }
    }
}

impl Fetcher {
    /// A fetcher that may use the network.
    ///
    /// # Errors
    /// [`FetchError::Client`] when TLS cannot be set up.
    pub fn new(_leave: Online, patience: Patience) -> Result<Self, FetchError> {
        let client = Client::builder()
            .user_agent(USER_AGENT)
            .timeout(patience.timeout)
            .connect_timeout(patience.timeout)
            // a redirect would leave the server that was asked
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|error| FetchError::Client(error.to_string()))?;
        Ok(Self { client, patience })
    }

    /// The text at `url`. A busy or failing server is asked again after a pause, which is the one that it asks for
    /// where it asks for one.
    ///
    /// # Errors
    /// [`FetchError`] with the URL and what happened last.
    pub async fn text(&self, url: &Url) -> Result<String, FetchError> {
        let made = AtomicUsize::new(0);
        let outcome = (|| {
            made.fetch_add(1, Ordering::Relaxed);
            self.attempt(url.clone())
        })
        .retry(self.patience.pauses())
        .when(|attempt| attempt.passes(made.load(Ordering::Relaxed)))
        .adjust(|attempt, planned| self.patience.pause(planned, attempt.wait))
        .await;
        outcome.map_err(|attempt| attempt.into_error(url, made.into_inner()))
    }

    async fn attempt(&self, url: Url) -> Result<String, Attempt> {
        let no_answer = |error: reqwest::Error| {
            let what = describe(&error);
            let failure = match error.is_connect() && !error.is_timeout() {
                true => Failure::Unreachable(what),
                false => Failure::NoAnswer(what),
            };
            Attempt {
                failure,
                wait: None,
            }
        };
        let answer = self.client.get(url).send().await.map_err(no_answer)?;
        let status = answer.status();
        let wait = wait_asked(answer.headers(), Timestamp::now());
        let text = answer.text().await;
        if status.is_success() {
            return text.map_err(no_answer);
        }
        Err(Attempt {
            failure: Failure::Status(status, text.ok().and_then(|text| head(&text))),
            wait,
        })
    }
}

/// What went wrong with a request, in one line: the error with its causes, without the URL.
pub(crate) fn describe(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let what = if error.is_connect() {
        "the server cannot be reached"
    } else {
        "the answer broke off"
    };
    format!("{what} ({cause})")
}

/// The head of a text, in one line; `None` for one that is empty or a web page.
fn head(text: &str) -> Option<String> {
    const LONGEST: usize = 200;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() || line.starts_with('<') {
        return None;
    }
    let short: String = line.chars().take(LONGEST).collect();
    Some(if short.len() < line.len() {
        format!("{short}…")
    } else {
        short
    })
}

/// The pause that `Retry-After` asks for: seconds, or an HTTP date.
pub(crate) fn wait_asked(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let until = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    // a date that has passed asks for no pause
    Some(Duration::try_from(until.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(value: &str) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, value.parse().unwrap());
        let now = "2026-11-30T10:00:00Z".parse().unwrap();
        wait_asked(&headers, now).map(|wait| wait.as_secs())
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(asked("7"), Some(7));
        assert_eq!(asked("0"), Some(0));
        assert_eq!(asked("Mon, 30 Nov 2026 10:01:30 GMT"), Some(90));
        assert_eq!(asked("Mon, 30 Nov 2026 09:00:00 GMT"), Some(0));
        assert_eq!(asked("soon"), None);
        assert_eq!(asked("-5"), None);
        assert_eq!(wait_asked(&HeaderMap::new(), Timestamp::UNIX_EPOCH), None);
    }

    #[test]
    fn a_wait_beyond_patience_gives_up() {
        let patience = Patience::default();
        let pause = |planned, asked| {
            let seconds = Duration::from_secs;
            let pause = patience.pause(Some(seconds(planned)), Some(seconds(asked)));
            pause.map(|pause| pause.as_secs())
        };
        assert_eq!(pause(1, 20), Some(20));
        assert_eq!(pause(30, 20), Some(30));
        assert_eq!(pause(1, 61), None);
        assert_eq!(patience.pause(None, Some(Duration::from_secs(1))), None);
    }

    #[test]
    fn answers_are_quoted_in_one_line_and_web_pages_not_at_all() {
        assert_eq!(head(" not\n  found "), Some("not found".to_owned()));
        assert_eq!(head("<!DOCTYPE html><html>"), None);
        assert_eq!(head(""), None);
        assert_eq!(head(&"ä".repeat(300)).unwrap().chars().count(), 201);
    }

    #[test]
    fn offline_gives_no_leave_and_names_the_url() {
        let url: Url = "https://prices.azure.com/api/retail/prices"
            .parse()
            .unwrap();
        let error = Network::Offline.leave(&url).unwrap_err();
        assert_eq!(
            error.to_string(),
            "offline: https://prices.azure.com/api/retail/prices was not asked; leave out --offline to allow it"
        );
        assert!(Network::Allowed.leave(&url).is_ok());
    }
}
