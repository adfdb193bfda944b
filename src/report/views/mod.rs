//! How the library's result models say themselves as documents: one file a model.

pub mod bench;
mod capped_chart;
mod compare_disk_tables;
pub mod compare_disks;
pub mod compare_plans;
mod compare_sizes;
pub mod compare_vms;
pub mod comparison;
pub mod explain;
mod fields;
pub mod findings;
pub mod metrics;
pub mod money;
mod month;
mod outcome;
mod paging;
pub mod peers;
pub mod plan;
mod plan_charts;
mod plan_words;
pub mod prices;
pub mod recommend;
pub mod series;
pub mod simulate;
pub mod skus;
mod validate;
