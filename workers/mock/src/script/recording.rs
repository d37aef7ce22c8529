//! Noise that was recorded on a real machine, see `bench/record.py`.

use std::path::{Path, PathBuf};

use fastrand::Rng;
use serde::Deserialize;

/// A hundredth of a percent, in which parts are written.
const UNIT: f64 = 1e-4;

/// Moments of a machine in order of time.
#[derive(Debug, Clone, Deserialize)]
pub struct Recording {
    entries: Vec<Entry>,
}

/// What the latency and the throughput kernel took in nanoseconds; by how many hundredths of a percent each part of the batch
/// that came next took longer than undisturbed; and for how many of those the thread was kept from its core in each part, or
/// nothing where it never was.
#[derive(Debug, Clone, Deserialize)]
struct Entry(u64, u64, Vec<i32>, Vec<i32>);

/// What a part takes, as a multiple of what it takes undisturbed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor {
    pub wall: f64,
    pub cpu: f64,
}

impl Factor {
    /// Of a thread that is never kept from its core.
    pub const fn busy(factor: f64) -> Self {
        Self { wall: factor, cpu: factor }
    }

    pub fn times(self, other: f64) -> Self {
        Self { wall: self.wall * other, cpu: self.cpu * other }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("cannot read the recording {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("the recording {path} is malformed: {source}; bench/record.py makes one")]
    Malformed { path: PathBuf, source: serde_json::Error },
    #[error(
        "entry {at} of the recording {path} {problem}; bench/record.py makes recordings that can be played"
    )]
    Entry { path: PathBuf, at: usize, problem: &'static str },
    #[error("the recording {path} has no entries; bench/record.py makes some from the results of a run")]
    Empty { path: PathBuf },
}

impl Recording {
    /// Reads a recording from its file.
    ///
    /// # Errors
    /// The file cannot be read, or no machine can be played from it.
    pub fn read(path: &Path) -> Result<Self, RecordingError> {
        let of_path = || path.to_owned();
        let text = std::fs::read_to_string(path)
            .map_err(|source| RecordingError::Read { path: of_path(), source })?;
        let recording: Self = serde_json::from_str(&text)
            .map_err(|source| RecordingError::Malformed { path: of_path(), source })?;
        if recording.entries.is_empty() {
            return Err(RecordingError::Empty { path: of_path() });
        }
        for (at, entry) in recording.entries.iter().enumerate() {
            if let Some(problem) = entry.problem() {
                return Err(RecordingError::Entry { path: of_path(), at, problem });
            }
        }
        Ok(recording)
    }
}

impl Entry {
    fn problem(&self) -> Option<&'static str> {
        let Self(latency, throughput, parts, kept_off) = self;
        if *latency == 0 || *throughput == 0 {
            return Some("has a reading of 0 ns");
        }
        if parts.is_empty() {
            return Some("has no parts");
        }
        if !kept_off.is_empty() && kept_off.len() != parts.len() {
            return Some("does not say of each part for how long it was kept off");
        }
        self.factors().any(|factor| factor.cpu <= 0.0).then_some("has a part that took no time")
    }

    fn factors(&self) -> impl Iterator<Item = Factor> {
        let kept_off = self.3.iter().copied().chain(std::iter::repeat(0));
        self.2.iter().zip(kept_off).map(|(part, kept_off)| {
            let wall = 1.0 + f64::from(*part) * UNIT;
            Factor { wall, cpu: wall - f64::from(kept_off) * UNIT }
        })
    }
}

/// A place in a recording. After the last entry comes the first.
#[derive(Debug)]
pub struct Walk {
    recording: Recording,
    at: usize,
}

impl Walk {
    /// Begins anywhere.
    pub fn begin(recording: Recording, rng: &mut Rng) -> Self {
        let at = rng.usize(..recording.entries.len());
        Self { recording, at }
    }

    /// Goes on to the next entry: the latency and the throughput kernel, in nanoseconds.
    pub fn read(&mut self) -> (f64, f64) {
        self.at = (self.at + 1) % self.recording.entries.len();
        let Entry(latency, throughput, ..) = self.recording.entries[self.at];
        (latency as f64, throughput as f64)
    }

    /// So many successive parts: from anywhere in this entry's on, and into those of the following ones. So cases that are run
    /// between the same two readings find the same machine, and not the same disturbances.
    pub fn parts(&self, parts: u64, rng: &mut Rng) -> Vec<Factor> {
        let entries = &self.recording.entries;
        let skipped = rng.usize(..entries[self.at].2.len());
        let on = entries.iter().cycle().skip(self.at).flat_map(Entry::factors);
        on.skip(skipped).take(usize::try_from(parts).unwrap_or(usize::MAX)).collect()
    }

    /// The mean of this entry's parts: what a batch takes of which only the whole is told.
    pub fn whole(&self) -> Factor {
        let entry = &self.recording.entries[self.at];
        let mean = |of: fn(Factor) -> f64| entry.factors().map(of).sum::<f64>() / entry.2.len() as f64;
        Factor { wall: mean(|factor| factor.wall), cpu: mean(|factor| factor.cpu) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn walk(entries: &str) -> Walk {
        let recording: Recording = serde_json::from_str(&format!(r#"{{"entries": {entries}}}"#)).unwrap();
        Walk { recording, at: 0 }
    }

    #[test]
    fn readings_follow_each_other_and_begin_again() {
        let mut walk = walk("[[10, 20, [0], []], [11, 21, [0], []]]");
        assert_eq!([walk.read(), walk.read(), walk.read()], [(11.0, 21.0), (10.0, 20.0), (11.0, 21.0)]);
    }

    #[test]
    fn parts_go_on_into_the_next_entry() {
        let walk = walk("[[10, 20, [0, 5000], []], [10, 20, [20000], []]]");
        let mut begun = Vec::new();
        for seed in 0..20 {
            let parts: Vec<_> =
                walk.parts(4, &mut Rng::with_seed(seed)).iter().map(|factor| factor.cpu).collect();
            assert!(
                [[1.0, 1.5, 3.0, 1.0], [1.5, 3.0, 1.0, 1.5]]
                    .contains(&[parts[0], parts[1], parts[2], parts[3]])
            );
            begun.push(parts[0]);
        }
        assert!(begun.contains(&1.0) && begun.contains(&1.5), "{begun:?}");
        assert!((walk.whole().cpu - 1.25).abs() < 1e-12);
    }

    #[test]
    fn what_keeps_a_thread_off_is_no_cpu_time() {
        let walk = walk("[[10, 20, [0, 30000], [0, 25000]]]");
        assert_eq!(walk.whole(), Factor { wall: 2.5, cpu: 1.25 });
        assert!(walk.parts(2, &mut Rng::with_seed(1)).contains(&Factor { wall: 4.0, cpu: 1.5 }));
    }

    #[test]
    fn the_recordings_of_the_benches_can_be_played() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/recordings");
        let mut played = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "json") {
                Recording::read(&path).unwrap();
                played += 1;
            }
        }
        assert!(played > 1);
    }
}
