//! The formats: what they look like, and that they all say the same.

#[path = "../common/sample.rs"]
mod sample;

mod dump;
