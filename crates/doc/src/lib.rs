//! The documents of tlstax: their types, their schemas, and the only code that writes files.
//!
//! A document knows nothing of the machine that reads it. Raw samples are stored, and every summary is computed from
//! them on reading, by [`Summaries`].

mod apart;
mod cores;
pub mod half_width;
mod journal;
mod kind;
mod library;
mod metric;
pub mod model;
mod named;
mod newer;
mod older;
pub mod plan;
mod profile;
mod results;
mod schema;
mod store;
mod summary;
mod throttled;
mod timestamp;
mod usable_cpus;
mod version;
mod workload;

pub use apart::Apart;
pub use cores::{Cores, Observed};
pub use journal::{Journal, Unfinished, parse_journal, read_journal};
pub use kind::{DocumentKind, document_kind};
pub use library::{Library, LibraryKind, Made, Object, Receipt};
pub use metric::{Metric, Use};
pub use profile::{
    Algorithm, Capture, Class, Cost, Evidence, Frame, Origin, OwnCost, PROFILE_VERSION, Process, Profile,
    Span, Stack, Unit, Unlike, Weight, Work, merge, parse_profile, read_profile, write_profile,
};
pub use results::{
    Batch, Counted, CountedBy, Measurement, Note, Outcome, RESULTS_VERSION, Results, Severity, Slice,
    StudyFacts, Tool,
};
pub use schema::{model_schema, plan_schema, profile_schema, results_schema, workload_schema};
pub use store::{StoreError, parse_results, read, read_results, remedy, take_name, write, write_results};
pub use summary::Summaries;
pub use throttled::{is_throttled, unthrottled};
pub use timestamp::rfc3339;
pub use usable_cpus::UsableCpus;
pub use version::SchemaVersion;
pub use workload::{
    Bad, Bucket, Counts, HttpVersion, Kind, MOST_BUCKETS, PassedOver, Protocol, Resumed, Series, Share,
    Sketch, Source, Tell, Total, WORKLOAD_VERSION, Workload, merge_workloads, parse_workload, read_workload,
    write_workload,
};
