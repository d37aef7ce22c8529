//! What published figures give of two operations on one machine.

use tlstax_spec::Primitive;

use super::figures::{Line, Published};

/// From so many bytes on, speeds hardly depend on the size of the message, and a ratio of them not at all.
const LARGE: u32 = 4096;

impl Published {
    /// The cost of one operation as a multiple of another's, on each machine for which both were published, by its name. Both
    /// figures are of messages of one size and of one software; a large message stands for every large one.
    pub(crate) fn ratios(&self, part: &Primitive, whole: &Primitive) -> Vec<(String, f64)> {
        let of = |work: &Primitive| -> Vec<&Line> {
            self.operations
                .iter()
                .filter(|line| line.names(work) && stands_for(line.bytes, work.size))
                .collect()
        };
        let wholes = of(whole);
        let of_part = |part: &Line| {
            let alike = |line: &&&Line| {
                let same =
                    line.machine == part.machine && software(&line.software) == software(&part.software);
                same && line.bytes == part.bytes && line.unit == part.unit
            };
            // Published are rates; where a machine was measured again, the first figure counts.
            let whole = wholes.iter().find(alike).filter(|_| part.value > 0.0)?;
            Some((part.machine.clone(), whole.value / part.value))
        };
        of(part).into_iter().filter_map(of_part).collect()
    }
}

/// Whether a figure of messages of this size, where it is known, tells of those of another.
fn stands_for(published: Option<u32>, size: u32) -> bool {
    match published {
        Some(bytes) => bytes == size || (bytes >= LARGE && size >= LARGE),
        None => size == 0 || size >= LARGE,
    }
}

/// The software without what is said of one of its runs.
fn software(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Algorithm, Op, Pattern};

    use super::*;

    const TEXT: &str = "source,machine,software,kind,algorithm,operation,bytes,value,unit\n\
                        s,M,speed,primitive,aes-128-gcm,encrypt,8192,1000,MB/s\n\
                        s,M,speed (second run),primitive,aes-128-cbc,encrypt,8192,500,MB/s\n\
                        s,M,other,primitive,aes-256-gcm,encrypt,8192,10,MB/s\n\
                        s,N,speed,primitive,aes-128-cbc,encrypt,8192,4000,MB/s\n\
                        s,N,speed,primitive,aes-128-gcm,encrypt,64,10,MB/s\n\
                        s,N,speed,primitive,aes-128-gcm,encrypt,8192,1000,MB/s\n\
                        s,O,speed,primitive,rsa-2048,sign,,100,op/s\n\
                        s,O,speed,primitive,ecdsa-p256,sign,,1600,op/s\n";

    fn work(algorithm: Algorithm, op: Op, size: u32) -> Primitive {
        Primitive { op, algorithm, size, pattern: Pattern::Tls }
    }

    #[test]
    fn ratios_are_of_one_machine_one_software_and_one_size() {
        let mut published = Published::default();
        published.read("figures.csv", TEXT, &|_| None);
        assert_eq!(published.problems(), []);
        let of = |part, whole, op, size| published.ratios(&work(part, op, size), &work(whole, op, size));
        let on = |machine: &str, ratio: f64| (machine.to_owned(), ratio);
        let (cbc, gcm, gcm256) = (Algorithm::Aes128Cbc, Algorithm::Aes128Gcm, Algorithm::Aes256Gcm);
        assert_eq!(of(cbc, gcm, Op::Encrypt, 16384), [on("M", 2.0), on("N", 0.25)]);
        assert_eq!(of(cbc, gcm, Op::Encrypt, 64), []);
        assert_eq!(of(gcm256, gcm, Op::Encrypt, 16384), []);
        assert_eq!(of(Algorithm::Rsa2048, Algorithm::EcdsaP256, Op::Sign, 0), [on("O", 16.0)]);
    }
}
