//! What a machine is called and whether it is one: names of processors, machines and hypervisors.

use crate::machine::CpuInfo;
use crate::root::Root;

/// As `uname -m`: the kernel's own word, else guessed from the form of `/proc/cpuinfo`, else what this
/// program was compiled for.
pub(crate) fn architecture(root: &Root, cpuinfo: &CpuInfo) -> String {
    if let Some(word) = root.text("proc/sys/kernel/arch") {
        return word;
    }
    let guess = if cpuinfo.get("CPU implementer").is_some() {
        "aarch64"
    } else if cpuinfo.get("vendor_id").is_some() {
        "x86_64"
    } else {
        std::env::consts::ARCH
    };
    guess.to_owned()
}

/// The processor's name: stated on x86, looked up by implementer and part number on Arm.
pub(crate) fn cpu_model(cpuinfo: &CpuInfo) -> Option<String> {
    if let Some(name) = cpuinfo.get("model name") {
        return Some(name.to_owned());
    }
    let hex = |key| {
        let digits = cpuinfo.get(key)?.strip_prefix("0x")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let (implementer, part) = (hex("CPU implementer")?, hex("CPU part")?);
    let known = ARM_CORES
        .iter()
        .find(|(i, p, _)| (*i, *p) == (implementer, part));
    Some(match known {
        Some((_, _, name)) => (*name).to_owned(),
        None => format!("Arm implementer 0x{implementer:02x} part 0x{part:03x}"),
    })
}

/// Implementer, part and name of the 64-bit Arm cores a lab is likely to have; MIDR_EL1 values as in
/// the kernel's `arch/arm64/include/asm/cputype.h` and Arm's manuals.
const ARM_CORES: &[(u32, u32, &str)] = &[
    (0x41, 0xd03, "ARM Cortex-A53"),
    (0x41, 0xd05, "ARM Cortex-A55"),
    (0x41, 0xd07, "ARM Cortex-A57"),
    (0x41, 0xd08, "ARM Cortex-A72"),
    (0x41, 0xd09, "ARM Cortex-A73"),
    (0x41, 0xd0a, "ARM Cortex-A75"),
    (0x41, 0xd0b, "ARM Cortex-A76"),
    (0x41, 0xd0c, "ARM Neoverse-N1"),
    (0x41, 0xd0d, "ARM Cortex-A77"),
    (0x41, 0xd40, "ARM Neoverse-V1"),
    (0x41, 0xd41, "ARM Cortex-A78"),
    (0x41, 0xd44, "ARM Cortex-X1"),
    (0x41, 0xd46, "ARM Cortex-A510"),
    (0x41, 0xd47, "ARM Cortex-A710"),
    (0x41, 0xd48, "ARM Cortex-X2"),
    (0x41, 0xd49, "ARM Neoverse-N2"),
    (0x41, 0xd4f, "ARM Neoverse-V2"),
    (0x46, 0x001, "Fujitsu A64FX"),
    (0x48, 0xd01, "HiSilicon TaiShan-v110"),
    (0x51, 0x001, "Qualcomm Oryon"),
    (0x61, 0x022, "Apple Icestorm-M1"),
    (0x61, 0x023, "Apple Firestorm-M1"),
    (0xc0, 0xac3, "Ampere Ampere-1"),
];

const DMI: &str = "sys/class/dmi/id";

/// The device tree's model, else DMI's vendor and product where they are more than placeholders.
pub(crate) fn machine_name(root: &Root) -> Option<String> {
    if let Some(model) = root
        .text("sys/firmware/devicetree/base/model")
        .or_else(|| root.text("proc/device-tree/model"))
    {
        return Some(model);
    }
    let field = |file: &str| {
        root.text(&format!("{DMI}/{file}"))
            .filter(|text| !is_placeholder(text))
    };
    let product = field("product_name")?;
    Some(match field("sys_vendor") {
        Some(vendor) if !product.starts_with(&vendor) => format!("{vendor} {product}"),
        _ => product,
    })
}

/// What boards ship with where nobody filled in a name.
fn is_placeholder(text: &str) -> bool {
    const PLACEHOLDERS: &[&str] = &[
        "default string",
        "not applicable",
        "not specified",
        "o.e.m.",
        "system manufacturer",
        "system product name",
        "to be filled by o.e.m.",
        "unknown",
    ];
    PLACEHOLDERS.contains(&text.to_ascii_lowercase().as_str())
}

/// The hypervisor below this machine: by the processor's flag, or by what names itself as one.
pub(crate) fn virtualization(root: &Root, cpuinfo: &CpuInfo) -> Option<String> {
    if let Some(name) = named_hypervisor(root) {
        return Some(name);
    }
    let flagged = cpuinfo
        .get("flags")
        .is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"));
    if !flagged {
        return None;
    }
    let clocks = root
        .text("sys/devices/system/clocksource/clocksource0/available_clocksource")
        .unwrap_or_default();
    let by_clock = [
        ("kvm-clock", "kvm"),
        ("hyperv", "microsoft"),
        ("xen", "xen"),
    ]
    .into_iter()
    .find(|(clock, _)| clocks.contains(clock));
    Some(by_clock.map_or("unknown", |(_, name)| name).to_owned())
}

fn named_hypervisor(root: &Root) -> Option<String> {
    if let Some(kind) = root.text("sys/hypervisor/type") {
        return Some(kind);
    }
    // a device tree made for a guest
    if let Some(compatible) = root.text("sys/firmware/devicetree/base/hypervisor/compatible") {
        return Some(
            compatible
                .split('\0')
                .next_back()
                .unwrap_or("unknown")
                .to_owned(),
        );
    }
    if root.text("sys/firmware/devicetree/base/model").as_deref() == Some("linux,dummy-virt") {
        return Some("qemu".to_owned());
    }
    let dmi = ["sys_vendor", "product_name", "board_vendor"]
        .map(|file| root.text(&format!("{DMI}/{file}")).unwrap_or_default())
        .join("\n");
    [
        ("QEMU", "qemu"),
        ("KVM", "kvm"),
        ("VMware", "vmware"),
        ("VirtualBox", "oracle"),
        ("innotek", "oracle"),
        ("Xen", "xen"),
        ("Bochs", "bochs"),
        ("Parallels", "parallels"),
        ("BHYVE", "bhyve"),
        ("Virtual Machine", "microsoft"),
        ("Google Compute Engine", "google"),
        ("Apple Virtualization", "apple"),
    ]
    .into_iter()
    .find(|(mark, _)| dmi.contains(mark))
    .map(|(_, name)| name.to_owned())
}
