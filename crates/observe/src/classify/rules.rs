//! [`Rules`]: all that is known of names.

use super::build::Builds;
use super::library::Library;
use super::meaning::{Meaning, Part};
use super::name;
use super::reading::{Reading, part};
use crate::frame::Frame;

/// All that is known of names. Earlier libraries go before later ones.
#[derive(Debug, Default)]
pub struct Rules {
    libraries: Vec<Library>,
    builds: Builds,
}

impl Rules {
    pub fn new(libraries: Vec<Library>, builds: Builds) -> Self {
        Self { libraries, builds }
    }

    /// Rules that go before all others.
    pub fn put_first(&mut self, library: Library) {
        self.libraries.insert(0, library);
    }

    pub fn read(&self, frame: &Frame) -> Reading {
        let of_build = || self.builds.name(frame.build_id.as_deref()?, frame.address?);
        let build_name = if frame.function.is_none() && !frame.is_kernel { of_build() } else { None };
        let function = frame.function.as_deref().or(build_name.as_deref());
        let is_kernel =
            frame.is_kernel || frame.module.as_deref().is_some_and(|name| name.starts_with("[kernel"));
        if is_kernel {
            let own = function.map_or(Meaning::default(), |function| self.of_kernel(function));
            return Reading { own, is_kernel, ..Reading::default() };
        }
        let (of_module, scope) = self.in_module(frame.module.as_deref());
        let own = function.map_or(Meaning::default(), |name| self.meaning(name, &scope));
        // The callee is in another file, and nobody knows in which.
        let callee = frame.callee.as_deref();
        let callee = callee.map_or(Meaning::default(), |name| self.meaning(name, &self.everything()));
        // Lists of other tools do not say which frames are the kernel's; the place where it is entered does.
        let entry = function.filter(|_| frame.module.is_none()).map(|function| self.of_kernel(function));
        let own = Meaning { kernel: entry.and_then(|entry| entry.kernel), ..own };
        let is_of_a_library = of_module.is_some();
        Reading { part: part(&own, of_module), own, callee, name: build_name, is_of_a_library, is_kernel }
    }

    fn everything(&self) -> Vec<&Library> {
        self.libraries.iter().collect()
    }

    /// Whose the file is, and whose names count in it: those of its library, or of all where it is nobody's.
    fn in_module(&self, module: Option<&str>) -> (Option<Part>, Vec<&Library>) {
        let Some(module) = module else { return (None, self.everything()) };
        let mut part = None;
        let mut scope: Vec<&Library> = Vec::new();
        for library in &self.libraries {
            if let Some((_, found)) = library.modules.find(module) {
                part = part.or(Some(found));
                scope.push(library);
            }
        }
        if scope.is_empty() {
            return (None, self.everything());
        }
        let extended = scope.iter().flat_map(|one| &one.extends).collect::<Vec<_>>();
        scope.extend(self.libraries.iter().filter(|one| extended.contains(&&one.id)));
        (part, scope)
    }

    fn meaning(&self, function: &str, scope: &[&Library]) -> Meaning {
        let of_the_jvm = name::of_the_jvm(function);
        let plain = of_the_jvm.as_deref().unwrap_or_else(|| name::plain(function));
        let prefixes = || self.libraries.iter().flat_map(|library| &library.prefixes);
        let plain = prefixes().find_map(|prefix| prefix.strip(plain)).unwrap_or(plain);
        let mut sum = Meaning::default();
        for library in scope {
            let meaning = library.meaning(plain);
            // What is no part of TLS by an earlier library is none by a later one, and the other way round.
            let is_other = |meaning: &Meaning| meaning.part.is_some_and(Part::is_other);
            if is_other(&sum) || (sum.is_known() && is_other(&meaning)) {
                continue;
            }
            sum = Meaning {
                part: sum.part.or(meaning.part),
                task: sum.task.or(meaning.task),
                operation: sum.operation.or(meaning.operation),
                overhead: sum.overhead.or(meaning.overhead),
                hint: sum.hint.or(meaning.hint),
                kernel: None,
            };
        }
        sum
    }

    fn of_kernel(&self, function: &str) -> Meaning {
        let plain = name::plain(function);
        let libraries = || self.libraries.iter();
        let kernel = libraries().find_map(|library| library.kernel.find(plain)).map(|(_, kernel)| kernel);
        let hint = libraries().find_map(|library| library.hints.find(plain)).map(|(_, hint)| hint);
        let overhead = libraries().find_map(|library| library.overhead.find(plain)).map(|(_, cost)| cost);
        Meaning { kernel, hint, overhead, ..Meaning::default() }
    }
}
