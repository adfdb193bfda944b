//! Disks that guests stripe, of every VM or of one.

use diskcap::azure::validate::{FleetValidation, Options, Stripe, Validator, VmValidation};
use diskcap::catalog::Catalog;
use diskcap::planner::FindingId;
use serde_json::{Value, json};

use crate::fixtures::{attached, disk, facts, judge_with, limits, of, only, vm, with_p30};

/// Two VMs with three P30 each at LUN 0 to 2; the second is of another resource group.
fn two() -> Vec<Value> {
    let mut resources = Vec::new();
    for name in ["db1", "db2"] {
        let names = [0, 1, 2].map(|lun| format!("{name}-data{lun}"));
        let on_vm: Vec<Value> = names
            .iter()
            .zip(0..)
            .map(|(name, lun)| attached(lun, name, "None"))
            .collect();
        resources.push(vm(name, "Standard_D8s_v5", &on_vm));
        resources.extend(names.map(|name| disk(&name, "Premium_LRS", 1024, &limits(5000, 200))));
    }
    let id = resources[4]["id"]
        .as_str()
        .unwrap()
        .replace("/shop/", "/store/");
    resources[4]["id"] = json!(id);
    resources
}

fn options(stripes: &[&str]) -> Options {
    Options {
        stripes: stripes.iter().map(|text| text.parse().unwrap()).collect(),
        ..Options::default()
    }
}

/// The volumes of each VM with how many disks they have, without the OS disk.
fn volumes(validation: &FleetValidation) -> Vec<(String, Vec<(String, usize)>)> {
    let of_vm = validation.vms.iter().map(|vm| {
        let volumes = &vm.assessment.as_ref().unwrap().volumes;
        let data = volumes.iter().filter(|volume| volume.name != "os");
        let data = data.map(|volume| (volume.name.clone(), volume.members));
        (vm.vm.name.clone(), data.collect())
    });
    of_vm.collect()
}

fn named(stripes: &[&str]) -> Vec<(String, Vec<(String, usize)>)> {
    volumes(&judge_with(&two(), &options(stripes)))
}

fn having(vm: &str, volumes: &[(&str, usize)]) -> (String, Vec<(String, usize)>) {
    let volumes = volumes
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count));
    (vm.to_owned(), volumes.collect())
}

#[test]
fn a_stripe_of_one_vm_is_of_no_other() {
    let single = [("lun0", 1), ("lun1", 1), ("lun2", 1)];
    for stripe in [
        "db1/data=lun0,lun1",
        "DB1/data=0,DB1-data1",
        "shop/db1/data=lun0,lun1",
    ] {
        assert_eq!(
            named(&[stripe]),
            [
                having("db1", &[("data", 2), ("lun2", 1)]),
                having("db2", &single)
            ],
            "{stripe}"
        );
    }
    // One name on both, each with its own disks.
    assert_eq!(
        named(&["db1/data=lun0,lun1", "db2/data=lun1,lun2"]),
        [
            having("db1", &[("data", 2), ("lun2", 1)]),
            having("db2", &[("lun0", 1), ("data", 2)])
        ]
    );
    // What is said of one VM goes before what is said of all.
    assert_eq!(
        named(&["data=lun0,lun1", "db2/data=lun0,lun1,lun2"]),
        [
            having("db1", &[("data", 2), ("lun2", 1)]),
            having("db2", &[("data", 3)])
        ]
    );
}

#[test]
fn a_vm_or_a_disk_that_is_not_there_is_an_error_with_those_that_are() {
    let told = |stripes: &[&str]| {
        let (facts, options) = (facts(&two()), options(stripes));
        let validator = Validator::new(Catalog::embedded(), &facts, &options);
        validator.check_names().unwrap();
        validator.check_stripes().unwrap_err().to_string()
    };
    assert_eq!(
        told(&["db3/data=lun0,lun1"]),
        "stripe 'db3/data': no VM 'db3' in what was read, which has db1, db2; did you mean one of db1, db2?"
    );
    assert!(told(&["store/db1/data=lun0,lun1"]).contains("no VM 'store/db1'"));
    let disks = "there are lun0 (db2-data0), lun1 (db2-data1), lun2 (db2-data2)";
    assert_eq!(
        told(&["db2/data=lun0,lun9"]),
        format!("stripe 'db2/data': db2 has no data disk lun9; {disks}")
    );
    assert_eq!(
        told(&["db2/data=lun8,lun9"]),
        format!("stripe 'db2/data': db2 has no data disk lun8, lun9; {disks}")
    );
    assert_eq!(
        told(&["data=lun0,lun1", "db2/log=lun1,lun2"]),
        "lun1 of db2 is in two stripes, 'db2/log' and 'data': a disk is in one"
    );
    for text in ["/data=lun0,lun1", "db1/=lun0,lun1", "a//data=lun0,lun1"] {
        let error = text.parse::<Stripe>().unwrap_err().to_string();
        assert!(error.contains("VM/NAME=lun0,lun1"), "{error}");
    }
    let stripe: Stripe = "shop/db1/data=lun0,lun1".parse().unwrap();
    assert_eq!(stripe.to_string(), "shop/db1/data=lun0,lun1");
}

fn striped(resources: &[Value], stripe: &str) -> VmValidation {
    let options = Options {
        stripes: vec![stripe.parse().unwrap()],
        ..Options::default()
    };
    only(judge_with(resources, &options))
}

