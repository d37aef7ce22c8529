//! The processed profile of the Firefox profiler, which samply writes, too:
//! <https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md>.

mod document;
mod reading;
mod stacks;
mod weighing;

pub use reading::read;
