//! What a prediction takes of a machine, which of it is used up first, and what it costs in money and energy.

use tlstax_doc::model::Bounds;
use tlstax_doc::plan::{Prediction, Resource};

use crate::wire::packets_sent;
use crate::work::Setup;
use crate::workload::Traffic;

/// What there is, as far as it is known.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Capacity {
    /// CPUs' worth of time in a second.
    pub cpus: f64,
    /// Bits a second of the network.
    pub nic: Option<f64>,
    pub memory: Option<Memory>,
    pub burst: Option<Burst>,
    /// Of a vCPU hour.
    pub price: Option<f64>,
    /// Of a core that is busy, beyond one that is not.
    pub watts_per_core: Option<f64>,
}

/// Memory for connections.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    pub bytes: f64,
    /// Bytes that an idle connection takes.
    pub per_connection: f64,
    /// Connections that are open at a time; new ones times how long each is kept where nobody says.
    pub concurrent: Option<f64>,
    /// Seconds for which a connection is kept without a request.
    pub keep_alive_s: f64,
}

/// A virtual machine that may use more than its share for as long as it has credits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Burst {
    /// The share of each vCPU that it may use for ever, 0 to 1.
    pub baseline: f64,
    /// Minutes of a whole vCPU, as AWS counts them.
    pub credits: f64,
}

/// Bytes on the line that a packet has more than TCP's payload: Ethernet with preamble and gap 38, IPv4 20, TCP with timestamps
/// (RFC 7323) 32.
const HEADERS: f64 = 90.0;

/// What a prediction takes: the first to be used up first.
pub fn resources(traffic: &Traffic, setup: Setup, now: &Prediction, capacity: &Capacity) -> Vec<Resource> {
    let mut resources = vec![cpu(now, capacity.cpus)];
    resources.extend(capacity.nic.map(|nic| network(now, packets_sent(traffic, setup), nic)));
    resources.extend(capacity.memory.map(|there| memory(traffic, there)));
    resources.extend(capacity.burst.map(|burst| credits(now, burst, capacity.cpus)));
    resources.sort_by(|one, other| one.times.total_cmp(&other.times));
    resources
}

fn resource(what: &str, used: Bounds, available: f64, unit: &str, said: String) -> Resource {
    // What takes nothing is held any number of times; JSON has no infinity.
    let times = if used.value > 0.0 { (available / used.value).min(f64::MAX) } else { f64::MAX };
    Resource { what: what.to_owned(), used, available, unit: unit.to_owned(), times, said }
}

fn cpu(now: &Prediction, cpus: f64) -> Resource {
    let said = "above 70 to 80 % of it requests wait for each other; costs grow with more threads than were measured".to_owned();
    resource("cpu", now.cores, cpus, "cores", said)
}

fn network(now: &Prediction, packets: f64, nic: f64) -> Resource {
    let used = Bounds::exact((now.wire_bytes + packets * HEADERS) * 8.0);
    let said = "what the server sends, in packets of 1500 bytes over IPv4".to_owned();
    resource("network", used, nic, "bit/s", said)
}

fn memory(traffic: &Traffic, there: Memory) -> Resource {
    let Memory { bytes, per_connection, concurrent, keep_alive_s } = there;
    let (open, said) = match concurrent {
        Some(open) => (Bounds::exact(open), format!("{open:.0} connections open at a time")),
        None => {
            let new = traffic.connections();
            (
                new.scaled(keep_alive_s),
                format!(
                    "new connections, each for {keep_alive_s:.0} s after its last request; while in use they are open longer"
                ),
            )
        }
    };
    resource("memory", open.scaled(per_connection), bytes, "bytes", said)
}

