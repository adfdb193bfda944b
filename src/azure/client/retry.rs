//! When and how long to wait before a request is sent again.

use std::time::Duration;

use backon::ExponentialBuilder;
use jiff::Timestamp;
use reqwest::header::HeaderMap;

/// How patiently requests are repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How often a request is sent at most.
    pub attempts: u32,
    /// The first pause; each further one is about twice as long.
    pub first_pause: Duration,
    /// The longest pause of our own choice.
    pub longest_pause: Duration,
    /// The longest wait that a service may ask for; beyond it the request fails at once.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 5,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            longest_wait: Duration::from_secs(180),
        }
    }
}

impl RetryPolicy {
    pub(crate) fn backoff(&self) -> ExponentialBuilder {
        ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(self.first_pause)
            .with_max_delay(self.longest_pause)
            .with_max_times(self.attempts.saturating_sub(1) as usize)
    }

    /// The pause before the next attempt: at least what the service asks for. `None` gives up.
    pub(crate) fn pause(
        &self,
        planned: Option<Duration>,
        asked: Option<Duration>,
    ) -> Option<Duration> {
        match asked {
            Some(wait) if wait > self.longest_wait => None,
            Some(wait) => planned.map(|planned| planned.max(wait)),
            None => planned,
        }
    }
}

/// How long the service asks to wait: by its headers (`retry-after-ms`, `x-ms-retry-after-ms`, `Retry-After` in seconds
/// or as a date), else by its words. Throttled compute requests say "Please try after '120' seconds" and nothing else.
#[must_use]
pub fn asked_wait(headers: &HeaderMap, message: &str, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let millis = |name: &str| text(name)?.parse().ok().map(Duration::from_millis);
    millis("retry-after-ms")
        .or_else(|| millis("x-ms-retry-after-ms"))
        .or_else(|| retry_after(text("retry-after")?, now))
        .or_else(|| wait_in_words(message))
}

fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or(Duration::ZERO))
}

/// The number between "after" and "seconds".
fn wait_in_words(message: &str) -> Option<Duration> {
    let lower = message.to_ascii_lowercase();
    let (before, _) = lower.split_once(" second")?;
    let (_, number) = before.rsplit_once("after ")?;
    let number = number.trim_matches(|c: char| !c.is_ascii_digit());
    number.parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                let name: reqwest::header::HeaderName = name.parse().unwrap();
                (name, value.parse().unwrap())
            })
            .collect()
    }

    fn wait(pairs: &[(&'static str, &str)], message: &str) -> Option<Duration> {
        let now = "2024-05-01T12:00:00Z".parse().unwrap();
        asked_wait(&headers(pairs), message, now)
    }

    #[test]
    fn waits_are_read_from_headers_in_every_form() {
        let seconds = |s| Some(Duration::from_secs(s));
        assert_eq!(wait(&[("retry-after", "7")], ""), seconds(7));
        assert_eq!(
            wait(&[("retry-after", "Wed, 01 May 2024 12:00:30 GMT")], ""),
            seconds(30)
        );
        assert_eq!(
            wait(&[("retry-after", "Wed, 01 May 2024 11:00:00 GMT")], ""),
            seconds(0)
        );
        assert_eq!(
            wait(&[("retry-after", "9"), ("x-ms-retry-after-ms", "250")], ""),
            Some(Duration::from_millis(250))
        );
        assert_eq!(wait(&[("retry-after", "soon")], ""), None);
        assert_eq!(wait(&[], ""), None);
    }

    #[test]
    fn waits_are_read_from_words_where_headers_are_silent() {
        let message =
            "The server met too many requests. Please try after '45' seconds. Id 'a1-22'.";
        assert_eq!(wait(&[], message), Some(Duration::from_secs(45)));
        assert_eq!(
            wait(&[], "Retry after 3 seconds"),
            Some(Duration::from_secs(3))
        );
        assert_eq!(wait(&[], "after some seconds"), None);
        assert_eq!(
            wait(&[("retry-after", "2")], message),
            Some(Duration::from_secs(2))
        );
    }

    #[test]
    fn a_wait_beyond_patience_gives_up() {
        let policy = RetryPolicy::default();
        let pause = |planned, asked| {
            policy.pause(
                Some(Duration::from_secs(planned)),
                Some(Duration::from_secs(asked)),
            )
        };
        assert_eq!(pause(1, 20), Some(Duration::from_secs(20)));
        assert_eq!(pause(30, 20), Some(Duration::from_secs(30)));
        assert_eq!(pause(1, 181), None);
        assert_eq!(policy.pause(None, Some(Duration::from_secs(1))), None);
    }
}
