//! What a plan is made from: a workload, models of servers, a rate, and what there is of the machine.

use std::path::{Path, PathBuf};

use tlstax_doc::model::{Model, parse_model};
use tlstax_doc::plan::{Plan, Scenario};
use tlstax_doc::{Note, Workload, parse_workload, rfc3339};
use tlstax_measure::clock;
use tlstax_plan::{
    Burst, Capacity, Costs, Ground, Memory, Offered, Rate, Setup, Traffic, cpus, document, traffic,
};
use tlstax_traffic::by_hand;

use super::host;
use crate::cli::documents::tool;
use crate::failure::Usage;

/// What is planned for.
#[derive(Debug, Clone, clap::Args)]
pub struct Given {
    /// What servers are asked for: a file that `tlstax traffic` wrote, or some lines of TOML
    /// (docs/traffic-by-hand-short.toml).
    #[arg(long, short, value_name = "FILE")]
    pub workload: Option<PathBuf>,

    /// What each thing costs the server: a file that `tlstax calibrate` wrote. Given again for another library, for --what-if
    /// library=.
    #[arg(long, short, value_name = "FILE")]
    pub model: Vec<PathBuf>,

    /// Requests a second that are planned for: those of the busiest time, of the mean, or a number.
    #[arg(long, value_name = "N|busiest|mean", default_value = "busiest", value_parser = offered)]
    pub rate: Offered,

    #[command(flatten)]
    pub machine: Machine,
}

/// What there is of the machine.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Machine")]
pub struct Machine {
    /// CPUs that the server may use; those of the machine of the model if absent.
    #[arg(long, value_name = "N", value_parser = positive)]
    cpus: Option<f64>,

    /// The network in bits a second: 1G, 10G, 25G.
    #[arg(long, value_name = "RATE", value_parser = bits)]
    nic: Option<f64>,

    /// Memory for connections: 8G.
    #[arg(long, value_name = "SIZE", value_parser = size, requires = "connection_memory")]
    memory: Option<f64>,

    /// Memory that an idle connection takes, as idle connections of a study measure it: 40k.
    #[arg(long, value_name = "SIZE", value_parser = size, requires = "memory")]
    connection_memory: Option<f64>,

    /// Connections that are open at a time; new ones times --keep-alive if absent.
    #[arg(long, value_name = "N", value_parser = positive, requires = "memory")]
    concurrent: Option<f64>,

    /// Seconds for which the server keeps a connection without a request.
    #[arg(long, value_name = "SECONDS", default_value = "75", value_parser = positive)]
    keep_alive: f64,

    /// The share of each vCPU that a burstable machine may use for ever: 10%.
    #[arg(long, value_name = "PERCENT", value_parser = share, requires = "credits")]
    baseline: Option<f64>,

    /// Its credits: minutes of a whole vCPU.
    #[arg(long, value_name = "N", value_parser = positive, requires = "baseline")]
    credits: Option<f64>,

    /// The price of a vCPU hour, in any currency.
    #[arg(long, value_name = "PRICE", value_parser = positive)]
    price: Option<f64>,

    /// Watts that a busy core takes beyond an idle one: the machine itself does not tell.
    #[arg(long, value_name = "WATTS", value_parser = positive)]
    watts_per_core: Option<f64>,
}

/// What was given, read.
pub struct Ready {
    pub traffic: Traffic,
    pub models: Vec<Model>,
    capacity: Capacity,
}

impl Given {
    /// Reads all of it.
    ///
    /// # Errors
    /// Something is missing, cannot be read, or nothing can be planned for.
    pub fn read(&self) -> anyhow::Result<Ready> {
        let missing = |what: &str| Usage(format!("{what}: see tlstax plan --help"));
        let workload = self.workload.as_deref().ok_or_else(|| {
            missing(
                "what is to be planned for? --workload names a file of tlstax traffic, or some lines of TOML",
            )
        })?;
        if self.model.is_empty() {
            let what =
                "what does each thing cost the server? --model names a file that tlstax calibrate wrote";
            return Err(missing(what).into());
        }
        let workload = read_workload(workload)?;
        let models = self.model.iter().map(|path| Ok(parse_model(&tlstax_doc::read(path)?, path)?));
        let models = models.collect::<anyhow::Result<Vec<Model>>>()?;
        if let Some((at, _)) = models.iter().enumerate().find(|(_, model)| model.terms.is_empty()) {
            let what =
                format!("{}: the model has no costs: tlstax calibrate fits them", self.model[at].display());
            return Err(Usage(what).into());
        }
        let traffic = traffic(&workload, self.rate).map_err(|error| Usage(error.to_string()))?;
        let capacity = self.machine.capacity(&models[0]);
        Ok(Ready { traffic, models, capacity })
    }
}

