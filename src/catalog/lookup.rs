//! Finding a name that somebody typed.

/// The tail of an error message: which known names are nearest.
#[must_use]
pub fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        many => format!("; did you mean one of {}?", many.join(", ")),
    }
}
