//! Which module of a crate imports which, as the compiler reads it: from the syntax trees of its files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, File, Ident, Item, ItemMod, ItemUse, UseTree, Visibility};

/// The segments of a path, or of a module's place below the root of its crate.
type Segments = Vec<String>;

/// What stands in the file of one module, tests apart.
#[derive(Default)]
struct Module {
    children: BTreeSet<String>,
    /// Names that are handed on by `pub use`, each with where it comes from.
    exports: BTreeMap<String, Segments>,
    /// Paths that it names, aliases resolved to where they lead.
    mentions: BTreeSet<Segments>,
}

/// The modules of one crate by their places; the root is the empty one.
#[derive(Default)]
pub struct Modules(BTreeMap<Segments, Module>);

impl Modules {
    /// Reads the root of a crate and every file that it declares.
    pub fn read(root: &Path) -> Self {
        let mut modules = Self::default();
        modules.take(root, root.parent().unwrap(), Vec::new());
        modules
    }

    fn take(&mut self, file: &Path, folder: &Path, place: Segments) {
        let tree = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap();
        let (module, files) = Reader::read(&tree, &place);
        self.0.insert(place.clone(), module);
        for name in files {
            let nested = folder.join(&name);
            let candidates = [folder.join(format!("{name}.rs")), nested.join("mod.rs")];
            let found = candidates.into_iter().find(|one| one.is_file());
            let found = found.unwrap_or_else(|| panic!("{}: no file of module {name}", file.display()));
            self.take(&found, &nested, [place.as_slice(), &[name]].concat());
        }
    }

    /// The arrows of those modules that import each other in a circle, and of what lies between two circles.
    pub fn circles(&self) -> Vec<(String, String)> {
        let mut arrows: BTreeSet<(&[String], &[String])> = BTreeSet::new();
        for (place, module) in &self.0 {
            let targets = module.mentions.iter().map(|path| self.home_of(path, 0));
            arrows.extend(targets.filter(|to| *to != place.as_slice()).map(|to| (place.as_slice(), to)));
        }
        loop {
            let starts: BTreeSet<_> = arrows.iter().map(|(from, _)| *from).collect();
            let ends: BTreeSet<_> = arrows.iter().map(|(_, to)| *to).collect();
            let before = arrows.len();
            arrows.retain(|(from, to)| ends.contains(from) && starts.contains(to));
            if arrows.len() == before {
                return arrows.into_iter().map(|(from, to)| (from.join("::"), to.join("::"))).collect();
            }
        }
    }

    /// The module that defines what a path names.
    fn home_of<'a>(&'a self, path: &[String], depth: usize) -> &'a [String] {
        assert!(depth < 20, "re-exports lead in a circle: {path:?}");
        let (mut place, mut module) = self.0.get_key_value(&[] as &[String]).unwrap();
        for (at, segment) in path.iter().enumerate() {
            if module.children.contains(segment) {
                let below = [place.as_slice(), std::slice::from_ref(segment)].concat();
                (place, module) = self.0.get_key_value(&below).unwrap();
            } else if let Some(origin) = module.exports.get(segment) {
                let path = [origin.as_slice(), &path[at + 1..]].concat();
                return self.home_of(&path, depth + 1);
            } else {
                break;
            }
        }
        place
    }
}

/// Collects what one file declares, hands on and names.
struct Reader {
    /// Where the reader is: the file's module, and modules that stand within the file, whose names are the file's own.
    place: Segments,
    module: Module,
    files: Vec<String>,
}

impl Reader {
    fn read(tree: &File, place: &[String]) -> (Module, Vec<String>) {
        let mut reader = Self { place: place.to_vec(), module: Module::default(), files: Vec::new() };
        for item in &tree.items {
            if let Item::Mod(declared) = item
                && declared.content.is_none()
                && !is_test(&declared.attrs)
            {
                let name = declared.ident.to_string();
                reader.module.children.insert(name.clone());
                reader.files.push(name);
            }
        }
        reader.visit_file(tree);
        (reader.module, reader.files)
    }

    /// From the root of the crate; none for a path that leads out of it, or begins with a name of this file.
    fn absolute(&self, path: &[String]) -> Option<Segments> {
        let (first, mut rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => self.place.clone(),
            "super" => self.place[..self.place.len().checked_sub(1)?].to_vec(),
            child if self.module.children.contains(child) => [&self.place, &path[..1]].concat(),
            _ => return None,
        };
        while let [first, others @ ..] = rest
            && first == "super"
        {
            base.pop();
            rest = others;
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    fn mention(&mut self, path: &[String]) {
        self.module.mentions.extend(self.absolute(path));
    }

    fn take_use(&mut self, tree: &UseTree, before: &[String], hands_on: bool) {
        let with = |name: &Ident| [before, &[name.to_string()]].concat();
        let (path, alias) = match tree {
            UseTree::Path(one) => return self.take_use(&one.tree, &with(&one.ident), hands_on),
            UseTree::Group(group) => {
                return group.items.iter().for_each(|one| self.take_use(one, before, hands_on));
            }
            UseTree::Name(one) if one.ident == "self" => (before.to_vec(), before.last().cloned()),
            UseTree::Name(one) => (with(&one.ident), Some(one.ident.to_string())),
            UseTree::Rename(one) => (with(&one.ident), Some(one.rename.to_string())),
            UseTree::Glob(_) => (before.to_vec(), None),
        };
        match (hands_on, alias, self.absolute(&path)) {
            (true, Some(alias), Some(origin)) => _ = self.module.exports.insert(alias, origin),
            _ => self.mention(&path),
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(one) => &one.attrs,
            Item::Fn(one) => &one.attrs,
            Item::Use(one) => &one.attrs,
            Item::Impl(one) => &one.attrs,
            _ => &Vec::new(),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, inline: &'ast ItemMod) {
        self.place.push(inline.ident.to_string());
        visit::visit_item_mod(self, inline);
        self.place.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.take_use(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Segments = path.segments.iter().map(|one| one.ident.to_string()).collect();
        if segments.len() > 1 {
            self.mention(&segments);
        }
        visit::visit_path(self, path);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is = |one: &Attribute| {
        one.path().is_ident("cfg") && one.parse_args::<Ident>().is_ok_and(|is| is == "test")
    };
    attributes.iter().any(is)
}
