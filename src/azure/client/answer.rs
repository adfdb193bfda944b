//! Reads error answers in all their forms: ARM's envelope, capitalised fields, JSON in a JSON string, a proxy's web
//! page, nothing at all.

use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use super::error::{Answer, Asked, CloudError};
use super::secret::redacted;
use super::wait::asked_wait;
use crate::azure::arm::kind::Kind;
use crate::azure::arm::read::{looks_of, reason_of};
use crate::azure::arm::shape::Resource;
use crate::azure::arm::walk::{Sink, walk};

/// What an error answer says, whatever its form.
pub(crate) fn decode(status: StatusCode, body: &[u8]) -> Answer {
    // A malformed body is described like any other that is no error envelope.
    error_in(status, body).unwrap_or_else(|| answer(status, "", &looks_of(body)))
}

/// The error that a body holds, whatever its status says.
pub(crate) fn error_in(status: StatusCode, body: &[u8]) -> Option<Answer> {
    let mut first = FirstError(None);
    let mut json = serde_json::Deserializer::from_slice(body);
    let _ = walk(&mut json, &mut first);
    let (code, message) = first.0?;
    Some(answer(status, &code, &message))
}

fn answer(status: StatusCode, code: &str, message: &str) -> Answer {
    Answer {
        status: status.as_u16(),
        code: redacted(code),
        message: redacted(message.lines().next().unwrap_or_default()),
    }
}

/// The error that a status other than success means.
pub(crate) fn failure(
    asked: Asked,
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
) -> CloudError {
    let answer = decode(status, body);
    match status.as_u16() {
        401 => CloudError::Expired { asked, answer },
        403 => CloudError::Denied { asked, answer },
        404 => CloudError::NotFound { asked, answer },
        429 => CloudError::Throttled {
            asked,
            wait: asked_wait(headers, &answer.message, jiff::Timestamp::now()),
            answer,
            attempts: 1,
        },
        408 | 500 | 502 | 503 | 504 => CloudError::Unavailable {
            asked,
            wait: asked_wait(headers, &answer.message, jiff::Timestamp::now()),
            answer,
            attempts: 1,
        },
        _ => CloudError::Refused { asked, answer },
    }
}

/// The error of a body that cannot be read although its status says success.
pub(crate) fn unreadable(asked: &Asked, body: &[u8], error: &serde_json::Error) -> CloudError {
    let asked = asked.clone();
    let starts_json = body
        .iter()
        .find(|byte| !byte.is_ascii_whitespace())
        .is_some_and(|byte| b"{[\"".contains(byte));
    if !starts_json {
        return CloudError::NotJson {
            asked,
            looks: looks_of(body),
        };
    }
    if error.is_eof() {
        return CloudError::CutOff {
            asked,
            received: body.len(),
            attempts: 1,
        };
    }
    CloudError::Malformed {
        asked,
        line: error.line(),
        column: error.column(),
        reason: reason_of(error),
    }
}

/// Keeps the first error answer.
struct FirstError(Option<(String, String)>);

impl Sink for FirstError {
    fn resource(&mut self, _: Kind, _: &Resource) {}
    fn error(&mut self, code: String, message: String) {
        self.0.get_or_insert((code, message));
    }
    fn unknown(&mut self, _: String) {}
}
