//! A candidate's page and the page of its cells, from the receipts' artifacts.

use super::host;
use super::{PageSummary, RenderError, SUMMARY, template};
use crate::build::{BUILD_REPORT, BuildReport};
use crate::kat::{KAT_REPORT, KatReport};
use crate::size_audit::{SIZE_AUDIT, SizeAudit};
use artifacts::records::{TimingRecord, kat_log_path, profile_path, record_path};
use artifacts::store::Store;
use artifacts::words::{Label, Operation};
use artifacts::{ArtifactId, CandidateId};
use contract::Request;
use contract::parameters::{CandidatePage, PageInstance, Role};
use reports::evidence::{
    ApiSizes, CuratedSizes, Evidence, Filed, InstanceEvidence, KatAction, KatLogFile, KatNote,
    Survey,
};
use reports::site::{IndexRow, SizeRow, YardstickRow, cells_page};
use reports::{Origin, Page, cells, html, markdown};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Renders the page, its cells, and what the index needs.
pub fn render(
    request: &Request,
    store: &Store,
    asked: &CandidatePage,
) -> Result<BTreeMap<String, ArtifactId>, RenderError> {
    let evidence = evidence(request, store, asked)?;
    let page = Page::from_evidence(&evidence);
    let values = cells(&page, &evidence);
    let cells_document = cells_page(&page, &values);
    let control = asked.role == Role::Control;
    let summary = PageSummary {
        header: SUMMARY.header(),
        row: IndexRow::of(&page, asked.kind, control),
        yardstick: if control {
            YardstickRow::of(&page)
        } else {
            Vec::new()
        },
        sizes: sizes(request, store, asked)?,
    };
    let mut outputs = BTreeMap::new();
    let mut put = |role: &str, text: &str| -> Result<(), RenderError> {
        outputs.insert(role.to_owned(), store.put_bytes(text.as_bytes())?);
        Ok(())
    };
    put("page.md", &markdown::page(&page).map_err(template)?)?;
    put("page.html", &html::page(&page).map_err(template)?)?;
    put(
        "cells.md",
        &markdown::write(&cells_document).map_err(template)?,
    )?;
    put(
        "cells.html",
        &html::write(&cells_document).map_err(template)?,
    )?;
    outputs.insert("cells".to_owned(), store.put_json(&values)?);
    outputs.insert("summary".to_owned(), store.put_json(&summary)?);
    Ok(outputs)
}

fn evidence(
    request: &Request,
    store: &Store,
    asked: &CandidatePage,
) -> Result<Evidence, RenderError> {
    let mut instances = Vec::new();
    for instance in &asked.instances {
        instances.push(instance_evidence(request, store, asked, instance)?);
    }
    let host = host::table(asked, &instances);
    let records: Vec<&TimingRecord> = instances
        .iter()
        .flat_map(|i| i.timings.values().map(|filed| &filed.content))
        .collect();
    let started_utc = records
        .iter()
        .filter_map(|record| record.started_utc.clone())
        .min();
    let ended_utc = records
        .iter()
        .filter_map(|record| record.ended_utc.clone())
        .max();
    let problems: BTreeSet<&String> = records.iter().flat_map(|r| &r.host_problems).collect();
    Ok(Evidence {
        origin: Origin::Own,
        system: request.subject.system.clone(),
        systems: vec![request.subject.system.clone()],
        architecture: asked.architecture.clone(),
        candidate: asked.candidate.clone(),
        name: asked.name.clone(),
        kind: asked.kind,
        control: asked.role == Role::Control,
        variants: asked.variants.clone(),
        sources: asked.sources.clone(),
        environment: host,
        started_utc,
        ended_utc,
        host_problems: problems.into_iter().cloned().collect(),
        instances,
        kat_notes: asked
            .notes
            .iter()
            .map(|note| KatNote {
                instances: note.instances.clone(),
                action: match note.action.as_str() {
                    "exclude" => KatAction::Exclude,
                    _ => KatAction::Measure,
                },
                cause: note.cause.clone(),
            })
            .collect(),
        survey: asked.survey.first().map(|verdict| Survey {
            verdict: verdict.clone(),
            note: asked.survey.get(1).cloned(),
        }),
    })
}

