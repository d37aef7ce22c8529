//! Merging of workloads: counts are added, and nothing else.

use std::collections::BTreeMap;

use super::document::{WORKLOAD_VERSION, Workload};
use super::kind::{Counts, Kind, Share};
use super::source::Source;
use crate::results::Tool;

/// One workload of several parts: what counting all of them at once would have given, whatever the parts and their order. The
/// program is the one that wrote the newest part.
pub fn merge_workloads(tool: &Tool, parts: &[Workload]) -> Workload {
    let newest = parts.iter().map(|part| &part.tool).max_by_key(|tool| (&tool.version, &tool.name));
    let mut whole = Workload::empty(newest.unwrap_or(tool).clone());
    let mut shares = BTreeMap::<Kind, Counts>::new();
    let mut sources = BTreeMap::new();
    for part in parts {
        part.shares
            .iter()
            .for_each(|share| shares.entry(share.kind.clone()).or_default().merge(&share.counts));
        part.sources.iter().for_each(|source| add_source(&mut sources, source));
        for (known, more) in whole.sketches_mut().into_iter().zip(part.sketches()) {
            known.merge(more);
        }
        whole.series.merge(&part.series);
    }
    whole.shares = shares.into_iter().map(|(kind, counts)| Share { kind, counts }).collect();
    whole.sources = sources.into_values().collect();
    whole
}

fn add_source(sources: &mut BTreeMap<(String, Vec<super::source::Tell>), Source>, source: &Source) {
    let key = (source.format.clone(), source.tells.iter().copied().collect());
    sources.entry(key).and_modify(|known| known.merge(source)).or_insert_with(|| source.clone());
}

impl Workload {
    /// One in which nothing has happened.
    pub fn empty(tool: Tool) -> Self {
        Self {
            schema: WORKLOAD_VERSION,
            document: "workload".to_owned(),
            tool,
            sources: Vec::new(),
            shares: Vec::new(),
            request_ordinals: super::Sketch::default(),
            response_bytes: super::Sketch::default(),
            request_bytes: super::Sketch::default(),
            records_out: super::Sketch::default(),
            records_in: super::Sketch::default(),
            certificate_bytes: super::Sketch::default(),
            series: super::Series::default(),
        }
    }

    const fn sketches(&self) -> [&super::Sketch; 6] {
        [
            &self.request_ordinals,
            &self.response_bytes,
            &self.request_bytes,
            &self.records_out,
            &self.records_in,
            &self.certificate_bytes,
        ]
    }

    const fn sketches_mut(&mut self) -> [&mut super::Sketch; 6] {
        [
            &mut self.request_ordinals,
            &mut self.response_bytes,
            &mut self.request_bytes,
            &mut self.records_out,
            &mut self.records_in,
            &mut self.certificate_bytes,
        ]
    }
}
