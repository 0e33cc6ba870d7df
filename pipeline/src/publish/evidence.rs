//! A candidate's records, profiles and KAT logs, with what the store's records leave out.

use super::PublishError;
use super::builds::{entry, facts, held, json};
use super::campaign_file::{Circumstances, Look};
use super::writer::Writer;
use crate::campaign::{Campaign, CandidateReceipt, Done};
use crate::plan::Step;
use artifacts::ArtifactId;
use artifacts::records::{
    BuildFile, InstanceFacts, ProfileRecord, Provenance, TimingRecord, profile_path, record_path,
};
use artifacts::words::{Label, Operation};
use contract::parameters::TimeParameters;

/// Writes all that the page of a candidate shows.
pub fn write(
    campaign: &Campaign<'_>,
    page: &CandidateReceipt,
    builds: &mut BuildFile,
    circumstances: &mut Circumstances,
    writer: &mut Writer,
) -> Result<(), PublishError> {
    for instance in &page.page.instances {
        let entry = entry(campaign, page, instance, writer)?;
        let mut filing = Filing {
            campaign,
            page,
            label: &instance.label,
            facts: facts(&entry, instance.verdict),
            circumstances,
            writer,
        };
        for (operation, record) in page.records("timing", &instance.label) {
            filing.timing(&operation, record)?;
        }
        for (operation, record) in page.records("profile", &instance.label) {
            filing.profile(&operation, record)?;
        }
        let name = format!("{}/{}", entry.candidate, entry.label);
        builds.instances.insert(name, entry);
    }
    Ok(())
}

struct Filing<'a, 'w> {
    campaign: &'a Campaign<'a>,
    page: &'a CandidateReceipt,
    label: &'a Label,
    facts: InstanceFacts,
    circumstances: &'w mut Circumstances,
    writer: &'w mut Writer,
}

impl Filing<'_, '_> {
    fn timing(&mut self, operation: &Operation, id: ArtifactId) -> Result<(), PublishError> {
        let path = record_path(&self.page.page.candidate, self.label, operation);
        let done = self.measured_by("timing", operation, Step::Time)?;
        let record: TimingRecord = json(self.campaign.store(), id, &path)?;
        let asked: TimeParameters = done.parameters()?;
        let command = record.processes.first().map(|process| &process.command);
        self.circumstances.note(Look {
            phase: "measure",
            done: &done,
            problems: &record.host_problems,
            command: command.map(Vec::as_slice).unwrap_or_default(),
        });
        self.circumstances
            .note_environment(&done, &record.environment);
        self.circumstances.note_planning(&asked.planning);
        let from = Provenance {
            artifact: id,
            receipt: done.id,
        };
        self.writer
            .put_json(&path, &record.published(&self.facts, from))
    }

    fn profile(&mut self, operation: &Operation, id: ArtifactId) -> Result<(), PublishError> {
        let path = profile_path(&self.page.page.candidate, self.label, operation);
        let done = self.measured_by("profile", operation, Step::Profile)?;
        let record: ProfileRecord = json(self.campaign.store(), id, &path)?;
        self.circumstances.note(Look {
            phase: "profile",
            done: &done,
            problems: &record.host_problems,
            command: &record.command,
        });
        let from = Provenance {
            artifact: id,
            receipt: done.id,
        };
        self.writer
            .put_json(&path, &record.published(&self.facts, from))
    }

    fn measured_by(
        &self,
        role: &str,
        operation: &Operation,
        step: Step,
    ) -> Result<Done, PublishError> {
        let candidate = &self.page.page.candidate;
        let done = self
            .campaign
            .instance_step(candidate, self.label, Some(operation), step)?;
        let name = format!("{}/{operation}", self.label);
        let done = held(self.page, done, role, &name, "record")?;
        done.ok_or_else(|| PublishError::Stale {
            candidate: candidate.clone(),
            what: format!("{role} of {name}"),
        })
    }
}
