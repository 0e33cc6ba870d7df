//! The environment table, from what the records say of the machine that measured them.

use contract::parameters::CandidatePage;
use reports::evidence::{HostTable, InstanceEvidence};
use systems::Environment;

/// The environment as recorded on the system's measuring core, else on any; without records, this
/// machine's.
pub fn table(asked: &CandidatePage, instances: &[InstanceEvidence]) -> HostTable {
    let recorded = || {
        instances
            .iter()
            .flat_map(|i| i.timings.values())
            .filter_map(|filed| {
                let fields = serde_json::Value::Object(filed.content.environment.clone());
                serde_json::from_value::<Environment>(fields).ok()
            })
    };
    let environment = recorded()
        .find(|environment| environment.cpu_number == Some(asked.measuring_core))
        .or_else(|| recorded().next());
    match environment {
        Some(environment) => HostTable {
            clock: environment.clock_line(),
            cpu_model: environment.cpu_model.unwrap_or_default(),
            cpu_number: environment.cpu_number.map(u64::from),
            machine: environment.machine,
            memory_kib: environment.memory_total_kib,
            os: environment.os.unwrap_or_default(),
            kernel: environment.kernel.unwrap_or_default(),
            compiler: asked.compiler.clone(),
            build_tool: asked.build_tool.clone(),
        },
        None => {
            let fact = |name: &str| asked.host.get(name).cloned();
            let number = |name: &str| fact(name).and_then(|text| text.parse().ok());
            HostTable {
                cpu_model: fact("cpu_model").unwrap_or_default(),
                cpu_number: number("cpu_number"),
                machine: fact("machine"),
                clock: fact("clock").unwrap_or_default(),
                memory_kib: number("memory_kib"),
                os: fact("os").unwrap_or_default(),
                kernel: fact("kernel").unwrap_or_default(),
                compiler: asked.compiler.clone(),
                build_tool: asked.build_tool.clone(),
            }
        }
    }
}