fn credits(now: &Prediction, burst: Burst, cpus: f64) -> Resource {
    let baseline = burst.baseline * cpus;
    let minutes = |cores: f64| {
        let over = cores.min(cpus) - baseline;
        (over > 0.0).then(|| burst.credits / over)
    };
    let said = match (minutes(now.cores.value), minutes(now.cores.high)) {
        (Some(likely), Some(soonest)) => format!(
            "credits last {} (not less than {}), then {baseline:.2} cores are left",
            duration(likely),
            duration(soonest)
        ),
        (None, Some(soonest)) => {
            format!("below the baseline, but perhaps not: then credits last {}", duration(soonest))
        }
        _ => "below the baseline: credits are not used up".to_owned(),
    };
    resource("credits", now.cores, baseline, "cores", said)
}

/// Minutes as 3 h 20 min.
fn duration(minutes: f64) -> String {
    match minutes {
        minutes if minutes < 60.0 => format!("{minutes:.0} min"),
        minutes if minutes < 48.0 * 60.0 => {
            format!("{:.0} h {:.0} min", (minutes / 60.0).floor(), minutes % 60.0)
        }
        minutes => format!("{:.0} days", minutes / 1_440.0),
    }
}

/// What CPU time costs in money and energy, a sentence each.
pub fn spending(traffic: &Traffic, now: &Prediction, capacity: &Capacity) -> Vec<String> {
    let requests: f64 = traffic.kinds.iter().map(|asked| asked.demand.requests).sum();
    let bytes: f64 = traffic.kinds.iter().map(|asked| asked.demand.bytes()).sum();
    // Seconds of CPU time.
    let of = |factor: f64| {
        let per = |seconds_for: f64| now.cores.scaled(seconds_for * factor);
        let [million, terabyte] = [1e6 / requests, if bytes > 0.0 { 1e12 / bytes } else { 0.0 }].map(per);
        let shown = |Bounds { value, low, high }: Bounds| {
            format!("{} [{} - {}]", digits(value), digits(low), digits(high))
        };
        (shown(million), shown(terabyte))
    };
    let mut said = Vec::new();
    if let Some(price) = capacity.price {
        let (million, terabyte) = of(price / 3_600.0);
        said.push(format!(
            "money, at {price} a vCPU hour: {million} for a million requests, {terabyte} for 1 TB of bodies"
        ));
    }
    if let Some(watts) = capacity.watts_per_core {
        let (million, terabyte) = of(watts / 3_600.0);
        said.push(format!(
            "energy, at {watts} W for a busy core (as given; this machine does not tell): {million} Wh for a million requests, {terabyte} Wh for 1 TB of bodies"
        ));
    }
    said
}

/// With three digits that count.
pub(crate) fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let places = 2.0 - value.abs().log10().floor();
    // A few places at most.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let places = places.clamp(0.0, 12.0) as usize;
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cores: f64) -> Prediction {
        Prediction {
            cores: Bounds::exact(cores),
            parts: Vec::new(),
            suites: Vec::new(),
            keys: Vec::new(),
            resumption: Vec::new(),
            rows: Vec::new(),
            missing: Vec::new(),
            work: Vec::new(),
            full: Vec::new(),
            resumed: Vec::new(),
            costs: Vec::new(),
            if_full: Bounds::default(),
            if_resumed: Bounds::default(),
            resumed_share: 0.0,
            wire_bytes: 1e8,
        }
    }

    #[test]
    fn the_first_to_be_used_up_is_first() {
        let burst = Some(Burst { baseline: 0.1, credits: 144.0 });
        let capacity = Capacity { cpus: 2.0, nic: Some(1e9), burst, ..Capacity::default() };
        let resources = resources(&Traffic::default(), Setup::default(), &of(1.0), &capacity);
        let names: Vec<&str> = resources.iter().map(|one| one.what.as_str()).collect();
        assert_eq!(names, ["credits", "network", "cpu"]);
        // 144 credits, and 0.8 of a vCPU more than the baseline of 0.2: 180 minutes.
        assert!(resources[0].said.contains("3 h 0 min"), "{}", resources[0].said);
        assert!((resources[2].times - 2.0).abs() < 1e-9);
    }

    #[test]
    fn figures_have_three_digits() {
        assert_eq!([0.012_345, 1.5, 1234.5, 0.0].map(digits), ["0.0123", "1.50", "1234", "0"]);
    }
}
