//! Assessments of VMs of one shape: the same size with the same disks is assessed once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::assemble::{Assembled, shape};
use super::words::of_deployed;
use crate::catalog::Catalog;
use crate::catalog::price::{PriceBook, VmOffer};
use crate::planner::money::price;
use crate::planner::{Assessment, Finding, assess};
use crate::workload::Workload;

/// How many shapes are remembered; an assessment of a VM with many disks has some tens of kilobytes.
const MOST: usize = 1024;

/// The same of assessments in brief, which have some kilobytes.
const MOST_IN_BRIEF: usize = 8 * MOST;

/// What the planner says of one shape.
#[derive(Debug, Clone)]
pub(super) struct Assessed {
    /// The assessment, its findings taken out.
    pub(super) assessment: Arc<Assessment>,
    /// The findings.
    pub(super) findings: Arc<[Finding]>,
}

/// How a VM is billed.
#[derive(Debug)]
pub(super) struct Billing<'a> {
    pub(super) book: &'a PriceBook,
    pub(super) offer: VmOffer,
    pub(super) is_deallocated: bool,
    /// The size as the VM names it, for one that the catalogue does not have.
    pub(super) size: Option<&'a str>,
}

/// What can be had in place of what is deployed.
#[derive(Debug, Clone)]
pub(super) struct Market<'a> {
    pub(super) catalog: &'a Catalog,
    /// Where the catalogue holds, where it is not the whole one.
    pub(super) place: Option<String>,
}

/// The shapes met so far. The workload is the same for all VMs of a run, so that it is no part of a shape.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    known: Mutex<HashMap<Vec<u8>, Assessed>>,
    /// Whether assessments are kept in brief.
    pub(super) in_brief: bool,
}

impl Shapes {
    /// The assessment of a VM: that of its shape where one was made before.
    pub(super) fn assess(
        &self,
        market: &Market<'_>,
        assembled: &Assembled<'_>,
        workloads: &[Workload],
        billing: Option<&Billing<'_>>,
    ) -> Assessed {
        let catalog = market.catalog;
        let Some(mut key) = shape(assembled) else {
            return self.fresh(catalog, assembled, workloads, billing);
        };
        key.extend_from_slice(market.place.as_deref().unwrap_or_default().as_bytes());
        key.push(0);
        if let Some(billing) = billing {
            key.extend([billing.offer as u8, u8::from(billing.is_deallocated)]);
            if assembled.deployment.vm.is_none() {
                key.extend_from_slice(billing.size.unwrap_or_default().as_bytes());
                key.push(0);
            }
            key.extend_from_slice(billing.book.info().region.as_str().as_bytes());
        }
        if let Some(known) = self.lock().get(&key) {
            return known.clone();
        }
        let assessed = self.fresh(catalog, assembled, workloads, billing);
        let mut known = self.lock();
        let most = if self.in_brief { MOST_IN_BRIEF } else { MOST };
        if known.len() >= most {
            known.clear();
        }
        known.insert(key, assessed.clone());
        assessed
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Vec<u8>, Assessed>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fresh(
        &self,
        catalog: &Catalog,
        assembled: &Assembled<'_>,
        workloads: &[Workload],
        billing: Option<&Billing<'_>>,
    ) -> Assessed {
        let deployment = &assembled.deployment;
        let mut assessment = assess(catalog, deployment, workloads);
        if deployment.vm.is_none() {
            assessment = assessment.under_unknown_ceilings();
        }
        if let Some(billing) = billing {
            price(
                catalog,
                deployment,
                billing.book,
                billing.offer,
                &mut assessment,
            );
            if billing.is_deallocated {
                assessment.cost = assessment.cost.map(|cost| cost.without_vm());
            } else if let (Some(cost), None) = (&mut assessment.cost, &deployment.vm) {
                cost.miss_unknown_vm(billing.offer, billing.size);
            }
        }
        let findings = std::mem::take(&mut assessment.findings);
        if self.in_brief {
            assessment = assessment.in_brief();
        }
        Assessed {
            assessment: Arc::new(assessment),
            findings: of_deployed(findings, assembled).into(),
        }
    }
}
