//! What kind of sampling the kernel gives us here.

use std::io;

use tlstax_measure::perf_event::{Event, Refusal, Sampling, Scope, paranoid};

use super::error::LiveError;
use crate::resolve::Architecture;

/// The best sampling that the kernel gives us, tried on ourselves: a counter of the CPU before a clock, with the kernel's part
/// before without.
///
/// # Errors
/// There is none.
pub fn probe(architecture: Architecture, hertz: u32, stack_bytes: u32) -> Result<Sampling, LiveError> {
    let mut refused = None;
    for event in [Event::Cycles, Event::CpuClock] {
        for with_kernel in [true, false] {
            for with_build_ids in [true, false] {
                let sampling = Sampling {
                    event,
                    hertz,
                    user_registers: architecture.perf_mask(),
                    stack_bytes,
                    with_kernel,
                    with_build_ids,
                    with_descendants: false,
                };
                match sampling.open(Scope::Ourselves, None) {
                    Ok(_) => return Ok(Sampling { with_descendants: true, ..sampling }),
                    Err(error) => refused = Some(error),
                }
            }
        }
    }
    Err(why(refused.unwrap_or_else(|| io::ErrorKind::Unsupported.into())))
}

/// Why we may not even observe ourselves.
fn why(source: io::Error) -> LiveError {
    match (Refusal::of(&source), paranoid()) {
        (Refusal::NoPerf, _) | (_, None) => LiveError::NoPerf { source },
        // Above 2 some distributions let nobody in.
        (Refusal::Forbidden, Some(level @ 3..)) => {
            LiveError::Forbidden { whom: "any process", level, wanted: 2 }
        }
        (Refusal::Forbidden, Some(level)) => LiveError::Refused { level, source },
        _ => LiveError::Open { whom: "this process".to_owned(), source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_explained() {
        let why = |code| why(io::Error::from_raw_os_error(code));
        // ENOSYS, and EACCES, by errno(3).
        assert!(matches!(why(38), LiveError::NoPerf { .. }));
        let forbidden = why(13);
        let is_explained = matches!(
            forbidden,
            LiveError::Forbidden { .. } | LiveError::Refused { .. } | LiveError::NoPerf { .. }
        );
        assert!(is_explained, "{forbidden}");
    }
}
