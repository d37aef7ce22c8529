//! From a case to its flat row, and back.

use crate::flat::need;
use crate::{Bulk, Case, CaseError, FlatCase, Handshake, Idle, Load, Params, Primitive, Tuning, Workload};

impl From<Case> for FlatCase {
    fn from(case: Case) -> Self {
        let mut flat = Self {
            library: case.library.to_string(),
            kind: case.workload.kind().to_owned(),
            ..Self::default()
        };
        case.put(&mut flat);
        if let Some(params) = case.workload.params() {
            flat.version = Some(params.version);
            flat.suite = Some(params.suite);
            flat.group = params.group;
            flat.key = Some(params.key);
        }
        match case.workload {
            Workload::Primitive(primitive) => primitive.put(&mut flat),
            Workload::Handshake(handshake) => handshake.put(&mut flat),
            Workload::Bulk(bulk) => bulk.put(&mut flat),
            Workload::Idle(idle) => idle.put(&mut flat),
            Workload::Load(load) => {
                load.put(&mut flat);
                load.tuning.put(&mut flat);
                flat.client = Some(load.client.into());
            }
        }
        flat
    }
}

impl TryFrom<FlatCase> for Case {
    type Error = CaseError;

    fn try_from(flat: FlatCase) -> Result<Self, CaseError> {
        let workload = match flat.kind.as_str() {
            "primitive" => Workload::Primitive(Primitive::read(&flat)?),
            "handshake" => Workload::Handshake(Handshake::read(&flat, params(&flat)?)?),
            "bulk" => Workload::Bulk(Bulk::read(&flat, params(&flat)?)?),
            "idle" => Workload::Idle(Idle::read(&flat, params(&flat)?)?),
            "load" => {
                let client = need(&flat, "client", flat.client.clone())?.try_into()?;
                let params = flat.version.map(|_| params(&flat)).transpose()?;
                Workload::Load(Load::read(&flat, client, params, Tuning::read(&flat)?)?)
            }
            _ => return Err(CaseError::UnknownKind(flat.kind)),
        };
        let library = flat.library.clone().try_into()?;
        Self::read(&flat, library, workload)
    }
}

fn params(flat: &FlatCase) -> Result<Params, CaseError> {
    Ok(Params {
        version: need(flat, "version", flat.version)?,
        suite: need(flat, "suite", flat.suite)?,
        group: flat.group,
        key: need(flat, "key", flat.key)?,
    })
}
