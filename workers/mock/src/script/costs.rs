//! What a batch costs by the script.

use tlstax_spec::{Bytes, Case, Cpu, Nanos, Parts, Sample, Workload};

use super::format::{Cost, Script};
use super::recording::Factor;

/// A batch of a case as the machine finds it.
pub struct Round<'f> {
    /// Iterations on each thread.
    pub iterations: u64,
    /// How many batches of the case came before it in this process.
    pub earlier: u32,
    /// By how much the machine is slower than a quiet one, in each part of the batch.
    pub factors: &'f [Factor],
    /// Whether the parts are told, or only the whole.
    pub in_parts: bool,
}

/// What a batch takes.
pub fn sample(script: &Script, case: &Case, round: &Round<'_>) -> Sample {
    let id = case.id();
    let slowdown: f64 = script
        .slowdowns
        .iter()
        .filter(|rule| rule.case.fits(&id) && rule.batches.is_none_or(|batches| round.earlier < batches))
        .map(|rule| rule.factor)
        .product();
    let batch = Batch { round, slowdown, per_thread: round.iterations, threads: u64::from(case.threads) };
    let cost = script.costs.iter().find(|cost| cost.case.fits(&id)).cloned().unwrap_or_default();
    match &case.workload {
        Workload::Primitive(primitive) => batch.one_sided(&cost, u64::from(primitive.size)),
        Workload::Handshake(_) | Workload::Load(_) => batch.two_sided(&cost, 0),
        Workload::Bulk(bulk) => batch.two_sided(&cost, u64::from(bulk.buffer)),
        Workload::Idle(idle) => {
            let connections = Batch { per_thread: round.iterations * u64::from(idle.connections), ..batch };
            Sample { bytes: Bytes(connections.iterations() * cost.memory), ..connections.one_sided(&cost, 0) }
        }
    }
}

/// By how much the cost of a case differs from batch to batch: the largest that fits.
pub fn jitter(script: &Script, case: &Case) -> f64 {
    let id = case.id();
    script.slowdowns.iter().filter(|rule| rule.case.fits(&id)).map(|rule| rule.jitter).fold(0.0, f64::max)
}

#[derive(Clone, Copy)]
struct Batch<'r> {
    round: &'r Round<'r>,
    slowdown: f64,
    per_thread: u64,
    threads: u64,
}

