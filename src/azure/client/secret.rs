//! Keeps tokens out of everything that is printed.

use std::fmt;

/// What stands in the place of a secret.
const MASK: &str = "***";

/// The word after which a token follows in messages.
const BEARER: &str = "bearer ";

/// A token or password. It prints as `***` and is read only where a request is signed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    #[must_use]
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    /// The secret itself, for the request that needs it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// `text` with everything that looks like a token masked: JSON web tokens, and what follows `Bearer`.
/// For messages that come from elsewhere.
#[must_use]
pub fn redacted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after_bearer = false;
    for piece in text.split_inclusive(|c: char| !is_token_char(c)) {
        let word = piece.trim_end_matches(|c: char| !is_token_char(c));
        let masked = is_jwt(word) || (after_bearer && word.len() > 8);
        if masked {
            out.push_str(MASK);
            out.push_str(&piece[word.len()..]);
        } else {
            out.push_str(piece);
        }
        after_bearer = piece.eq_ignore_ascii_case(BEARER);
    }
    out
}

fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '/' | '~')
}

/// The header of a JSON web token always starts with `{"`, which is `eyJ` in base 64.
fn is_jwt(word: &str) -> bool {
    word.len() > 16 && word.contains("eyJ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_prints_as_stars() {
        let secret = Secret::new("hunter2");
        assert_eq!(format!("{secret} {secret:?}"), "*** ***");
        assert_eq!(secret.expose(), "hunter2");
    }

    #[test]
    fn tokens_in_messages_are_masked() {
        let cases = [
            (
                "token eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln is bad",
                "token *** is bad",
            ),
            (
                "Authorization: Bearer abcdefghijk.",
                "Authorization: Bearer ***",
            ),
            ("the bearer of this", "the bearer of this"),
            ("nothing to hide: d2s_v3", "nothing to hide: d2s_v3"),
            ("", ""),
            ("ä eyJhbGciOiJub25lIn0.x", "ä ***"),
        ];
        for (text, expected) in cases {
            assert_eq!(redacted(text), expected);
        }
    }
}
