//! What the tests of recommendations share.

/// The price per vCPU and month in the tests' book: 730 h at 0.05.
pub const VCPU: f64 = 36.5;

#[track_caller]
pub fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}
