//! Where readings of the reference kernels come from: our own thread on the measuring core, or a script.

use tlstax_measure::reference;
use tlstax_peers::Refused;
use tlstax_spec::{Id, Nanos};

use crate::pool::Pool;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The calling thread, which is pinned to the measuring core.
    Kernels,
    /// The scripted worker of this library.
    Script(Id),
}

impl Source {
    /// The kernels, unless every library of the run is scripted.
    pub fn choose(libraries: &[tlstax_doc::Library]) -> Self {
        let mut found = libraries.iter().filter_map(|library| Some((&library.id, library.hello.as_ref()?)));
        match found.next() {
            Some((id, hello)) if hello.scripted && found.all(|(_, hello)| hello.scripted) => {
                Self::Script(id.clone())
            }
            _ => Self::Kernels,
        }
    }

    /// Reads the latency-bound and the throughput-bound kernel.
    ///
    /// # Errors
    /// A scripted worker does not answer.
    pub fn read(&self, pool: &mut Pool<'_>) -> Result<(Nanos, Nanos), Refused> {
        match self {
            Self::Kernels => {
                let reading = reference::read();
                Ok((reading.latency, reading.throughput))
            }
            Self::Script(library) => pool.reference(library),
        }
    }
}