#[test]
fn a_stripe_is_one_volume() {
    let resources = with_p30("Standard_D8s_v5", &["None", "None"]);
    // By number, and by name in another case.
    for stripe in ["data=lun0,lun1", "data=0,1", "data=DATA0,data1"] {
        let vm = striped(&resources, stripe);
        let volumes = &vm.assessment.as_ref().unwrap().volumes;
        let names: Vec<(&str, usize)> = volumes.iter().map(|v| (&*v.name, v.members)).collect();
        assert_eq!(names, [("os", 1), ("data", 2)], "{stripe}");
        // 2 x 5,000 IOPS, 2 x 200 MB/s.
        assert_eq!(volumes[1].provisioned.iops.unwrap().get(), 10_000.0);
        assert_eq!(volumes[1].provisioned.mbps.unwrap().get(), 400.0);
        assert!(of(&vm.findings, FindingId::StripeUnequal).is_empty());
        assert!(of(&vm.findings, FindingId::StripeZones).is_empty());
    }
}

#[test]
fn unequal_members_of_a_stripe_are_found() {
    let mut resources = with_p30("Standard_D8s_v5", &["None", "ReadOnly"]);
    resources[2] = disk("data1", "Premium_LRS", 512, &limits(2300, 150));
    resources[2]["zones"] = json!(["2"]);
    let vm = striped(&resources, "data=lun0,lun1");
    // 2 x 2,300 of 5,000 + 2,300, and 2 x 150 of 200 + 150.
    let unequal = of(&vm.findings, FindingId::StripeUnequal);
    assert!(
        unequal[0]
            .1
            .contains("4,600 of 7,300 IOPS and 300 of 350 MB/s"),
        "{unequal:?}"
    );
    assert_eq!(of(&vm.findings, FindingId::StripeCaching).len(), 1);
    assert_eq!(
        of(&vm.findings, FindingId::StripeZones),
        [("data", "its members are in zone 1 and zone 2")]
    );
}

#[test]
fn texts_that_are_no_stripe_are_refused() {
    for text in [
        "",
        "data",
        "data=lun0",
        "data=lun0,LUN0",
        "=lun0,lun1",
        "a b=lun0,lun1",
        "d=lun0,",
    ] {
        let error = text.parse::<Stripe>().unwrap_err().to_string();
        assert!(error.contains("NAME=lun0,lun1"), "{text}: {error}");
    }
}

/// A stripe bursts again once its slowest member has refilled: (3,500 - 1,100) x 1,800 s / 1,100 = 65 min of a P15,
/// (3,500 - 500) x 1,800 s / 500 = 3 h and (170 - 100) x 1,800 s / 100 = 21 min of a P10. A P20 takes
/// (3,500 - 2,300) x 1,800 s / 2,300 = 16 min and (170 - 150) x 1,800 s / 150 = 4 min.
#[test]
fn a_stripe_refills_as_its_slowest_member() {
    let (p10, p15, p20) = ((128, 500, 100), (256, 1100, 125), (512, 2300, 150));
    for (tiers, refills) in [
        ([p20, p20, p15].as_slice(), ["65 min"].as_slice()),
        (&[p20, p10], &["3 h", "21 min"]),
        (&[p20, p20], &["16 min", "4 min"]),
    ] {
        let on_vm: Vec<Value> = (0..tiers.len())
            .map(|lun| attached(lun as u32, &format!("d{lun}"), "None"))
            .collect();
        let mut resources = vec![vm("db", "Standard_D64s_v5", &on_vm)];
        resources.extend(tiers.iter().enumerate().map(|(lun, (gib, iops, mbps))| {
            disk(
                &format!("d{lun}"),
                "Premium_LRS",
                *gib,
                &limits(*iops, *mbps),
            )
        }));
        let vm = only(judge_with(&resources, &options(&["data=lun0,lun1,lun2"])));
        let bursts = of(&vm.findings, FindingId::BurstOnly);
        let (_, message) = bursts.iter().find(|(of, _)| *of == "data").unwrap();
        for refill in refills {
            let words = format!("empty credit takes {refill} to fill");
            assert!(message.contains(&words), "{tiers:?}: {message}");
        }
    }
}

#[test]
fn a_stripe_is_named_once_and_unlike_another_disk() {
    let resources = two();
    let facts = facts(&resources);
    let error = |stripes: &[&str]| {
        let options = options(stripes);
        let validator = Validator::new(Catalog::embedded(), &facts, &options);
        validator
            .check_stripes()
            .err()
            .map(|error| error.to_string())
    };
    assert_eq!(
        error(&["data=lun0,lun1", "Data=lun2,lun3"]).as_deref(),
        Some(
            "stripe 'Data' is named twice: name all of its members in one, as in Data=lun0,lun1,lun2,lun3"
        )
    );
    assert_eq!(
        error(&["db1/lun2=lun0,lun1"]).as_deref(),
        Some(
            "stripe 'db1/lun2': db1 has a disk of that name, which is no member: give the stripe another name"
        )
    );
    assert_eq!(error(&["lun0=lun0,lun1"]), None);
    assert_eq!(error(&["db1/data=lun0,lun1", "data=lun0,lun1"]), None);
}
