//! [`Files`]: the files that processes have mapped, each opened once.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::rc::Rc;

use super::image::Image;
use super::machine::Architecture;
use super::mapping::Mapping;
use super::notes::{Missing, Notes};
use super::vdso;

/// What a file is called that the kernel maps into every process.
const VDSO: &str = "[vdso]";

/// The files that processes have mapped, each opened once.
#[derive(Debug)]
pub struct Files {
    architecture: Architecture,
    /// Whether processes may be alive on this machine.
    is_here: bool,
    opened: HashMap<Key, Option<Rc<Image>>>,
    vdso: Option<Option<Rc<Image>>>,
    pub notes: Notes,
}

/// What makes two files one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    path: String,
    build_id: Option<String>,
    /// The mount namespace in which the path is, by what /proc calls it; none is ours.
    namespace: Option<PathBuf>,
    /// Of a file that has been deleted: the process that still has it.
    holder: Option<u32>,
}

impl Files {
    pub fn new(architecture: Architecture, is_here: bool) -> Self {
        Self { architecture, is_here, opened: HashMap::new(), vdso: None, notes: Notes::default() }
    }

    /// The file of a mapping of a process; none where it cannot be had, which is noted.
    pub fn open(&mut self, process: u32, mapping: &Mapping) -> Option<Rc<Image>> {
        let (path, is_deleted) = mapping.file();
        let key = Key {
            path: path.to_owned(),
            build_id: mapping.build_id.clone(),
            namespace: self.is_here.then(|| foreign_namespace(process)).flatten(),
            holder: is_deleted.then_some(process),
        };
        if let Some(image) = self.opened.get(&key) {
            return image.clone();
        }
        let image = self.read(process, mapping, key.namespace.is_some()).map_err(|missing| {
            self.notes.add(missing, path);
        });
        let image = image.ok().map(Rc::new);
        self.opened.insert(key, image.clone());
        image
    }

    fn read(&self, process: u32, mapping: &Mapping, is_foreign: bool) -> Result<Image, Missing> {
        let (path, is_deleted) = mapping.file();
        let mut candidates = Vec::new();
        if self.is_here {
            // The very file, whatever has taken its name; the kernel shows it to few.
            candidates.push(format!("/proc/{process}/map_files/{:x}-{:x}", mapping.start, mapping.end));
            if !is_deleted {
                candidates.push(format!("/proc/{process}/root{path}"));
            }
        }
        if !(is_foreign || is_deleted && self.is_here) {
            candidates.push(path.to_owned());
        }
        let module = path.rsplit('/').next().unwrap_or(path);
        let mut worst = if is_deleted { Missing::Deleted } else { Missing::File };
        for candidate in candidates {
            // What lies on the way may be anything: a pipe would hold us for ever.
            let is_file = fs::metadata(&candidate).is_ok_and(|about| about.is_file());
            let Some(file) = is_file.then(|| File::open(&candidate).ok()).flatten() else { continue };
            match Image::of_file(module, file, self.architecture) {
                Ok(image) if is_it(&image, mapping) => return Ok(image),
                Ok(_) => worst = Missing::Replaced,
                Err(_) => worst = Missing::Format,
            }
        }
        Err(worst)
    }

    /// What the kernel maps into every process; none where samples are of another kernel.
    pub fn vdso(&mut self, is_kernel_here: bool) -> Option<Rc<Image>> {
        let architecture = self.architecture;
        let read = || {
            let bytes = is_kernel_here.then(vdso::bytes).flatten()?;
            Image::of_memory(VDSO, bytes, architecture).ok().map(Rc::new)
        };
        self.vdso.get_or_insert_with(read).clone()
    }
}

/// Whether this is the build that was mapped, as far as the source says which.
fn is_it(image: &Image, mapping: &Mapping) -> bool {
    match (&mapping.build_id, image.build_id()) {
        // Perf fills short ones up with zeros.
        (Some(wanted), Some(found)) => wanted.trim_end_matches('0') == found.trim_end_matches('0'),
        (Some(wanted), None) => wanted.bytes().all(|digit| digit == b'0'),
        (None, _) => true,
    }
}

/// The mount namespace of a process, where it is not ours; none of one that has ended.
fn foreign_namespace(process: u32) -> Option<PathBuf> {
    let of = |who: &str| fs::read_link(format!("/proc/{who}/ns/mnt")).ok();
    of(&process.to_string()).filter(|namespace| Some(namespace) != of("self").as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(path: &str, build_id: Option<&str>) -> Mapping {
        Mapping { start: 0, end: 1, offset: 0, path: path.to_owned(), build_id: build_id.map(str::to_owned) }
    }

    fn ourselves() -> String {
        std::env::current_exe().unwrap().to_str().unwrap().to_owned()
    }

    #[test]
    fn a_file_is_opened_once() {
        let mut files = Files::new(Architecture::here().unwrap(), true);
        let ours = mapping(&ourselves(), None);
        let first = files.open(std::process::id(), &ours).unwrap();
        assert!(Rc::ptr_eq(&first, &files.open(std::process::id(), &ours).unwrap()));
        assert!(files.notes.all().is_empty());
    }

    #[test]
    fn another_build_is_refused_and_said() {
        let mut files = Files::new(Architecture::here().unwrap(), false);
        assert!(files.open(1, &mapping(&ourselves(), Some("12ab"))).is_none());
        assert!(files.open(1, &mapping("/no/such/file", None)).is_none());
        assert!(files.open(1, &mapping("/proc/self/status", None)).is_none());
        let notes = files.notes.all();
        let said: Vec<&str> = notes.iter().map(|note| note.what.as_str()).collect();
        assert!(said[0].contains("/no/such/file") && said[1].contains("another build"), "{said:?}");
        assert!(said[2].contains("no ELF file"), "{said:?}");
    }

    #[test]
    fn what_was_deleted_is_not_taken_from_what_has_its_name_now() {
        let mut files = Files::new(Architecture::here().unwrap(), true);
        assert!(files.open(u32::MAX, &mapping(&format!("{} (deleted)", ourselves()), None)).is_none());
        assert!(files.notes.all()[0].what.contains("was deleted"));
    }
}
