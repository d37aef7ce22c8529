//! The file of the registry, the user's own file beside it, and finding a library in them.

use std::path::Path;

use serde::Deserialize;
use tlstax_doc::LibraryKind;
use tlstax_names::{did_you_mean, fold, unknown_key};
use tlstax_spec::{Id, InvalidId};

use super::block::Group;
use super::entry::Entry;
use super::ids::{LIBRARY_MARK, WITHOUT, asks_for_less, reserved};
use super::pattern::LibraryPattern;
use crate::Home;

/// Other names of servers and libraries, of packages, of programs, of languages, each with the id.
pub const ID_ALIASES: [(&str, &str); 6] = [
    ("apache2", "apache"),
    ("httpd", "apache"),
    ("golang", "go"),
    ("jsse", "java"),
    ("nodejs", "node"),
    ("s2n-tls", "s2n"),
];

/// Every library build that tlstax knows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registry {
    /// In the order of the file, which is the order of tables.
    #[serde(rename = "library")]
    pub entries: Vec<Entry>,
    /// Servers and clients that people run: they are no libraries, and take part in loads when they are named.
    #[serde(skip, default = "Entry::peers")]
    pub peers: Vec<Entry>,
}

#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    #[error(transparent)]
    Read(#[from] tlstax_doc::StoreError),
    #[error("{path}: {source}{}", unknown_key(source))]
    Malformed { path: String, source: toml::de::Error },
    /// Two libraries have one name, or a block makes no sense.
    #[error("{path}: library '{id}' {problem}")]
    Entry { path: String, id: Id, problem: String },
    /// The user's own file cannot be used; the rest could.
    #[error("{problem}; correct that line of {path}, or delete its block: the library can be added again")]
    Own { problem: Box<Self>, path: String },
    #[error("no library has an id that begins as in '{pattern}'; known: {known}")]
    NoneFits { pattern: LibraryPattern, known: String },
    /// What an id was made of is too long to be one.
    #[error(transparent)]
    Id(#[from] InvalidId),
    #[error(
        "no library '{id}' in the registry, and no server or client;{} known: {known}",
        did_you_mean(id, known.split(", "))
    )]
    Unknown { id: String, known: String },
}

impl RegistryError {
    pub(crate) fn entry(path: &str, id: &Id, problem: String) -> Self {
        Self::Entry { path: path.to_owned(), id: id.clone(), problem }
    }
}

impl Registry {
    /// Reads the project's registry and the user's own beside it, or another one in their place.
    ///
    /// # Errors
    /// A file cannot be read, or a block in it makes no sense.
    pub fn read(home: &Home, other: Option<&Path>) -> Result<Self, RegistryError> {
        let path = other.map_or_else(|| home.registry(), Path::to_owned);
        let mut registry = Self::parse(&tlstax_doc::read(&path)?, &path.display().to_string())?;
        let own = home.own_registry();
        if other.is_none() && own.is_file() {
            registry.extend(&own).map_err(|problem| RegistryError::Own {
                problem: Box::new(problem),
                path: own.display().to_string(),
            })?;
        }
        Ok(registry)
    }

    /// Takes up the libraries of another file.
    fn extend(&mut self, file: &Path) -> Result<(), RegistryError> {
        let path = file.display().to_string();
        self.entries.extend(Self::parse(&tlstax_doc::read(file)?, &path)?.entries);
        self.check(&path)
    }

    /// Whether the user may call a library of their own so.
    ///
    /// # Errors
    /// The id means something already.
    pub fn accepts(&self, id: &Id) -> Result<(), RegistryError> {
        let taken = self.entry(id).is_ok().then(|| "is there already; choose another id".to_owned());
        match taken.or_else(|| reserved(id)).or_else(|| asks_for_less(id)) {
            Some(problem) => Err(RegistryError::entry("libraries add", id, problem)),
            None => Ok(()),
        }
    }

    /// Reads the text of a registry; the path is for messages.
    ///
    /// # Errors
    /// The text is no registry, or a block in it makes no sense.
    pub fn parse(text: &str, path: &str) -> Result<Self, RegistryError> {
        let registry: Self = toml::from_str(text)
            .map_err(|source| RegistryError::Malformed { path: path.to_owned(), source })?;
        registry.check(path)?;
        Ok(registry)
    }

    fn check(&self, path: &str) -> Result<(), RegistryError> {
        let mut seen = Vec::new();
        let is_taken = |entry: &&Entry| self.peers.iter().any(|peer| peer.id == entry.id);
        if let Some(entry) = self.entries.iter().find(is_taken) {
            let problem = "has the name of a server or client program; give it another id".to_owned();
            return Err(RegistryError::entry(path, &entry.id, problem));
        }
        for entry in &self.entries {
            let twice =
                seen.contains(&&entry.id).then(|| "stands there twice; give one another id".to_owned());
            if let Some(problem) = twice.or_else(|| entry.block()?.problem()) {
                return Err(RegistryError::entry(path, &entry.id, problem));
            }
            seen.push(&entry.id);
        }
        Ok(())
    }

    /// The libraries, then the servers and clients.
    pub fn all(&self) -> impl Iterator<Item = &Entry> + Clone {
        self.entries.iter().chain(&self.peers)
    }

    /// The entry of this id.
    ///
    /// # Errors
    /// Nothing has this id.
    pub fn entry(&self, id: &str) -> Result<&Entry, RegistryError> {
        self.all()
            .find(|entry| entry.id == id)
            .ok_or_else(|| RegistryError::Unknown { id: id.to_owned(), known: self.known() })
    }

