//! Registered systems: one TOML each, and `local` for any other machine.
//!
//! The file, `systems/x86_1.toml` being one: `kind`, `major`, `minor`; `id`, `description`,
//! `architecture` (`x86_64` or `aarch64`), `measuring_core`, and `fixed_clock_hz` where the clock is
//! fixed; the tables `expected` (facts that fix the machine, all optional), `toolchain` (`compiler`, the
//! command, and `version`, how its version begins), `planning` (NGCC.md section 5, times in nanoseconds),
//! and optionally `emulation` (`runner`, the command that runs the system's programs here). Unknown keys
//! are errors.

use crate::Error;
use crate::flags::Architecture;
use crate::machine::Machine;
use crate::planning::Planning;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

const KIND: &str = "assay-system";
/// The major version of systems' files that is read. 1.0: first.
const MAJOR: u32 = 1;
const MINOR: u32 = 0;

const REGISTERED: &[(&str, &str)] = &[
    ("arm_1.toml", include_str!("../arm_1.toml")),
    ("x86_1.toml", include_str!("../x86_1.toml")),
];

/// A machine on which campaigns are measured, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// What the file is: `assay-system`.
    pub kind: String,
    /// Raised when an older reader would misread the file.
    pub major: u32,
    /// Raised when keys were added.
    pub minor: u32,
    /// The name in pages and cell addresses: ASCII letters, digits, `_` and `-`.
    pub id: String,
    /// One line for people.
    pub description: String,
    /// What it compiles for; `None` for a local machine that the guide has no options for.
    #[serde(default)]
    pub architecture: Option<Architecture>,
    /// The core that measures unless another is asked for, and of which the page's environment is.
    pub measuring_core: u32,
    /// The clock that trials are checked against, Hz.
    #[serde(default)]
    pub fixed_clock_hz: Option<u64>,
    /// What tells the machine, and what must be set.
    #[serde(default)]
    pub expected: Expected,
    /// The compiler.
    pub toolchain: ToolchainChoice,
    /// The planning constants.
    pub planning: Planning,
    /// Set where the system's programs run under an emulator.
    #[serde(default)]
    pub emulation: Option<Emulation>,
}

/// Facts that fix the machine; those not stated are not checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expected {
    /// See [`Machine::cpu_model`].
    pub cpu_model: Option<String>,
    /// See [`Machine::machine`].
    pub machine: Option<String>,
    /// See [`Machine::cpufreq_governor`].
    pub cpufreq_governor: Option<String>,
    /// kHz; see [`Machine::cpufreq_min_khz`].
    pub cpufreq_min_khz: Option<u64>,
    /// kHz; see [`Machine::cpufreq_max_khz`].
    pub cpufreq_max_khz: Option<u64>,
    /// See [`Machine::intel_pstate_no_turbo`].
    pub intel_pstate_no_turbo: Option<bool>,
    /// See [`Machine::cpufreq_boost`].
    pub cpufreq_boost: Option<bool>,
    /// See [`Machine::smt_control`].
    pub smt_control: Option<String>,
}

/// Which compiler a system builds with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolchainChoice {
    /// The command: a name in `PATH`, or a path.
    pub compiler: String,
    /// How its version begins, such as `14.2`; any version where absent.
    #[serde(default)]
    pub version: Option<String>,
}

/// How the system's programs run on another machine. Never fixed: times only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Emulation {
    /// The emulator's command and its options, before the program's own.
    pub runner: Vec<String>,
}

/// A fact that is not as the system's file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The fact's name.
    pub fact: &'static str,
    /// What the file says.
    pub expected: String,
    /// What the machine says; `None`: nothing.
    pub found: Option<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.found.as_deref().unwrap_or("not known");
        write!(f, "{} is {found}, not {}", self.fact, self.expected)
    }
}

impl System {
    /// The name of the system that is any machine not registered.
    pub const LOCAL: &'static str = "local";

    /// All registered systems, by name.
    ///
    /// # Errors
    /// Never for a released assay: a test reads them.
    pub fn registered() -> Result<Vec<System>, Error> {
        REGISTERED
            .iter()
            .map(|(file, text)| System::parse(file, text))
            .collect()
    }

