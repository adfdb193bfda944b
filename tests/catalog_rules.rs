//! The rules of every family of disks, against values worked out from the provider's documents.

use diskcap::catalog::*;
use diskcap::units::*;

fn disk(request: &DiskRequest) -> Resolved {
    Catalog::embedded().disk(request).unwrap()
}

#[test]
fn smoke() {
    let c = Catalog::embedded();
    println!("{} rows", c.vms().len());
    for n in [
        "d2s v3",
        "Standard_E8bds_v5",
        "e32 16ds v5",
        "L8s_v3",
        "basic_a0",
        "E3216dsv5",
    ] {
        println!("{:#?}", c.vm(n, None).unwrap());
    }
    for n in [
        "D2s_v33",
        "Standrad_D2s_v3",
        "D2_s_v3",
        "D9s_v3",
        "foo",
        "D1 28ds_v6",
        "",
        "standard_",
        "E96bds_v7",
        "D2sv9",
        "M64bds",
    ] {
        println!("{n}: {}", c.vm(n, None).unwrap_err());
    }
    println!(
        "{:?}",
        c.vm("E8bds_v5", Some(Interface::Nvme)).unwrap().uncached
    );
    println!("{}", c.vm("D8s_v6", Some(Interface::Scsi)).unwrap_err());
    println!(
        "{:?}",
        disk(&DiskRequest {
            tier: Some("p30".into()),
            ..DiskRequest::new(Family::PremiumSsd)
        })
    );
    println!("{}", c.info());
}
