//! How long a service asks to wait before a request is sent again.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::HeaderMap;

use crate::azure::fetch::wait_asked;

/// The wait that the answer asks for: by its headers (`retry-after-ms`, `x-ms-retry-after-ms`, `Retry-After`), else by
/// its words. Throttled compute requests say "Please try after '120' seconds" and nothing else.
#[must_use]
pub(crate) fn asked_wait(headers: &HeaderMap, message: &str, now: Timestamp) -> Option<Duration> {
    let millis = |name: &str| {
        let text = headers.get(name)?.to_str().ok()?;
        text.trim().parse().ok().map(Duration::from_millis)
    };
    millis("retry-after-ms")
        .or_else(|| millis("x-ms-retry-after-ms"))
        .or_else(|| wait_asked(headers, now))
        .or_else(|| wait_in_words(message))
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
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn wait(pairs: &[(&'static str, &'static str)], message: &str) -> Option<Duration> {
        let headers: HeaderMap = pairs
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect();
        asked_wait(&headers, message, "2024-05-01T12:00:00Z".parse().unwrap())
    }

    #[test]
    fn the_finest_header_is_taken() {
        let seconds = |s| Some(Duration::from_secs(s));
        assert_eq!(wait(&[("retry-after", "7")], ""), seconds(7));
        assert_eq!(
            wait(&[("retry-after", "Wed, 01 May 2024 12:00:30 GMT")], ""),
            seconds(30)
        );
        let both = [("retry-after", "9"), ("x-ms-retry-after-ms", "250")];
        assert_eq!(wait(&both, ""), Some(Duration::from_millis(250)));
        assert_eq!(wait(&[("retry-after", "soon")], ""), None);
        assert_eq!(wait(&[], ""), None);
    }

    #[test]
    fn words_are_taken_where_headers_are_silent() {
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
}