impl Given {
    /// The workload as it stands in its file.
    ///
    /// # Errors
    /// None is named, or it cannot be read.
    pub fn workload(&self) -> anyhow::Result<Workload> {
        let missing =
            || Usage("what is to be offered? --workload names it: see tlstax plan --help".to_owned());
        read_workload(self.workload.as_deref().ok_or_else(missing)?)
    }

    /// The first model, that of the server which is planned for, with its file.
    ///
    /// # Errors
    /// None is named, or it cannot be read.
    pub fn server(&self) -> anyhow::Result<(&Path, Model)> {
        let missing = || Usage("which model? --model names it: see tlstax plan --help".to_owned());
        let path = self.model.first().ok_or_else(missing)?;
        Ok((path, parse_model(&tlstax_doc::read(path)?, path)?))
    }
}

impl Machine {
    fn capacity(&self, model: &Model) -> Capacity {
        let memory = self.memory.zip(self.connection_memory).map(|(bytes, per_connection)| Memory {
            bytes,
            per_connection,
            concurrent: self.concurrent,
            keep_alive_s: self.keep_alive,
        });
        let burst = self.baseline.zip(self.credits).map(|(baseline, credits)| Burst { baseline, credits });
        Capacity {
            cpus: self.cpus.unwrap_or_else(|| cpus(model)),
            nic: self.nic,
            memory,
            burst,
            price: self.price,
            watts_per_core: self.watts_per_core,
        }
    }
}

impl Ready {
    /// Makes the plan, with scenarios on its ground.
    ///
    /// # Errors
    /// Those of the scenarios.
    pub fn plan<E>(
        &self,
        scenarios: impl FnOnce(&Ground<'_>) -> Result<Vec<Scenario>, E>,
    ) -> Result<Plan, E> {
        let costs: Vec<Costs<'_>> = self.models.iter().map(Costs::of).collect();
        // There is at least one: it was read.
        let (first, others) = costs.split_first().unwrap_or_else(|| unreachable!("models were read"));
        let ground = Ground { traffic: &self.traffic, setup: Setup::of(first.model()), costs: first, others };
        let scenarios = scenarios(&ground)?;
        let mut plan = document(&ground, scenarios, &self.capacity, tool(), rfc3339(clock::wall()));
        let elsewhere: Vec<Note> = self.models.iter().filter_map(host::other_than_here).collect();
        plan.notes.splice(0..0, elsewhere);
        Ok(plan)
    }
}

/// Reads a workload: the JSON that `tlstax traffic` writes, or the TOML that a person does.
///
/// # Errors
/// It cannot be read, or is neither.
pub fn read_workload(path: &Path) -> anyhow::Result<Workload> {
    let text = tlstax_doc::read(path)?;
    if text.trim_start().starts_with('{') {
        return Ok(parse_workload(&text, path)?);
    }
    by_hand(&text, &path.display().to_string(), tool()).map_err(|error| Usage(error.to_string()).into())
}

fn offered(text: &str) -> Result<Offered, String> {
    match text {
        "busiest" => Ok(Offered::AsCounted(Rate::Busiest)),
        "mean" => Ok(Offered::AsCounted(Rate::Mean)),
        _ => positive(text).map(Offered::PerSecond).map_err(|error| format!("{error}, busiest or mean")),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1e12);
    number.ok_or_else(|| format!("'{text}' is out of range: write a number above 0"))
}

/// A share as 10% or 0.1.
fn share(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse::<f64>(),
    };
    let share = number.ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| format!("'{text}' is no share: write 10%, up to 100%"))
}

// Sizes are far below 2^52.
#[allow(clippy::cast_precision_loss)]
fn size(text: &str) -> Result<f64, String> {
    let size = tlstax_names::bytes(text).map_err(|error| error.to_string())?;
    if size == 0 { Err("a size of 0 is none".to_owned()) } else { Ok(size as f64) }
}

/// Bits a second, in thousands: 10G.
fn bits(text: &str) -> Result<f64, String> {
    let factors = [('k', 1e3), ('M', 1e6), ('G', 1e9), ('T', 1e12)];
    let factor =
        factors.into_iter().find(|(unit, _)| text.to_ascii_lowercase().ends_with(unit.to_ascii_lowercase()));
    let number = if factor.is_some() { &text[..text.len() - 1] } else { text };
    let bits = number.parse::<f64>().ok().map(|number| number * factor.map_or(1.0, |(_, factor)| factor));
    let bits = bits.filter(|bits| *bits > 0.0 && bits.is_finite());
    bits.ok_or_else(|| format!("'{text}' is no rate of a network: write bits a second, as 1G or 10G"))
}
