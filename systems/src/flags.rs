//! Compiler options: the ICCS guide's per architecture, and what the published campaigns add to them
//! or use instead. NGCC.md section 1.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The architectures the guide has options for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Architecture {
    /// 64-bit x86.
    #[serde(rename = "x86_64")]
    X86_64,
    /// 64-bit Arm.
    #[serde(rename = "aarch64")]
    Aarch64,
}

impl Architecture {
    /// All of them.
    pub const ALL: [Architecture; 2] = [Architecture::X86_64, Architecture::Aarch64];

    /// As `uname -m` says it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Architecture::X86_64 => "x86_64",
            Architecture::Aarch64 => "aarch64",
        }
    }

    /// The one that `uname -m` calls so.
    pub fn named(word: &str) -> Option<Architecture> {
        Architecture::ALL
            .into_iter()
            .find(|architecture| architecture.as_str() == word)
    }

    /// The guide's options for a version; the reference version's are the same everywhere.
    pub fn guide(self, version: GuideVersion) -> &'static str {
        match (version, self) {
            (GuideVersion::Reference, _) => "-std=c99 -Wpedantic -Wall -Wextra -O2",
            (GuideVersion::Performance, Architecture::X86_64) => {
                "-O3 -march=x86-64 -mavx2 -mtune=native -flto -fomit-frame-pointer -std=c99 \
                 -Wpedantic -Wall -Wextra"
            }
            (GuideVersion::Performance, Architecture::Aarch64) => {
                "-O3 -march=armv8.2-a+sve -flto -fomit-frame-pointer -std=c99 -Wpedantic -Wall \
                 -Wextra"
            }
            (GuideVersion::Resource, Architecture::X86_64) => {
                "-Os -march=x86-64 -mavx2 -flto -fomit-frame-pointer -std=c99 -Wpedantic -Wall \
                 -Wextra"
            }
            (GuideVersion::Resource, Architecture::Aarch64) => {
                "-Os -march=armv8.2-a+sve -flto -fomit-frame-pointer -std=c99 -Wpedantic -Wall \
                 -Wextra"
            }
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The versions of an implementation that the guide knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuideVersion {
    /// Portable C.
    Reference,
    /// Fast.
    Performance,
    /// Small.
    Resource,
}

/// Added to the guide's options in every C build.
pub const HARNESS_ADDITIONS: &str = "-fPIC -D_GNU_SOURCE \
     -Wno-error=implicit-function-declaration -Wno-error=incompatible-pointer-types \
     -Wno-error=int-conversion -Wno-error=implicit-int";

/// Instead of the guide's options and the additions, where a candidate does not build or pass with
/// them ("harness-default").
pub const FALLBACK: &str = "-O2 -fPIC -std=gnu11 -Wall -Wno-unused -Wno-unknown-pragmas \
     -fno-strict-aliasing -fwrapv -fno-omit-frame-pointer -D_GNU_SOURCE \
     -Wno-error=implicit-function-declaration -Wno-error=incompatible-pointer-types \
     -Wno-error=int-conversion -Wno-error=implicit-int";

/// For C++ sources, always. The four `-Wno-error` options of C mean nothing there.
pub const FALLBACK_CXX: &str = "-O2 -fPIC -std=gnu++17 -Wall -Wno-unused -Wno-unknown-pragmas \
     -fno-strict-aliasing -fwrapv -fno-omit-frame-pointer -D_GNU_SOURCE";

/// For every link, before the objects.
pub const LINK: &str = "-shared -Wl,-Bsymbolic -Wl,--no-undefined -Wl,-z,noexecstack -Wl,-z,relro";

/// Libraries of every link, after the objects, as after `-l`.
pub const LINK_LIBRARIES: &[&str] = &["m"];

/// A line of options as a list.
pub fn split(options: &str) -> Vec<String> {
    options.split_whitespace().map(str::to_owned).collect()
}

/// The options that pages call "guide": the guide's and the additions.
pub fn guide(architecture: Architecture, version: GuideVersion) -> Vec<String> {
    let mut options = split(architecture.guide(version));
    options.extend(split(HARNESS_ADDITIONS));
    options
}
