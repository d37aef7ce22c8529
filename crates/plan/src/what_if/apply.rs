//! Traffic and set-up with changes, and what contradicts itself.

use tlstax_doc::model::Bounds;
use tlstax_spec::{Http, Params, Resumption, Version};

use super::change::Change;
use super::negotiation::changed;
use crate::demand::Demand;
use crate::work::Setup;
use crate::workload::Traffic;
use crate::workload::negotiated::{allows_http2, usual_way};

/// Why changes cannot be planned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoChange {
    #[error("{one} and {other} contradict each other: leave one of them out")]
    Twice { one: String, other: String },
    #[error("{one} and {other} contradict each other: {why}")]
    Contradiction { one: String, other: String, why: String },
    #[error("{change}: no connection of the workload can take it: {why}")]
    Nothing { change: String, why: String },
    #[error(
        "{change}: no model of that library is there: calibrate a server that uses it (tlstax calibrate) and give its model, too: \
         --model THIS --model OTHER; there {known}"
    )]
    NoModel { change: String, known: String },
    #[error(
        "{change}: several models are of such a library: {names}; write the one that is meant with its whole number"
    )]
    Several { change: String, names: String },
}

/// Traffic and set-up with changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    pub traffic: Traffic,
    pub setup: Setup,
    /// What could not be changed for all, in words.
    pub said: Vec<String>,
}

/// Makes changes.
///
/// # Errors
/// They contradict each other, or nothing can take one of them.
pub fn apply(traffic: &Traffic, setup: Setup, changes: &[Change]) -> Result<Changed, NoChange> {
    contradictions(changes)?;
    let mut all = Changed { traffic: traffic.clone(), setup, said: Vec::new() };
    let mut ordered: Vec<&Change> = changes.iter().collect();
    // Suites and groups depend on versions and keys, the resumed share on tickets.
    ordered.sort_by_key(|change| match change {
        Change::Version(_) => 0,
        Change::Cert(_) | Change::Tickets(_) => 1,
        // Whether they take HTTP/2 depends on suites.
        Change::Http(_) => 3,
        _ => 2,
    });
    ordered.into_iter().try_for_each(|change| all.make(change))?;
    Ok(all)
}

fn contradictions(changes: &[Change]) -> Result<(), NoChange> {
    for (at, one) in changes.iter().enumerate() {
        for other in &changes[at + 1..] {
            let names = || (one.to_string(), other.to_string());
            if one.name() == other.name() && one != other {
                let (one, other) = names();
                return Err(NoChange::Twice { one, other });
            }
            if let Some(why) = contradiction(one, other).or_else(|| contradiction(other, one)) {
                let (one, other) = names();
                return Err(NoChange::Contradiction { one, other, why });
            }
        }
    }
    Ok(())
}

fn contradiction(one: &Change, other: &Change) -> Option<String> {
    let why = match (one, other) {
        (Change::Tickets(false), Change::Resumed(share)) if *share > 0.0 => {
            "without tickets no session of TLS 1.3 is resumed; leave tickets=off out, or write resumed=0"
        }
        (Change::Suite(suite), Change::Version(version)) if !suite.exists_in(*version) => {
            "the version does not have the suite; tlstax suites lists those of each version"
        }
        (Change::Suite(suite), Change::Cert(key)) if !suite.fits(*key) => {
            "the suite authenticates by another kind of key; choose a suite of the key's kind"
        }
        (Change::Group(group), Change::Version(version))
            if group.is_post_quantum() && !version.is_tls13() =>
        {
            "post-quantum groups exist in TLS 1.3 only; write version=TLSv1.3"
        }
        (Change::Cert(key), Change::Version(version)) if key.is_post_quantum() && !version.is_tls13() => {
            "post-quantum keys exist in TLS 1.3 only; write version=TLSv1.3"
        }
        (Change::Suite(suite), Change::Group(group)) if !goes_with(*suite, *group) => {
            "the suite exchanges keys in another way; leave one of them out"
        }
        _ => return None,
    };
    Some(why.to_owned())
}

fn goes_with(suite: tlstax_spec::Suite, group: tlstax_spec::Group) -> bool {
    use tlstax_spec::Key;
    let coherent = |key| {
        let version = suite.version();
        Params { version, suite, group: Some(group), key }.is_coherent()
    };
    [Key::Rsa2048, Key::EcdsaP256].into_iter().any(coherent)
}

impl Changed {
    fn make(&mut self, change: &Change) -> Result<(), NoChange> {
        match *change {
            Change::Record(record) => self.setup.record = record,
            Change::Sendfile(is_on) => self.setup.sendfile = is_on,
            Change::Http(http) => self.speak(http, change)?,
            Change::RequestsPerConnection(requests) => {
                self.all(|demand| demand.connections = Bounds::exact(demand.requests / requests));
            }
            // Another model says what it costs.
            Change::Library(_) => {}
            Change::Tickets(_) | Change::Resumed(_) => self.resume(change)?,
            Change::Cert(_) | Change::Suite(_) | Change::Group(_) | Change::Version(_) => {
                self.negotiate(change)?;
            }
        }
        Ok(())
    }