    /// The registered system of this name, or this machine's for `local`.
    ///
    /// # Errors
    /// When none is registered under this name.
    pub fn named(id: &str) -> Result<System, Error> {
        if id == System::LOCAL {
            return Ok(System::local());
        }
        let systems = System::registered()?;
        let known = systems
            .iter()
            .map(|system| system.id.as_str())
            .collect::<Vec<_>>()
            .join(", ");
        systems
            .into_iter()
            .find(|system| system.id == id)
            .ok_or_else(|| Error::UnknownSystem {
                id: id.to_owned(),
                known,
            })
    }

    /// A lab's own system, from its file.
    ///
    /// # Errors
    /// When the file cannot be read or is not a description of a system.
    pub fn read(file: &Path) -> Result<System, Error> {
        let text = fs_err::read_to_string(file).map_err(Error::SystemFile)?;
        System::parse(&file.display().to_string(), &text)
    }

    /// The system of whatever machine this is: nothing is expected of it, `gcc` compiles, CPU 0
    /// measures.
    pub fn local() -> System {
        System {
            kind: KIND.to_owned(),
            major: MAJOR,
            minor: MINOR,
            id: System::LOCAL.to_owned(),
            description: "this machine, not a registered system".to_owned(),
            architecture: Architecture::named(std::env::consts::ARCH),
            measuring_core: 0,
            fixed_clock_hz: None,
            expected: Expected::default(),
            toolchain: ToolchainChoice {
                compiler: "gcc".to_owned(),
                version: None,
            },
            planning: Planning::LOCAL,
            emulation: None,
        }
    }

    /// Whether it is registered, so that it refuses to measure on another machine.
    pub fn is_registered(&self) -> bool {
        self.id != System::LOCAL
    }

