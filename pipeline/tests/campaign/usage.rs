//! Hosts that are not the registered machine, and options that make no sense.

use crate::assay::{Assay, Ran};

const ONE: &str = "--only ^ml-kem/ML-KEM-512$";

/// A registered system of this architecture, if there is one.
fn registered() -> Option<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Some("x86_1"),
        "aarch64" => Some("arm_1"),
        _ => None,
    }
}

#[test]
fn a_registered_system_takes_no_figure_of_a_host_that_is_not_that_machine() {
    let Some(system) = registered() else {
        eprintln!("skipped: no system of this architecture is registered");
        return;
    };
    let assay = Assay::new();
    let as_system = format!("--system {system} --cpu 0");
    let check = assay.campaign(&format!("check {as_system}"));
    let found = String::from_utf8_lossy(&check.stdout);
    if check.status.code() == Some(0) {
        eprintln!("skipped: this is {system}");
        return;
    }
    assert_eq!(check.status.code(), Some(1), "{found}");
    assert!(found.contains("registered"), "{found}");
    // Figures of this very machine are there, as those of a machine that is not registered.
    let local = assay.run(ONE);
    let measured = |ran: &Ran| {
        let steps = ran.steps.iter();
        steps
            .filter(|s| s.ends_with("/time") || s.ends_with("/profile"))
            .count()
    };
    assert_eq!(measured(&local), 6);
    let refused = Ran::of(&assay.campaign(&format!("run --quick --json {ONE} {as_system}")));
    assert_eq!(refused.code, Some(1), "{}", refused.said);
    assert!(refused.said.contains("registered is"), "{}", refused.said);
    // Measured all the same, they are new and marked...
    let allowed = assay.run(&format!("{ONE} {as_system} --allow-unfixed-host"));
    assert_eq!(measured(&allowed), 6, "{}", allowed.said);
    let page = std::fs::read_to_string(assay.site().join("ml-kem.md")).unwrap();
    assert!(page.contains("registered is"), "{page}");
    // ...and are not taken by a run that wants the host fixed.
    let refused = Ran::of(&assay.campaign(&format!("run --quick --json {ONE} {as_system}")));
    assert_eq!(refused.code, Some(1), "{}", refused.said);
    let again = assay.run(&format!("{ONE} {as_system} --allow-unfixed-host"));
    assert_eq!(again.steps, [""; 0]);
    assay.verify();
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_runs() {
    let assay = Assay::new();
    for line in [
        "run --quick --only nosuch",
        "run --quick --only (",
        "run --quick --only ^ml-kem/ --again nosuch",
        "run --quick --only ^ml-kem/ --again /build$",
        "run --quick --only ^ml-kem/ --stages fly",
        "run --quick --only ^ml-kem/ --cpu 9999",
        "run --quick --only ^ml-kem/ --jobs 0",
        "run --quick --only ^ml-kem/ --campaign ../x",
        "run --quick --only ^ml-kem/ --system nosuch",
        "check --cpu 9999",
        "show local/ml-kem",
        "add-source nosuch .",
    ] {
        let ran = Ran::of(&assay.campaign(line));
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.said);
        assert!(!ran.said.is_empty(), "{line}");
        assert_eq!(ran.steps, [""; 0], "{line}");
    }
}
