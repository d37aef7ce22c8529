//! One run of a client program: started, waited for, read.

use std::path::PathBuf;
use std::time::Duration;

use tlstax_measure::process::Launch;
use tlstax_measure::program::{self, Finished, ProgramError};
use tlstax_spec::{Bytes, Nanos, Sample, Stage};

use super::client::{Client, Order, Told};
use super::words::end;
use crate::refused::{Failure, Refused};
use crate::servers::program::{locate, printed};

/// A client program that is there.
#[derive(Debug, Clone)]
pub struct Program {
    /// What it is.
    pub client: &'static dyn Client,
    /// Where it is.
    pub path: PathBuf,
    /// Name and version, as it says itself.
    pub version: String,
    /// All that it prints of itself, version and options.
    says: String,
}

/// Where a client runs.
#[derive(Debug, Clone, Default)]
pub struct Seat {
    /// Its cores.
    pub cpus: Vec<usize>,
    /// Its control group.
    pub group: Option<PathBuf>,
}

impl Program {
    /// Looks for the program and asks it for its version.
    ///
    /// # Errors
    /// It is not there, or does not say; with how to get it.
    pub fn find(client: &'static dyn Client) -> Result<Self, String> {
        let path = locate(client.program()).ok_or_else(|| {
            let get = match client.packages() {
                [] => client.elsewhere().to_owned(),
                packages => format!("on Debian: apt-get install {}", packages.join(" ")),
            };
            format!("{} is not installed; {get}", client.program())
        })?;
        let mut says = printed(&path, client.version_arguments())?;
        let version = client.version(&says);
        let version =
            version.ok_or_else(|| format!("{} does not say its version: {says}", path.display()))?;
        if !client.help_arguments().is_empty() {
            says += &printed(&path, client.help_arguments())?;
        }
        Ok(Self { client, path, version, says })
    }

    /// Runs it once. The sample lacks the server's part.
    ///
    /// # Errors
    /// It cannot do the load, fails, hangs, or is not understood.
    pub fn run(&self, order: &Order<'_>, seat: &Seat) -> Result<Sample, Refused> {
        let lacks = self.client.lacks(order.load);
        if let Some(reason) = lacks.or_else(|| self.client.lacks_here(order.load, &self.says)) {
            return Err(Refused::Unsupported(reason));
        }
        let command = self.client.command(order, &self.says);
        let launch = Launch {
            program: self.path.clone(),
            arguments: command.arguments.into_iter().map(Into::into).collect(),
            environment: command
                .environment
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            cpus: seat.cpus.clone(),
            group: seat.group.clone(),
        };
        let patience = Duration::from_secs(15) + 20 * Duration::from_nanos(order.expected.0);
        let finished = program::run(&launch, patience).map_err(|error| refused(&error))?;
        let told =
            told(self.client, order, &finished).map_err(|message| failed(&message, &finished.stderr))?;
        Ok(sample(order, &finished, &told))
    }
}

/// Reads what a client said and holds it against what it was to do.
pub(super) fn told(client: &dyn Client, order: &Order<'_>, finished: &Finished) -> Result<Told, String> {
    let (id, load) = (client.id(), order.load);
    if !finished.status.success() {
        let said = if finished.stderr.is_empty() { &finished.stdout } else { &finished.stderr };
        return Err(format!("{id} failed ({}): {}", finished.status, end(said)));
    }
    let told = client.told(order, finished)?;
    if client.counts() && told.requests != order.requests {
        return Err(format!("{id} made {} of {} requests", told.requests, order.requests));
    }
    if told.requests == 0 {
        return Err(format!("{id} made no request"));
    }
    match told.bytes {
        Some(bytes) if Some(bytes) != told.requests.checked_mul(load.body.into()) => Err(format!(
            "{id} counts {bytes} bytes in the bodies of {} requests, each has {}",
            told.requests, load.body
        )),
        _ => Ok(told),
    }
}

fn sample(order: &Order<'_>, finished: &Finished, told: &Told) -> Sample {
    let bytes = told.bytes.unwrap_or(told.requests.saturating_mul(order.load.body.into()));
    Sample {
        iterations: told.requests,
        // A program that reports less than a clock tick has told nothing.
        wall: told.wall.filter(|wall| *wall > Nanos(0)).unwrap_or(finished.wall),
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

fn failed(message: &str, stderr: &str) -> Refused {
    Refused::Failed(Failure {
        stage: Stage::Run,
        message: message.to_owned(),
        stderr: stderr.to_owned(),
        lost: false,
    })
}