    /// What of this machine is not as registered; empty on the machine itself.
    pub fn mismatches(&self, machine: &Machine) -> Vec<Mismatch> {
        fn differs<T: PartialEq + fmt::Display>(
            fact: &'static str,
            expected: &Option<T>,
            found: &Option<T>,
        ) -> Option<Mismatch> {
            let expected = expected
                .as_ref()
                .filter(|value| found.as_ref() != Some(*value))?;
            let found = found.as_ref().map(T::to_string);
            Some(Mismatch {
                fact,
                expected: expected.to_string(),
                found,
            })
        }
        let want = &self.expected;
        let architecture = self.architecture.map(|word| word.to_string());
        [
            differs(
                "architecture",
                &architecture,
                &Some(machine.architecture.clone()),
            ),
            differs("cpu_model", &want.cpu_model, &machine.cpu_model),
            differs("machine", &want.machine, &machine.machine),
            differs(
                "cpufreq_governor",
                &want.cpufreq_governor,
                &machine.cpufreq_governor,
            ),
            differs(
                "cpufreq_min_khz",
                &want.cpufreq_min_khz,
                &machine.cpufreq_min_khz,
            ),
            differs(
                "cpufreq_max_khz",
                &want.cpufreq_max_khz,
                &machine.cpufreq_max_khz,
            ),
            differs(
                "intel_pstate_no_turbo",
                &want.intel_pstate_no_turbo,
                &machine.intel_pstate_no_turbo,
            ),
            differs("cpufreq_boost", &want.cpufreq_boost, &machine.cpufreq_boost),
            differs("smt_control", &want.smt_control, &machine.smt_control),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Whether a compiler of this version (`14.2.0`) is not the registered one (`14.2`).
    pub fn compiler_mismatch(&self, version: &str) -> Option<Mismatch> {
        let expected = self.toolchain.version.as_deref()?;
        let rest = version.strip_prefix(expected);
        let same = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        (!same).then(|| Mismatch {
            fact: "compiler version",
            expected: expected.to_owned(),
            found: Some(version.to_owned()),
        })
    }

    fn parse(file: &str, text: &str) -> Result<System, Error> {
        #[derive(Deserialize)]
        struct Header {
            kind: String,
            major: u32,
            minor: u32,
        }
        let syntax = |source| Error::SystemSyntax {
            file: file.to_owned(),
            source,
        };
        // the version first: a file of another one may have other keys
        let Header { kind, major, minor } = toml::from_str(text).map_err(syntax)?;
        if kind != KIND || major != MAJOR {
            let file = file.to_owned();
            return Err(Error::SystemVersion {
                file,
                kind,
                major,
                minor,
                expected: KIND,
                known: MAJOR,
            });
        }
        let system: System = toml::from_str(text).map_err(syntax)?;
        system.check(file)?;
        Ok(system)
    }

    fn check(&self, file: &str) -> Result<(), Error> {
        let id_is_good = !self.id.is_empty()
            && self.id.starts_with(|c: char| c.is_ascii_alphanumeric())
            && self
                .id
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        let rules = [
            (
                "id",
                id_is_good,
                "must be ASCII letters, digits, `_` and `-`, a letter or digit first",
            ),
            (
                "id",
                self.id != System::LOCAL,
                "must not be `local`, which is any other machine",
            ),
            ("architecture", self.architecture.is_some(), "is missing"),
            (
                "fixed_clock_hz",
                self.fixed_clock_hz != Some(0),
                "must be above 0",
            ),
            (
                "planning.trials",
                self.planning.trials > 0,
                "must be above 0",
            ),
            (
                "planning.trial_target_ns",
                self.planning.trial_target_ns > 0,
                "must be above 0",
            ),
            (
                "planning.max_iterations",
                self.planning.max_iterations > 0,
                "must be above 0",
            ),
            (
                "planning.op_budget_ns",
                self.planning.op_budget_ns > 0,
                "must be above 0",
            ),
        ];
        match rules.into_iter().find(|(_, holds, _)| !holds) {
            Some((key, _, problem)) => Err(Error::SystemValue {
                file: file.to_owned(),
                key,
                problem,
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86: &str = include_str!("../x86_1.toml");

    #[test]
    fn registered_systems_are_those_of_the_setting() {
        // NGCC.md sections 1 and 5
        let x86 = System::named("x86_1").unwrap();
        let arm = System::named("arm_1").unwrap();
        assert_eq!(
            (x86.planning.trial_target_ns, arm.planning.trial_target_ns),
            (1_000_000_000, 500_000_000)
        );
        assert_eq!(
            (x86.planning.op_budget_ns, arm.planning.op_budget_ns),
            (900_000_000_000, 300_000_000_000)
        );
        assert_eq!((x86.measuring_core, arm.measuring_core), (2, 2));
        assert_eq!(x86.planning, Planning::LOCAL);
        assert_eq!(arm.planning.quick().trial_target_ns, 50_000_000);
        assert!(
            System::named("x86_2")
                .unwrap_err()
                .to_string()
                .contains("arm_1, x86_1")
        );
        assert!(!System::named("local").unwrap().is_registered());
    }

    #[test]
    fn unknown_keys_and_bad_values_name_file_and_key() {
        let text = X86.replace("trials = 5", "trails = 5");
        let error = System::parse("lab.toml", &text).unwrap_err();
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert!(error.to_string().contains("lab.toml"));
        assert!(
            source.contains("trails") && source.contains("line 24"),
            "{source}"
        );

        let error =
            System::parse("lab.toml", &X86.replace("trials = 5", "trials = 0")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "lab.toml: `planning.trials` must be above 0"
        );
        let error = System::parse("lab.toml", &X86.replace("major = 1", "major = 2")).unwrap_err();
        assert!(error.to_string().contains("version 2.0"), "{error}");
        let error = System::parse("lab.toml", &X86.replace("\"x86_1\"", "\"local\"")).unwrap_err();
        assert!(error.to_string().contains("`local`"), "{error}");
    }

    #[test]
    fn a_version_matches_by_its_parts() {
        let system = System::named("x86_1").unwrap();
        assert_eq!(system.compiler_mismatch("14.2.0"), None);
        assert_eq!(system.compiler_mismatch("14.2"), None);
        for other in ["14.20", "12.2.0", "4.2"] {
            let mismatch = system.compiler_mismatch(other).unwrap();
            assert_eq!(
                mismatch.to_string(),
                format!("compiler version is {other}, not 14.2")
            );
        }
    }
}
