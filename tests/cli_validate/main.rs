//! `diskcap validate` as a person meets it: saved answers, and a cloud that answers like the real one.
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "../common/cli.rs"]
mod cli;
#[path = "../validate/cloud.rs"]
mod cloud;
mod live;
mod refused;
mod reports;
mod saved;

use std::process::Output;

use cli::shown;

const ONE: &str = "validate --from tests/fixtures/azure/one";
const SHOP: &str = "validate --from tests/fixtures/azure/shop";

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// Stderr of a run that must end with `expected`.
#[track_caller]
fn fails(output: &Output, expected: i32) -> String {
    assert_eq!(code(output), expected, "{}", shown("", output));
    String::from_utf8_lossy(&output.stderr).into_owned()
}
