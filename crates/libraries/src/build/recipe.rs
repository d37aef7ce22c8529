//! How a library is built from its sources and installed: the steps of each recipe.

use std::path::Path;

use tlstax_measure::command::Run;

use super::step::Step;
use crate::registry::{Block, Recipe};

/// Changed when a recipe builds something else than before, so that what the cache holds is built anew.
pub(super) const RECIPES: u32 = 1;

/// Variables of the user's that would let a build find other headers and libraries than its own.
const SEARCH_PATHS: [&str; 12] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "CMAKE_PREFIX_PATH",
    "MAKEFLAGS",
];

pub(super) struct Places<'a> {
    /// The sources, which are shared with others and not written to.
    pub source: &'a Path,
    /// An empty folder to work in.
    pub work: &'a Path,
    pub prefix: &'a Path,
    /// Where the library that this one is built upon was installed.
    pub uses: Option<&'a Path>,
}

/// The steps from the sources to the installed library.
pub(super) fn steps(block: &Block, recipe: Recipe, places: &Places<'_>) -> Vec<Step> {
    match recipe {
        Recipe::Openssl => openssl(block, places),
        Recipe::Cmake => cmake(block, places),
        Recipe::Autotools => autotools(block, places),
        Recipe::Botan => botan(block, places),
        Recipe::Prefix => Vec::new(),
    }
}

fn openssl(block: &Block, places: &Places<'_>) -> Vec<Step> {
    let mut configure = vec![
        format!("{}/config", places.source.display()),
        format!("--prefix={}", places.prefix.display()),
        // A configuration file of the machine must not be found.
        format!("--openssldir={}/ssl", places.prefix.display()),
        "--libdir=lib".to_owned(),
        "no-tests".to_owned(),
        "no-shared".to_owned(),
    ];
    configure.extend(block.options.iter().cloned());
    vec![
        step("configure", "sh", configure, places.work),
        step("compile", "make", vec![jobs(), "build_libs".to_owned()], places.work),
        step("install", "make", vec!["install_dev".to_owned()], places.work),
    ]
}

fn cmake(block: &Block, places: &Places<'_>) -> Vec<Step> {
    let build = places.work.join("build").display().to_string();
    let mut configure = vec![
        "-S".to_owned(),
        places.source.display().to_string(),
        "-B".to_owned(),
        build.clone(),
        "-DCMAKE_BUILD_TYPE=Release".to_owned(),
        format!("-DCMAKE_INSTALL_PREFIX={}", places.prefix.display()),
        "-DCMAKE_INSTALL_LIBDIR=lib".to_owned(),
        "-DBUILD_SHARED_LIBS=OFF".to_owned(),
    ];
    configure.extend(places.uses.map(|prefix| format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    configure.extend(block.options.iter().cloned());
    let mut compile = vec!["--build".to_owned(), build.clone(), jobs()];
    if !block.targets.is_empty() {
        compile.push("--target".to_owned());
        compile.extend(block.targets.iter().cloned());
    }
    let mut steps = vec![
        step("configure", "cmake", configure, places.work),
        step("compile", "cmake", compile, places.work),
    ];
    steps.push(match block.targets.is_empty() {
        true => step("install", "cmake", vec!["--install".to_owned(), build], places.work),
        // What installs is a target that needs all the others.
        false => step("install", "sh", vec!["-ec".to_owned(), collect(block, places)], places.work),
    });
    steps
}

/// Copies headers and archives from where they are.
fn collect(block: &Block, places: &Places<'_>) -> String {
    let prefix = places.prefix.display();
    let mut script = format!("mkdir -p {prefix}/lib; cp -r {}/include {prefix}/;", places.source.display());
    for archive in &block.archives {
        script += &format!(" cp \"$(find build -name lib{archive}.a | head -n 1)\" {prefix}/lib/;");
    }
    script
}

fn autotools(block: &Block, places: &Places<'_>) -> Vec<Step> {
    let tree = places.work.join("tree");
    let mut configure = vec![
        format!("--prefix={}", places.prefix.display()),
        format!("--libdir={}/lib", places.prefix.display()),
        "--disable-shared".to_owned(),
        "--enable-static".to_owned(),
    ];
    configure.extend(block.options.iter().cloned());
    let copy = vec!["-r".to_owned(), places.source.display().to_string(), tree.display().to_string()];
    vec![
        step("copy the sources", "cp", copy, places.work),
        step("make configure", "autoreconf", vec!["-i".to_owned()], &tree),
        step("configure", "./configure", configure, &tree),
        step("compile", "make", vec![jobs()], &tree),
        step("install", "make", vec!["install".to_owned()], &tree),
    ]
}

fn botan(block: &Block, places: &Places<'_>) -> Vec<Step> {
    let unpack = format!("tar -xf {}/Botan-*.tar.xz --strip-components=1", places.source.display());
    let mut configure = vec![
        "configure.py".to_owned(),
        format!("--prefix={}", places.prefix.display()),
        "--libdir=lib".to_owned(),
        "--disable-shared-library".to_owned(),
        "--build-targets=static".to_owned(),
        "--without-documentation".to_owned(),
    ];
    configure.extend(block.options.iter().cloned());
    vec![
        step("unpack the sources", "sh", vec!["-ec".to_owned(), unpack], places.work),
        step("configure", "python3", configure, places.work),
        step("compile", "make", vec![jobs()], places.work),
        step("install", "make", vec!["install".to_owned()], places.work),
    ]
}

fn step(name: &str, program: &str, arguments: Vec<String>, folder: &Path) -> Step {
    let hidden = SEARCH_PATHS.map(str::to_owned).to_vec();
    Step::new(
        name,
        Run { program: program.to_owned(), arguments, folder: folder.to_owned(), hidden, ..Run::default() },
    )
}

fn jobs() -> String {
    format!("-j{}", std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}
