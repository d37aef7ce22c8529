//! Draws documents: from Results to one [`View`], and from the view to every format.
//!
//! The view says what is shown, in which order and in which words; a [`Format`] only draws it. Everything here is a
//! pure function from documents to text: nothing is printed, no file is read or written.

mod ask;
mod brief;
mod checked;
mod claims;
mod compare;
mod compose;
mod costs;
mod cut;
mod explained;
mod figure;
mod formats;
mod grid;
mod holes;
mod label;
mod loads;
mod machines;
mod model;
mod network;
mod notes;
mod number;
mod phrase;
mod plan;
mod predicted;
mod printable;
mod profile;
mod sections;
mod suites;
mod told;
mod workload;
mod wrap;

pub use brief::{Answer, Brief, machine};
pub use claims::claims_view;
pub use compare::{Change, Comparison, Gate, Lost, Regression, compare, compare_libraries};
pub use costs::model_view;
pub use explained::explanation_view;
pub use formats::{EXPORTS, FORMATS, Format, Style, format};
pub use machines::side_by_side;
pub use model::{
    Block, Cell, Chart, ClaimFigure, Column, CostFigure, Figure, Quantity, Role, Row, Section, Series, Share,
    Sign, Slider, SliderTerm, Table, TrafficFigure, View,
};
pub use network::{ImpossibleMtu, IpVersion, Network};
pub use plan::plan_view;
pub use predicted::checked_view;
pub use printable::Printable;
pub use profile::{
    ProfileWitness, class_name, compare_profiles, flame_graph, profile_view, profiles_side_by_side,
};
pub use sections::{Published, PublishedProblem};
pub use suites::{ListedSuite, SuiteList, SuiteLists, suites_view};
pub use workload::{workload_view, workloads_side_by_side};
