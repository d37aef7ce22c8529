//! What cases are held against, and how wide an interval each may have.

use std::collections::HashMap;

use tlstax_doc::{Library, LibraryKind, Results};
use tlstax_spec::{Case, Id, Load, Resumption, Tuning, Workload};

use crate::work::Work;

/// So many times as wide an interval is as good for a load: it goes through the kernel on two cores, and its window is as long as
/// ten batches in memory. Otherwise a fifth of the cases of a mixed study took four fifths of its time.
const OF_LOADS: f64 = 3.0;

/// Notes of each case what it is: whether it is a load, and how many others are held against it.
pub(crate) fn note_kinds(works: &mut [Work], results: &Results) {
    let case = |work: &Work| &results.measurements[work.index].case;
    let control = results.libraries.iter().find(|library| library.kind == LibraryKind::Control);
    let mut counts: HashMap<Case, u32> = works.iter().map(|work| (case(work).clone(), 0)).collect();
    for work in works.iter() {
        for base in bases(case(work), &results.libraries, control.map(|control| &control.id)) {
            counts.entry(base).and_modify(|count| *count += 1);
        }
    }
    for work in works.iter_mut() {
        let found = case(work);
        work.attendance.dependants = counts.get(found).copied().unwrap_or_default();
        work.attendance.coarseness = if matches!(found.workload, Workload::Load(_)) { OF_LOADS } else { 1.0 };
    }
}

/// What a case is held against, if it is measured: the same without crypto, by the library as it is, and over plain HTTP.
fn bases(case: &Case, libraries: &[Library], control: Option<&Id>) -> Vec<Case> {
    let by = |library: &Id| Case { library: library.clone(), ..case.clone() };
    let own = libraries.iter().find(|library| library.id == case.library);
    let as_it_is = own.and_then(|library| library.base.as_ref());
    let mut bases: Vec<Case> =
        control.filter(|id| **id != case.library).into_iter().chain(as_it_is).map(by).collect();
    if let Workload::Load(load) = &case.workload
        && load.params.is_some()
    {
        bases.push(Case { workload: Workload::Load(plain(load)), ..case.clone() });
    }
    bases
}

/// The same load without TLS, and without what only TLS has.
fn plain(load: &Load) -> Load {
    let usual = Tuning::default();
    Load {
        params: None,
        resumption: Resumption::Full,
        resumed_percent: 100,
        tuning: Tuning { tls_buffer: usual.tls_buffer, sessions: usual.sessions, ..load.tuning },
        ..load.clone()
    }
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{Algorithm, Op, Pattern, Primitive};

    use super::*;

    #[test]
    fn a_base_is_the_control_row_the_library_as_it_is_or_plain_http() {
        let params = tlstax_spec::Params {
            version: tlstax_spec::Version::Tls13,
            suite: tlstax_spec::Suite::Aes128Gcm,
            group: Some(tlstax_spec::Group::X25519),
            key: tlstax_spec::Key::EcdsaP256,
        };
        let load = Load { resumption: Resumption::Psk, ..Load::new(Id::literal("lean"), Some(params)) };
        let of =
            |library: &'static str, workload| Case { library: Id::literal(library), threads: 1, workload };
        let mut variant = Library::new(Id::literal("a-without-aes"));
        variant.base = Some(Id::literal("a"));
        let digest = Workload::Primitive(Primitive {
            op: Op::Digest,
            algorithm: Algorithm::Md5,
            size: 64,
            pattern: Pattern::Tls,
        });
        let control = Id::literal("control");
        let found = bases(&of("a-without-aes", digest.clone()), &[variant], Some(&control));
        assert_eq!(found, [of("control", digest.clone()), of("a", digest.clone())]);
        assert_eq!(bases(&of("control", digest), &[], Some(&control)), []);
        let plain = Workload::Load(Load::new(Id::literal("lean"), None));
        assert_eq!(bases(&of("a", Workload::Load(load)), &[], None), [of("a", plain)]);
    }
}
