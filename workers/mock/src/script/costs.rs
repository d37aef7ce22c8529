//! What a batch costs by the script.

use tlstax_spec::{Bytes, Case, Cpu, Nanos, Sample, Workload};

use super::format::{Cost, Script};

/// The sample of the batch of a case that comes after so many others, on a machine that is slower than a quiet one by this
/// factor.
pub fn sample(script: &Script, case: &Case, iterations: u64, earlier: u32, factor: f64) -> Sample {
    let id = case.id();
    let slowdowns: f64 = script
        .slowdowns
        .iter()
        .filter(|rule| rule.case.fits(&id) && rule.batches.is_none_or(|batches| earlier < batches))
        .map(|rule| rule.factor)
        .product();
    let batch =
        Batch { factor: factor * slowdowns, per_thread: iterations, threads: u64::from(case.threads) };
    let cost = script.costs.iter().find(|cost| cost.case.fits(&id)).cloned().unwrap_or_default();
    match &case.workload {
        Workload::Primitive(primitive) => batch.one_sided(&cost, u64::from(primitive.size)),
        Workload::Handshake(_) | Workload::Load(_) => batch.two_sided(&cost, 0),
        Workload::Bulk(bulk) => batch.two_sided(&cost, u64::from(bulk.buffer)),
        Workload::Idle(idle) => {
            let connections = Batch { per_thread: iterations * u64::from(idle.connections), ..batch };
            Sample { bytes: Bytes(connections.iterations() * cost.memory), ..connections.one_sided(&cost, 0) }
        }
    }
}

#[derive(Clone, Copy)]
struct Batch {
    factor: f64,
    per_thread: u64,
    threads: u64,
}

impl Batch {
    fn iterations(self) -> u64 {
        self.per_thread * self.threads
    }

    fn one_sided(self, cost: &Cost, bytes: u64) -> Sample {
        let cpu = self.cpu(cost.ns + cost.ns_per_byte * bytes as f64);
        self.sample(cpu, bytes)
    }

    fn two_sided(self, cost: &Cost, bytes: u64) -> Sample {
        let client = self.cpu(cost.client_ns + cost.ns_per_byte * bytes as f64);
        let server = self.cpu(cost.server_ns + cost.ns_per_byte * bytes as f64);
        let side = |total| Some(Cpu { total, ..Cpu::default() });
        Sample { client: side(client), server: side(server), ..self.sample(client + server, bytes) }
    }

    fn cpu(self, each: f64) -> Nanos {
        Nanos((each * self.factor * self.iterations() as f64).round() as u64)
    }

    /// No thread ever waits on this machine, so the elapsed time is the CPU time of each.
    fn sample(self, cpu: Nanos, bytes: u64) -> Sample {
        Sample {
            iterations: self.iterations(),
            wall: Nanos((cpu.0 / self.threads.max(1)).max(1)),
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
            sample(&script, &case(&md5.replace(r#","threads":2"#, "")), 10, 0, 1.0).cpu.total,
            Nanos(74 * 3 * 10)
        );
        let threads = sample(&script, &case(md5), 10, 0, 1.0);
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
        let sample = sample(&script, &case(&bulk), 3, 0, 1.0);
        let [client, server] = [sample.client, sample.server].map(|side| side.unwrap().total.0);
        assert_eq!((client, server, sample.cpu.total.0), (3 * 2148, 3 * 2098, client + server));
    }
}
