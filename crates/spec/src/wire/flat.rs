//! The messages as they stand on the line: one object, no object inside it.
//!
//! Unknown fields are passed over here, so that a newer side may say more than an older one reads.

use serde::{Deserialize, Serialize};

use super::{Answer, Hello, Request, Target};
use crate::{Case, CaseError, FlatCase, Nanos, Proof, Sample, Side};

#[derive(Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(super) enum FlatRequest {
    Hello {
        protocol: u32,
        pki: String,
    },
    Prepare {
        slot: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<Side>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        port: Option<u16>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server_name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        #[serde(flatten)]
        case: Box<FlatCase>,
    },
    Run {
        slot: u32,
        iterations: u64,
        warmup: u64,
    },
    Usage {
        slot: u32,
    },
    Release {
        slot: u32,
    },
    Expand {
        string: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ciphersuites: Option<String>,
    },
    Reference,
    Bye,
}

impl From<Request> for FlatRequest {
    fn from(request: Request) -> Self {
        match request {
            Request::Hello { protocol, pki } => Self::Hello { protocol, pki },
            Request::Prepare { slot, case, end, port, target } => {
                let (address, server_name, path) = match target {
                    Some(Target { address, name, path }) => (Some(address), Some(name), Some(path)),
                    None => (None, None, None),
                };
                Self::Prepare { slot, end, port, address, server_name, path, case: Box::new(case.into()) }
            }
            Request::Run { slot, iterations, warmup } => Self::Run { slot, iterations, warmup },
            Request::Usage { slot } => Self::Usage { slot },
            Request::Release { slot } => Self::Release { slot },
            Request::Expand { string, ciphersuites } => Self::Expand { string, ciphersuites },
            Request::Reference => Self::Reference,
            Request::Bye => Self::Bye,
        }
    }
}

impl TryFrom<FlatRequest> for Request {
    type Error = CaseError;

    fn try_from(flat: FlatRequest) -> Result<Self, CaseError> {
        Ok(match flat {
            FlatRequest::Hello { protocol, pki } => Self::Hello { protocol, pki },
            FlatRequest::Prepare { slot, end, port, address, server_name, path, case } => {
                let target = address.map(|address| Target {
                    address,
                    name: server_name.unwrap_or_default(),
                    path: path.unwrap_or_else(|| "/".to_owned()),
                });
                Self::Prepare { slot, case: Case::try_from(*case)?, end, port, target }
            }
            FlatRequest::Run { slot, iterations, warmup } => Self::Run { slot, iterations, warmup },
            FlatRequest::Usage { slot } => Self::Usage { slot },
            FlatRequest::Release { slot } => Self::Release { slot },
            FlatRequest::Expand { string, ciphersuites } => Self::Expand { string, ciphersuites },
            FlatRequest::Reference => Self::Reference,
            FlatRequest::Bye => Self::Bye,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub(super) enum FlatAnswer {
    Hello {
        #[serde(flatten)]
        hello: Box<Hello>,
    },
    Ready {
        slot: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        port: Option<u16>,
        #[serde(flatten)]
        proof: Proof,
    },
    Sampled {
        slot: u32,
        #[serde(flatten)]
        sample: Sample,
        #[serde(flatten)]
        proof: Proof,
    },
    Unsupported {
        slot: u32,
        reason: String,
    },
    Failed {
        slot: u32,
        stage: String,
        message: String,
    },
    Usage {
        slot: u32,
        #[serde(flatten)]
        usage: super::Usage,
    },
    Released {
        slot: u32,
    },
    Suites {
        names: Vec<String>,
    },
    Reference {
        latency_ns: Nanos,
        throughput_ns: Nanos,
    },
}

impl From<Answer> for FlatAnswer {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Hello(hello) => Self::Hello { hello },
            Answer::Ready { slot, proof, port } => Self::Ready { slot, port, proof },
            Answer::Sampled { slot, sample, proof } => Self::Sampled { slot, sample, proof },
            Answer::Unsupported { slot, reason } => Self::Unsupported { slot, reason },
            Answer::Failed { slot, stage, message } => Self::Failed { slot, stage, message },
            Answer::Usage { slot, usage } => Self::Usage { slot, usage },
            Answer::Released { slot } => Self::Released { slot },
            Answer::Suites { names } => Self::Suites { names },
            Answer::Reference { latency, throughput } => {
                Self::Reference { latency_ns: latency, throughput_ns: throughput }
            }
        }
    }
}

impl From<FlatAnswer> for Answer {
    fn from(flat: FlatAnswer) -> Self {
        match flat {
            FlatAnswer::Hello { hello } => Self::Hello(hello),
            FlatAnswer::Ready { slot, port, proof } => Self::Ready { slot, proof, port },
            FlatAnswer::Sampled { slot, sample, proof } => Self::Sampled { slot, sample, proof },
            FlatAnswer::Unsupported { slot, reason } => Self::Unsupported { slot, reason },
            FlatAnswer::Failed { slot, stage, message } => Self::Failed { slot, stage, message },
            FlatAnswer::Usage { slot, usage } => Self::Usage { slot, usage },
            FlatAnswer::Released { slot } => Self::Released { slot },
            FlatAnswer::Suites { names } => Self::Suites { names },
            FlatAnswer::Reference { latency_ns, throughput_ns } => {
                Self::Reference { latency: latency_ns, throughput: throughput_ns }
            }
        }
    }
}
