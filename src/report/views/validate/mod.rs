//! A validation as a document: one VM with all that a plan shows of it, or many with a line each.

mod fleet;
mod one;
mod tables;

use crate::azure::validate::FleetValidation;
use crate::report::{Document, Report};

impl Report for FleetValidation {
    fn document(&self) -> Document {
        match (self.vms.as_slice(), self.disks.as_slice()) {
            ([vm], []) => one::document(self, vm),
            _ => fleet::document(self),
        }
    }
}

/// What every validation says at its end: data and prices.
fn footnotes(validation: &FleetValidation) -> Vec<String> {
    let mut notes = vec![format!("Data: {}.", validation.data)];
    notes.extend(
        validation
            .prices
            .iter()
            .map(|info| format!("Money: {info}; 730 hours a month.")),
    );
    notes
}