impl Batch<'_> {
    fn iterations(self) -> u64 {
        self.per_thread * self.threads
    }

    fn one_sided(self, cost: &Cost, bytes: u64) -> Sample {
        let each = cost.ns + cost.ns_per_byte * bytes as f64;
        let whole = self.parts(each);
        let wall = whole.iter().copied().sum();
        Sample {
            parts: self.told(Parts { whole, ..Parts::default() }),
            ..self.sample(wall, self.cpu(each), bytes)
        }
    }

    fn two_sided(self, cost: &Cost, bytes: u64) -> Sample {
        let sides = [cost.client_ns, cost.server_ns].map(|ns| ns + cost.ns_per_byte * bytes as f64);
        let [client, server] = sides.map(|each| self.parts(each));
        // As in a worker, which tells the sides of one thread apart by elapsed time.
        let [client_wall, server_wall] = [&client, &server].map(|parts| parts.iter().copied().sum::<Nanos>());
        let side = |total| Some(Cpu { total, ..Cpu::default() });
        let cpu = sides.into_iter().map(|each| self.cpu(each)).sum();
        Sample {
            client: side(client_wall),
            server: side(server_wall),
            parts: self.told(Parts { client, server, ..Parts::default() }),
            ..self.sample(client_wall + server_wall, cpu, bytes)
        }
    }

    /// What each part takes where one iteration takes so many nanoseconds on a quiet machine.
    fn parts(self, each: f64) -> Vec<Nanos> {
        self.by_part(each, |factor| factor.wall).collect()
    }

    fn cpu(self, each: f64) -> Nanos {
        self.by_part(each, |factor| factor.cpu).sum()
    }

    fn by_part(self, each: f64, of: fn(&Factor) -> f64) -> impl Iterator<Item = Nanos> {
        let factors = self.round.factors;
        let iterations = self.iterations() as f64 / factors.len().max(1) as f64;
        factors
            .iter()
            .map(move |factor| Nanos((each * of(factor) * self.slowdown * iterations).round() as u64))
    }

    fn told(self, parts: Parts) -> Parts {
        if self.round.in_parts && self.threads == 1 { parts } else { Parts::default() }
    }

    /// Threads never wait for each other on this machine: each takes its share of the elapsed time of all.
    fn sample(self, wall: Nanos, cpu: Nanos, bytes: u64) -> Sample {
        Sample {
            iterations: self.iterations(),
            wall: Nanos((wall.0 / self.threads.max(1)).max(1)),
            cpu: Cpu { total: cpu, ..Cpu::default() },
            bytes: Bytes(self.iterations() * bytes),
            ..Sample::default()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tlstax_spec::wire::Request;

    const WHOLE: Round<'_> =
        Round { iterations: 10, earlier: 0, factors: &[Factor::busy(1.0)], in_parts: false };

    fn case(fields: &str) -> Case {
        let line = format!(r#"{{"do":"prepare","slot":0,"library":"a",{fields}}}"#);
        match Request::decode(&line).unwrap() {
            Request::Prepare { case, .. } => case,
            other => panic!("{other:?}"),
        }
    }

    fn script(text: &str) -> Script {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_first_cost_counts_and_every_slowdown() {
        let script = script(
            r#"{"costs": [{"case": "a/*/64", "ns": 10, "ns_per_byte": 1}, {"case": "*", "ns": 1}],
                "slowdowns": [{"case": "*", "factor": 1.5}, {"case": "*md5*", "factor": 2}]}"#,
        );
        let md5 =
            r#""kind":"primitive","op":"digest","algorithm":"md5","pattern":"tls","size":64,"threads":2"#;
        assert_eq!(
            sample(&script, &case(&md5.replace(r#","threads":2"#, "")), &WHOLE).cpu.total,
            Nanos(74 * 3 * 10)
        );
        let threads = sample(&script, &case(md5), &WHOLE);
        assert_eq!((threads.iterations, threads.cpu.total, threads.wall), (20, Nanos(60), Nanos(30)));
        assert_eq!(threads.bytes, Bytes(20 * 64));
    }

    #[test]
    fn two_sides_add_up() {
        let script =
            script(r#"{"costs": [{"case": "*", "client_ns": 100, "server_ns": 50, "ns_per_byte": 2}]}"#);
        let params =
            r#""version":"TLSv1.3","suite":"TLS_AES_128_GCM_SHA256","group":"X25519","key":"ecdsa-p256""#;
        let bulk = format!(
            r#""kind":"bulk",{params},"direction":"download","record":1024,"write":1024,"buffer":1024"#
        );
        let sample = sample(&script, &case(&bulk), &Round { iterations: 3, ..WHOLE });
        let [client, server] = [sample.client, sample.server].map(|side| side.unwrap().total.0);
        assert_eq!((client, server, sample.cpu.total.0), (3 * 2148, 3 * 2098, client + server));
    }

    #[test]
    fn parts_have_their_own_factors() {
        let script = script(r#"{"costs": [{"case": "*", "ns": 100}]}"#);
        let md5 = r#""kind":"primitive","op":"digest","algorithm":"md5","pattern":"tls","size":64"#;
        let factors = [Factor::busy(1.0), Factor { wall: 1.5, cpu: 1.25 }];
        let round = Round { factors: &factors, in_parts: true, ..WHOLE };
        let sample = sample(&script, &case(md5), &round);
        assert_eq!(sample.parts.whole, [Nanos(500), Nanos(750)]);
        assert_eq!((sample.cpu.total, sample.wall), (Nanos(1125), Nanos(1250)));
    }
}