    fn all(&mut self, change: impl Fn(&mut Demand)) {
        self.traffic.kinds.iter_mut().for_each(|asked| change(&mut asked.demand));
    }

    fn resume(&mut self, change: &Change) -> Result<(), NoChange> {
        let likely = self.likely_share();
        let mut is_open = false;
        let mut tls = 0;
        for demand in self.traffic.kinds.iter_mut().map(|asked| &mut asked.demand) {
            let Some(params) = demand.tls else { continue };
            tls += 1;
            match *change {
                Change::Resumed(share) => demand.resume(params.version, Bounds::exact(share)),
                Change::Tickets(true) if demand.resumption == Resumption::SessionId => {
                    demand.resumption = Resumption::Ticket;
                }
                Change::Tickets(true) if demand.resumed.high <= 0.0 => {
                    is_open |= likely.low < likely.high;
                    demand.resume(params.version, likely);
                }
                Change::Tickets(false) if demand.resumption != Resumption::SessionId => {
                    demand.resumption = Resumption::Full;
                    demand.resumed = Bounds::default();
                }
                _ => {}
            }
        }
        if is_open {
            let what = "how many connections would resume is not known: half was taken, between none and all; resumed=80% says how many";
            self.said.push(what.to_owned());
        }
        self.takes(change, tls > 0, "none of its connections has TLS")
    }

    /// The share that resumes where tickets are there already; anything where they are nowhere.
    fn likely_share(&self) -> Bounds {
        let resuming = || {
            self.traffic.kinds.iter().map(|asked| &asked.demand).filter(|demand| demand.resumed.value > 0.0)
        };
        let connections: f64 = resuming().map(|demand| demand.connections.value).sum();
        if connections <= 0.0 {
            return Bounds { value: 0.5, low: 0.0, high: 1.0 };
        }
        let mean = |of: fn(&Bounds) -> f64| -> f64 {
            resuming().map(|demand| of(&demand.resumed) * demand.connections.value).sum::<f64>() / connections
        };
        Bounds {
            value: mean(|share| share.value),
            low: mean(|share| share.low),
            high: mean(|share| share.high),
        }
    }

    /// Without TLS no browser speaks HTTP/2.
    fn speak(&mut self, http: Http, change: &Change) -> Result<(), NoChange> {
        let (mut taken, mut left) = (0, 0.0);
        for demand in self.traffic.kinds.iter_mut().map(|asked| &mut asked.demand) {
            let can = demand.http == http || http == Http::Http1 || demand.tls.is_some_and(allows_http2);
            if can {
                taken += 1;
                demand.http = http;
            } else {
                left += demand.connections.value;
            }
        }
        self.takes(change, taken > 0, "HTTP/2 needs TLS, and forbids CBC and RSA key transport")?;
        self.say_left(change, left);
        Ok(())
    }

    fn negotiate(&mut self, change: &Change) -> Result<(), NoChange> {
        let (mut taken, mut left) = (0, 0.0);
        for asked in &mut self.traffic.kinds {
            let demand = &mut asked.demand;
            let Some(params) = demand.tls else { continue };
            let Some(new) = changed(params, change) else {
                left += demand.connections.value;
                continue;
            };
            taken += 1;
            asked.stands_in &= new.suite == params.suite;
            demand.tls = Some(new);
            if new.version.is_tls13() != params.version.is_tls13() && demand.resumption != Resumption::Full {
                demand.resumption = usual_way(new.version);
            }
        }
        self.takes(change, taken > 0, "version, suite, group and key do not go together, or it has no TLS")?;
        self.say_left(change, left);
        Ok(())
    }

    fn say_left(&mut self, change: &Change, left: f64) {
        if left > 0.0 {
            let all: f64 = self.traffic.kinds.iter().map(|asked| asked.demand.connections.value).sum();
            self.said.push(format!(
                "{change}: {:.1} % of connections cannot take it and stay as they are",
                left / all * 100.0
            ));
        }
    }

    fn takes(&self, change: &Change, is_taken: bool, why: &str) -> Result<(), NoChange> {
        let nothing = || NoChange::Nothing { change: change.to_string(), why: why.to_owned() };
        is_taken.then_some(()).ok_or_else(nothing)
    }
}

impl Demand {
    /// Makes so many resume, in the usual way where none does yet.
    fn resume(&mut self, version: Version, share: Bounds) {
        if self.resumption == Resumption::Full {
            self.resumption = usual_way(version);
        }
        self.resumed = share;
    }
}
