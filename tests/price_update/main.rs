//! Refreshing the prices against a server of our own: what arrives, and what is left when something goes wrong.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod arriving;
mod copies;
mod fixtures;
mod servers;
