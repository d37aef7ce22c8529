//! The messages as they stand on the line: one object, no object inside it.
//!
//! Unknown fields are passed over here, so that a newer side may say more than an older one reads.

use serde::{Deserialize, Serialize};

use super::message::{Answer, Hello, Request, Target};
use super::sight::Sight;
use crate::{Case, CaseError, FlatCase, Method, Nanos, Proof, Sample, Side, Stage, Version};

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
        #[serde(flatten)]
        target: FlatTarget,
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
    Look {
        port: u16,
        #[serde(flatten)]
        target: FlatTarget,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<Version>,
    },
    Reference,
    Bye,
}

/// A server that the user has named; without an address there is none.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct FlatTarget {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// POST where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<Method>,
}

impl From<Target> for FlatTarget {
    fn from(target: Target) -> Self {
        let Target { address, name, path, method } = target;
        let method = Some(method).filter(|method| *method != Method::default());
        Self { address: Some(address), server_name: Some(name), path: Some(path), method }
    }
}

impl FlatTarget {
    fn target(self) -> Option<Target> {
        Some(Target {
            address: self.address?,
            name: self.server_name.unwrap_or_default(),
            path: self.path.unwrap_or_else(|| "/".to_owned()),
            method: self.method.unwrap_or_default(),
        })
    }
}

impl From<Request> for FlatRequest {
    fn from(request: Request) -> Self {
        match request {
            Request::Hello { protocol, pki } => Self::Hello { protocol, pki },
            Request::Prepare { slot, case, end, port, target } => {
                let target = target.map(FlatTarget::from).unwrap_or_default();
                Self::Prepare { slot, end, port, target, case: Box::new(case.into()) }
            }
            Request::Run { slot, iterations, warmup } => Self::Run { slot, iterations, warmup },
            Request::Usage { slot } => Self::Usage { slot },
            Request::Release { slot } => Self::Release { slot },
            Request::Expand { string, ciphersuites } => Self::Expand { string, ciphersuites },
            Request::Look { port, target, version } => Self::Look { port, target: target.into(), version },
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
            FlatRequest::Prepare { slot, end, port, target, case } => {
                Self::Prepare { slot, case: Case::try_from(*case)?, end, port, target: target.target() }
            }
            FlatRequest::Run { slot, iterations, warmup } => Self::Run { slot, iterations, warmup },
            FlatRequest::Usage { slot } => Self::Usage { slot },
            FlatRequest::Release { slot } => Self::Release { slot },
            FlatRequest::Expand { string, ciphersuites } => Self::Expand { string, ciphersuites },
            FlatRequest::Look { port, target, version } => {
                let target = target
                    .target()
                    .ok_or_else(|| CaseError::Missing { kind: "look".to_owned(), field: "address" })?;
                Self::Look { port, target, version }
            }
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
        stage: Stage,
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
    Looked {
        #[serde(flatten)]
        sight: Box<Sight>,
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
            Answer::Looked(sight) => Self::Looked { sight },
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
            FlatAnswer::Looked { sight } => Self::Looked(sight),
            FlatAnswer::Reference { latency_ns, throughput_ns } => {
                Self::Reference { latency: latency_ns, throughput: throughput_ns }
            }
        }
    }
}
