//! The formats: what they look like, that they all say the same, and that nothing can be put into them that harms.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it must be"
)]

#[path = "../common/sample.rs"]
mod sample;

mod agreement;
mod hostile;
mod looks;
mod pictures;
mod pipelines;
