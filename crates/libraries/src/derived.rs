//! Libraries and servers that stand in no file, but in an id that was asked for.

use tlstax_spec::Id;

use crate::Home;
use crate::build::{Builder, Cache};
use crate::registry::{LIBRARY_MARK, Registry, RegistryError};

impl Registry {
    /// Takes up the libraries that these ids ask for with something switched off, `openssl-without-aes`, and the servers with
    /// another TLS library, `nginx@openssl-3.6`.
    ///
    /// # Errors
    /// What is to be switched off has no such name. An id that nobody has is left for [`Registry::entry`].
    pub fn derive<'a>(
        &mut self,
        ids: impl IntoIterator<Item = &'a Id>,
        home: &Home,
    ) -> Result<(), RegistryError> {
        for id in ids {
            if self.entry(id).is_ok() {
                continue;
            }
            if let Some((server, library)) = id.split_once(LIBRARY_MARK) {
                let library = self.entry(library)?;
                let builder = Builder::new(home, self, Cache::find());
                let prefix = library.block().and_then(|block| builder.prefix(block));
                let derived = self.entry(server)?.with_library(library, prefix)?;
                self.peers.push(derived);
                continue;
            }
            let Some(derived) = self.entries.iter().find_map(|entry| entry.derived(id)) else { continue };
            self.entries.push(derived.map_err(|problem| {
                RegistryError::entry("the command line", id, format!("is not known: {problem}"))
            })?);
        }
        Ok(())
    }
}
