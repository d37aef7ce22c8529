//! Reads a profile of the Firefox profiler.

use tlstax_doc::{Origin, Unit, rfc3339};

use super::document::{Document, Samples, Thread};
use super::stacks::Stacks;
use super::weighing::{Weighing, whole};
use crate::collect::{Collector, Moment};
use crate::source::input::Opened;
use crate::source::processes::NamedProcesses;
use crate::source::{Facts, SourceError, notes, stack};

/// Nanoseconds in a millisecond, in which the form has times.
const MILLISECOND: f64 = 1e6;

/// Reads a profile of the Firefox profiler.
pub fn read(input: Opened<'_>, into: &mut Collector<'_>) -> Result<Facts, SourceError> {
    let (from, target) = (input.name.clone(), input.target());
    let failed = |problem: String, remedy: &str| SourceError::Format {
        from: from.clone(),
        format: "firefox",
        problem,
        remedy: remedy.to_owned(),
    };
    let text = input.into_bytes("firefox")?;
    let document: Document = serde_json::from_slice(&text).map_err(|error| {
        let remedy = if error.is_eof() {
            "it was cut off: get the file anew"
        } else {
            "give what samply or profiler.firefox.com has saved; no other profile in JSON is read"
        };
        failed(error.to_string(), remedy)
    })?;
    drop(text);
    let weighing = Weighing::of(&document).map_err(|other| {
        failed(
            format!("its weights are {}, not CPU time", other.0),
            "record with samply, or with `CPU Utilization` on",
        )
    })?;
    let mut firefox = Firefox::new(&document, weighing, into);
    document.threads.iter().for_each(|thread| firefox.take(thread));
    Ok(firefox.facts(target))
}

struct Firefox<'f, 'c> {
    document: &'f Document,
    weighing: Weighing,
    into: &'f mut Collector<'c>,
    processes: NamedProcesses,
    /// When the first and the last sample of all threads were taken, milliseconds.
    times: Option<(f64, f64)>,
    nameless: u64,
    deep: u64,
}

impl<'f, 'c> Firefox<'f, 'c> {
    fn new(document: &'f Document, weighing: Weighing, into: &'f mut Collector<'c>) -> Self {
        let all =
            document.threads.iter().flat_map(|thread| times(&thread.samples)).filter(|time| time.is_finite());
        let times = all.fold(None, |range: Option<(f64, f64)>, time| {
            Some(range.map_or((time, time), |(first, last)| (first.min(time), last.max(time))))
        });
        let processes = NamedProcesses::default();
        Self { document, weighing, into, processes, times, nameless: 0, deep: 0 }
    }

    fn take(&mut self, thread: &Thread) {
        let mut stacks = Stacks::of(thread, self.document);
        let (samples, mut frames) = (&thread.samples, Vec::new());
        let first = self.times.map_or(0.0, |(first, _)| first);
        let mut times = times(samples);
        let mut process = None;
        for (index, top) in samples.stack.iter().enumerate() {
            let at_ns = times.next().map(|time| whole((time - first) * MILLISECOND));
            let (weight, count) = self.weighing.weigh(samples, index);
            if weight == 0 {
                continue;
            }
            stacks.frames(*top, self.into, &mut frames);
            self.deep += u64::from(stack::cut(&mut frames));
            let process =
                *process.get_or_insert_with(|| number(thread, self.document, &mut self.processes, self.into));
            self.into.samples_at(&Moment { at_ns, process, weight }, &frames, count);
        }
        self.nameless += stacks.nameless;
    }

    fn facts(self, target: String) -> Facts {
        let meta = &self.document.meta;
        let began = meta.start_time.map(|start| (start + meta.profiling_start_time.unwrap_or(0.0)) / 1e3);
        let profiled = meta.profiling_start_time.zip(meta.profiling_end_time);
        let duration = profiled.or(self.times).map(|(first, last)| whole((last - first) * MILLISECOND));
        let hertz = meta.interval.filter(|interval| *interval > 0.0).map(|interval| 1e3 / interval);
        Facts {
            origin: Origin {
                format: "firefox".to_owned(),
                event: None,
                hertz: hertz.filter(|hertz| hertz.is_finite()),
                stacks: None,
            },
            unit: self.weighing.unit(),
            target,
            started: began.map(whole).filter(|seconds| *seconds > 0).map(rfc3339),
            duration_ns: duration.filter(|duration| *duration > 0),
            cpus: meta.logical_cpus.filter(|cpus| *cpus > 0),
            lost: 0,
            notes: self.notes(),
        }
    }

    fn notes(&self) -> Vec<tlstax_doc::Note> {
        let mut all = Vec::new();
        if self.weighing.unit() == Unit::Samples {
            all.push(notes::warning(
                "it has no CPU time: where it samples by the clock, threads that sleep count, too",
                "record with samply, or with `CPU Utilization` on",
            ));
        }
        if self.nameless > 0 {
            let what = format!("{} frames have an address and no function", self.nameless);
            all.push(notes::warning(what, "save it from profiler.firefox.com when the names are there"));
        }
        all.extend(stack::told(self.deep).map(notes::info));
        all
    }
}

/// The number of the process of a thread.
fn number(
    thread: &Thread,
    document: &Document,
    processes: &mut NamedProcesses,
    into: &mut Collector<'_>,
) -> u32 {
    let names = [&thread.process_name, &document.meta.product, &thread.name];
    let name = names.into_iter().flatten().find(|name| !name.is_empty());
    let pid = thread.pid.as_ref().and_then(super::document::Number::get);
    name.map_or(pid.unwrap_or(0), |name| processes.number(pid, name.as_bytes(), into))
}

/// The times of samples, milliseconds.
fn times(samples: &Samples) -> Box<dyn Iterator<Item = f64> + '_> {
    match (&samples.time, &samples.time_deltas) {
        (Some(times), _) => Box::new(times.iter().copied()),
        (None, Some(deltas)) => Box::new(deltas.iter().scan(0.0, |time, delta| {
            *time += delta;
            Some(*time)
        })),
        (None, None) => Box::new(std::iter::empty()),
    }
}
