//! `diskcap plan`, `skus` and `explain` as a person meets them.

mod catalogue;
#[path = "../common/cli.rs"]
mod cli;
mod judged;
mod money;
mod plan_files;
mod refused;
mod shown;
mod volumes;

const FIELD_REPORT: &str = "plan --vm Standard_D2s_v3 --disk v1=P10 --disk v2base=v2:size=129,iops=3000,mbps=125 \
                            --disk v2double=v2:size=130,iops=6000,mbps=250";
