//! What of a processed profile is read. Columns may be shorter than they should be, and indices may lead nowhere: whoever asks gets
//! nothing there.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Document {
    pub meta: Meta,
    #[serde(default)]
    pub libs: Vec<Library>,
    pub threads: Vec<Thread>,
    /// Tables that all threads have together, since version 54 of the form.
    #[serde(default)]
    pub shared: Tables,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Meta {
    /// When it began, milliseconds since 1970.
    pub start_time: Option<f64>,
    /// When the samples begin and end, milliseconds since then.
    pub profiling_start_time: Option<f64>,
    pub profiling_end_time: Option<f64>,
    /// From one sample to the next, milliseconds.
    pub interval: Option<f64>,
    pub product: Option<String>,
    #[serde(rename = "logicalCPUs")]
    pub logical_cpus: Option<u32>,
    pub sample_units: Option<SampleUnits>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SampleUnits {
    #[serde(rename = "threadCPUDelta")]
    pub thread_cpu_delta: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Library {
    pub name: Option<String>,
    pub path: Option<String>,
    /// The build id of an ELF file.
    pub code_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    #[serde(default)]
    pub process_name: Option<String>,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub pid: Option<Number>,
    pub samples: Samples,
    // Not one flattened field: what is flattened is kept twice while it is read.
    pub stack_table: Option<StackTable>,
    pub frame_table: Option<FrameTable>,
    pub func_table: Option<FuncTable>,
    pub resource_table: Option<ResourceTable>,
    #[serde(alias = "stringTable")]
    pub string_array: Option<Vec<String>>,
}

/// A number, or its text, which may have a dot and a count behind it for one that was given again.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Number {
    Number(f64),
    Text(String),
}

impl Number {
    pub fn get(&self) -> Option<u32> {
        match self {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the range is asked for"
            )]
            Self::Number(number) => (0.0..4e9).contains(number).then_some(*number as u32),
            Self::Text(text) => text.split('.').next()?.parse().ok(),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Samples {
    pub stack: Vec<Option<u32>>,
    /// Milliseconds, or the differences of them.
    pub time: Option<Vec<f64>>,
    pub time_deltas: Option<Vec<f64>>,
    pub weight: Option<Vec<Option<f64>>>,
    pub weight_type: Option<String>,
    #[serde(rename = "threadCPUDelta")]
    pub thread_cpu_delta: Option<Vec<Option<f64>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Tables {
    pub stack_table: Option<StackTable>,
    pub frame_table: Option<FrameTable>,
    pub func_table: Option<FuncTable>,
    pub resource_table: Option<ResourceTable>,
    #[serde(alias = "stringTable")]
    pub string_array: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct StackTable {
    pub frame: Vec<u32>,
    pub prefix: Vec<Option<i64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FrameTable {
    pub func: Vec<u32>,
    /// Relative to the file; -1 where there is none.
    pub address: Vec<Option<i64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FuncTable {
    pub name: Vec<u32>,
    /// -1 where there is none.
    pub resource: Vec<Option<i64>>,
    #[serde(rename = "isJS")]
    pub is_js: Vec<Option<bool>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ResourceTable {
    pub lib: Vec<Option<i64>>,
    pub name: Vec<Option<u32>>,
}
