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

/// What the latency and the throughput kernel took in nanoseconds, and by how many hundredths of a percent each part of the
/// batch that came next took longer than undisturbed.
#[derive(Debug, Clone, Deserialize)]
struct Entry(u64, u64, Vec<i32>);

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
        let Self(latency, throughput, parts) = self;
        if *latency == 0 || *throughput == 0 {
            return Some("has a reading of 0 ns");
        }
        if parts.is_empty() {
            return Some("has no parts");
        }
        parts.iter().any(|part| f64::from(*part) * UNIT <= -1.0).then_some("has a part that took no time")
    }

    fn factors(&self) -> impl Iterator<Item = f64> {
        self.2.iter().map(|part| 1.0 + f64::from(*part) * UNIT)
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
        let Entry(latency, throughput, _) = self.recording.entries[self.at];
        (latency as f64, throughput as f64)
    }

    /// So many successive parts: from anywhere in this entry's on, and into those of the following ones. So cases that are run
    /// between the same two readings find the same machine, and not the same disturbances.
    pub fn parts(&self, parts: u64, rng: &mut Rng) -> Vec<f64> {
        let entries = &self.recording.entries;
        let skipped = rng.usize(..entries[self.at].2.len());
        let on = entries.iter().cycle().skip(self.at).flat_map(Entry::factors);
        on.skip(skipped).take(usize::try_from(parts).unwrap_or(usize::MAX)).collect()
    }

    /// The mean of this entry's parts: what a batch takes of which only the whole is told.
    pub fn whole(&self) -> f64 {
        let entry = &self.recording.entries[self.at];
        entry.factors().sum::<f64>() / entry.2.len() as f64
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
        let mut walk = walk("[[10, 20, [0]], [11, 21, [0]]]");
        assert_eq!([walk.read(), walk.read(), walk.read()], [(11.0, 21.0), (10.0, 20.0), (11.0, 21.0)]);
    }

    #[test]
    fn parts_go_on_into_the_next_entry() {
        let walk = walk("[[10, 20, [0, 5000]], [10, 20, [20000]]]");
        let mut begun = Vec::new();
        for seed in 0..20 {
            let parts = walk.parts(4, &mut Rng::with_seed(seed));
            assert!(
                [[1.0, 1.5, 3.0, 1.0], [1.5, 3.0, 1.0, 1.5]]
                    .contains(&[parts[0], parts[1], parts[2], parts[3]])
            );
            begun.push(parts[0]);
        }
        assert!(begun.contains(&1.0) && begun.contains(&1.5), "{begun:?}");
        assert!((walk.whole() - 1.25).abs() < 1e-12);
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
