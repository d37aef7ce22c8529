//! One run of a client program: started, waited for, read.

use std::path::PathBuf;
use std::time::Duration;

use tlstax_measure::process::Launch;
use tlstax_measure::program::{self, Finished, ProgramError};
use tlstax_spec::{Bytes, Nanos, Sample, Stage};

use super::client::{Client, Order, Summary};
use super::parse::end;
use crate::product::printed;
use crate::refused::Refused;

#[derive(Debug, Clone)]
pub struct Program {
    pub client: &'static Client,
    pub path: PathBuf,
    /// Name and version, as it prints them.
    pub version: String,
    /// Its version and its options, as it prints them.
    help: String,
}

impl Program {
    /// Looks for the program and asks it for its version.
    ///
    /// # Errors
    /// It is not there, or does not say; with how to get it.
    pub fn find(client: &'static Client) -> Result<Self, String> {
        let (path, version, mut help) = client.product.find()?;
        if !client.help_arguments.is_empty() {
            help += &printed(&path, client.help_arguments)?;
        }
        Ok(Self { client, path, version, help })
    }

    /// Runs it once on these cores, in this control group, and tells its process id when it has one. The sample lacks the server's
    /// part.
    ///
    /// # Errors
    /// It cannot do the load, fails, hangs, or is not understood.
    pub fn run(
        &self,
        order: &Order<'_>,
        cpus: Vec<usize>,
        group: Option<PathBuf>,
        started: impl FnOnce(u32),
    ) -> Result<Sample, Refused> {
        let lacks = (self.client.lacks)(order.load);
        if let Some(reason) = lacks.or_else(|| (self.client.lacks_here)(order.load, &self.help)) {
            return Err(Refused::Unsupported(reason));
        }
        let command = (self.client.command)(order, &self.help);
        let launch = Launch {
            program: self.path.clone(),
            arguments: command.arguments.into_iter().map(Into::into).collect(),
            environment: command
                .environment
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            cpus,
            group,
            is_repeatable: false,
        };
        let patience = Duration::from_secs(15) + 20 * Duration::from_nanos(order.expected.0);
        let finished = program::run_watched(&launch, patience, started).map_err(|error| refused(&error))?;
        let summary = checked_summary(self.client, order, &finished)
            .map_err(|message| Refused::failed(Stage::Run, message).with_output(finished.stderr.clone()))?;
        Ok(sample(order, &finished, &summary))
    }
}

/// Reads a client's output and holds it against its order.
pub(super) fn checked_summary(
    client: &Client,
    order: &Order<'_>,
    finished: &Finished,
) -> Result<Summary, String> {
    let (id, load) = (client.id(), order.load);
    if !finished.status.success() {
        let output = if finished.stderr.is_empty() { &finished.stdout } else { &finished.stderr };
        return Err(format!("{id} failed ({}): {}", finished.status, end(output)));
    }
    let summary = (client.summary)(order, finished)?;
    if client.counts && summary.requests != order.requests {
        return Err(format!("{id} made {} of {} requests", summary.requests, order.requests));
    }
    if summary.requests == 0 {
        return Err(format!("{id} made no request"));
    }
    match summary.bytes {
        Some(bytes) if Some(bytes) != summary.requests.checked_mul(load.body.into()) => Err(format!(
            "{id} counts {bytes} bytes in the bodies of {} requests, each has {}",
            summary.requests, load.body
        )),
        _ => Ok(summary),
    }
}

fn sample(order: &Order<'_>, finished: &Finished, summary: &Summary) -> Sample {
    let bytes = summary.bytes.unwrap_or(summary.requests.saturating_mul(order.load.body.into()));
    Sample {
        iterations: summary.requests,
        // A program that reports less than a clock tick has measured nothing.
        wall: summary.wall.filter(|wall| *wall > Nanos(0)).unwrap_or(finished.wall),
        cpu: finished.cpu,
        bytes: Bytes(bytes),
        client: Some(finished.cpu),
        ..Sample::default()
    }
}

fn refused(error: &ProgramError) -> Refused {
    match error {
        ProgramError::Interrupted => Refused::Interrupted,
        other => Refused::failed(Stage::Run, other.to_string()),
    }
}
