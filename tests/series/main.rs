//! Logs over time: read, judged, compared and shown.

#![expect(clippy::unwrap_used, reason = "a failure is the test's answer")]

mod generated;
mod histograms;
mod judgement;
mod over_time;
mod peers;
mod plateaus;
mod properties;
mod readers;
mod samples;
mod views;