fn instance_evidence(
    request: &Request,
    store: &Store,
    asked: &CandidatePage,
    instance: &PageInstance,
) -> Result<InstanceEvidence, RenderError> {
    let label = &instance.label;
    let optional = |prefix: &str| request.input(&format!("{prefix}:{label}")).ok();
    let kat: Option<KatReport> = optional("kat")
        .map(|id| store.get_json(id, KAT_REPORT))
        .transpose()?;
    let build: Option<BuildReport> = optional("build")
        .map(|id| store.get_json(id, BUILD_REPORT))
        .transpose()?;
    let kat_log = match optional("log") {
        None => None,
        Some(id) => Some(KatLogFile {
            path: kat_log_path(&asked.candidate, label),
            sha256: hex(&Sha256::digest(store.get(id)?)),
        }),
    };
    let curated = |object: &str| instance.curated.get(object).copied();
    Ok(InstanceEvidence {
        label: label.clone(),
        flags: instance.flags,
        verdict: instance.verdict,
        kat_log,
        elf_load_bytes: build.map(|b| b.elf_load_bytes),
        library: instance.library,
        api: kat
            .filter(|kat| !kat.sizes.is_empty())
            .map(|kat| api_sizes(&kat)),
        curated: CuratedSizes {
            public_key: curated("pk"),
            ciphertext: curated("ct"),
            signature: curated("sn"),
        },
        timings: records(request, store, "timing", label, |operation| {
            record_path(&asked.candidate, label, operation)
        })?,
        profiles: records(request, store, "profile", label, |operation| {
            profile_path(&asked.candidate, label, operation)
        })?,
    })
}

fn api_sizes(kat: &KatReport) -> ApiSizes {
    let size = |object: &str| kat.sizes.get(object).copied();
    ApiSizes {
        public_key: size("pk"),
        secret_key: size("sk"),
        ciphertext: size("ct"),
        shared_secret: size("ss"),
        signature: size("sn"),
        ..ApiSizes::default()
    }
}

/// The records of one instance whose role is `<prefix>:<label>/<operation>`.
fn records<T: DeserializeOwned>(
    request: &Request,
    store: &Store,
    prefix: &str,
    label: &Label,
    path: impl Fn(&Operation) -> String,
) -> Result<BTreeMap<Operation, Filed<T>>, RenderError> {
    let mut records = BTreeMap::new();
    for (name, id) in request.inputs_of(prefix) {
        let Some((of, operation)) = name.rsplit_once('/') else {
            continue;
        };
        if of != label.as_str() {
            continue;
        }
        let role = format!("{prefix}:{name}");
        let operation: Operation = operation.parse().map_err(|source| RenderError::Role {
            role: role.clone(),
            source,
        })?;
        let content = serde_json::from_slice(&store.get(id)?)
            .map_err(|source| RenderError::Record { role, source })?;
        let filed = Filed {
            path: path(&operation),
            id: Some(id),
            content,
        };
        records.insert(operation, filed);
    }
    Ok(records)
}

fn sizes(
    request: &Request,
    store: &Store,
    asked: &CandidatePage,
) -> Result<Vec<SizeRow>, RenderError> {
    let mut rows = Vec::new();
    for instance in &asked.instances {
        let Ok(id) = request.input(&format!("sizes:{}", instance.label)) else {
            continue;
        };
        let audit: SizeAudit = store.get_json(id, SIZE_AUDIT)?;
        rows.extend(
            audit
                .rows
                .into_iter()
                .map(|row| row.on_page(&asked.candidate, &instance.label)),
        );
    }
    Ok(rows)
}

impl crate::size_audit::SizeRow {
    fn on_page(self, candidate: &CandidateId, instance: &Label) -> SizeRow {
        SizeRow {
            candidate: candidate.clone(),
            instance: instance.clone(),
            what: match self.object.as_str() {
                "pk" => "public key",
                "sk" => "secret key",
                "ct" => "ciphertext",
                "ss" => "shared secret",
                "sn" => "signature",
                other => other,
            }
            .to_owned(),
            declared: self.declared,
            returned: self.returned,
            curated: self.curated,
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