    fn known(&self) -> String {
        self.all().map(|entry| entry.id.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The entry that a user calls so: by its id, whatever its capitals and punctuation, or by an alias.
    ///
    /// # Errors
    /// Nothing in the registry, or more than one entry, goes by that name.
    pub fn find(&self, name: &str) -> Result<&Entry, RegistryError> {
        match name.parse() {
            Ok(id) => self.entry(&self.canonical(&id)),
            Err(InvalidId { .. }) => self.entry(name),
        }
    }

    /// The id of what a user calls so, with what is switched off in it, or the library that a server is to use. A name that
    /// nothing goes by, or more than one entry, stays as it is, for [`Registry::entry`] to refuse.
    pub fn canonical(&self, name: &Id) -> Id {
        let found = self.id_of(name).cloned().or_else(|| {
            let derived = match (name.split_once(LIBRARY_MARK), name.split_once(WITHOUT)) {
                (Some((server, library)), _) => {
                    format!("{}{LIBRARY_MARK}{}", self.id_of(server)?, self.id_of(library)?)
                }
                (None, Some((library, off))) => format!("{}{WITHOUT}{off}", self.id_of(library)?),
                (None, None) => return None,
            };
            derived.parse().ok()
        });
        found.unwrap_or_else(|| name.clone())
    }

    /// The one id that is spelled so, or that the alias stands for.
    fn id_of(&self, name: &str) -> Option<&Id> {
        if let Ok(entry) = self.entry(name) {
            return Some(&entry.id);
        }
        let alias = ID_ALIASES.iter().find(|(alias, _)| fold(alias) == fold(name)).map(|(_, id)| *id);
        let mut fits = self.all().filter(|entry| fold(&entry.id) == fold(alias.unwrap_or(name)));
        let found = fits.next()?;
        fits.next().is_none().then_some(&found.id)
    }

    /// The entries that are built together under a word of [`GROUPS`].
    pub fn group(&self, word: &str) -> Option<Vec<&Entry>> {
        let belongs: fn(&Entry) -> bool = match word {
            "default" => |entry| entry.default || entry.kind != LibraryKind::Library,
            "fast" => |entry| entry.is_in(Group::Fast),
            "standard" => |entry| entry.is_in(Group::Standard),
            "all" => |_| true,
            _ => return None,
        };
        Some(self.entries.iter().filter(|entry| belongs(entry)).collect())
    }

    /// The entries of these ids, or the default ones if none are named.
    ///
    /// # Errors
    /// Nothing has one of these ids.
    pub fn choose(&self, ids: &[Id]) -> Result<Vec<&Entry>, RegistryError> {
        if ids.is_empty() {
            return Ok(self.entries.iter().filter(|entry| entry.default).collect());
        }
        ids.iter().map(|id| self.entry(id)).collect()
    }

    /// The entries that a study is about: those whose id fits one of the patterns; without patterns, the default ones.
    ///
    /// # Errors
    /// A pattern fits nothing that is known.
    pub fn about(&self, patterns: &[LibraryPattern]) -> Result<Vec<&Entry>, RegistryError> {
        if patterns.is_empty() {
            return self.choose(&[]);
        }
        if let Some(pattern) =
            patterns.iter().find(|pattern| !self.all().any(|entry| pattern.fits(&entry.id)))
        {
            return Err(match pattern {
                LibraryPattern::One(id) => RegistryError::Unknown { id: id.to_string(), known: self.known() },
                pattern => RegistryError::NoneFits { pattern: pattern.clone(), known: self.known() },
            });
        }
        let fits = |entry: &&Entry| patterns.iter().any(|pattern| pattern.fits(&entry.id));
        let is_measured = |entry: &&Entry| entry.is_peer() || entry.kind == LibraryKind::Library;
        Ok(self.all().filter(fits).filter(is_measured).collect())
    }

    /// The entry of the control row, which shows the harness's own cost.
    pub fn control_row(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.kind == LibraryKind::Control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Registry::read(&Home::find(Some(root)).unwrap(), None).unwrap()
    }

    #[test]
    fn aliases_of_ids_are_no_ids_and_stand_for_one() {
        let registry = registry();
        for (alias, id) in ID_ALIASES {
            assert!(registry.entry(alias).is_err(), "{alias} is an id");
            assert_eq!(registry.find(alias).unwrap().id, id);
        }
    }

    #[test]
    fn d36_ids_are_found_as_people_write_them_and_mistakes_are_answered() {
        let registry = registry();
        for (name, id) in [
            ("OpenSSL", "openssl"),
            ("openssl36", "openssl-3.6"),
            ("AWS_LC", "aws-lc"),
            ("Apache2", "apache"),
            ("HTTPD@OpenSSL-3.6", "apache@openssl-3.6"),
            ("OpenSSL-without-aes", "openssl-without-aes"),
            ("openssl-3.6-without-asm", "openssl-3.6-without-asm"),
            ("nonesuch", "nonesuch"),
        ] {
            assert_eq!(registry.canonical(&Id::literal(name)), id, "{name}");
        }
        let error = registry.find("opensll").unwrap_err().to_string();
        assert!(
            error.contains(
                "no library 'opensll' in the registry, and no server or client; did you mean openssl"
            ),
            "{error}"
        );
    }
}
