//! The model that all formats draw. It knows nothing of how it is composed, nor of how it is drawn.

mod claim;
mod cost;
mod quantity;
mod share;
mod slider;
mod table;
mod traffic;
mod view;

pub use claim::ClaimFigure;
pub use cost::CostFigure;
pub use quantity::{Quantity, Sign};
pub use share::Share;
pub use slider::{Slider, SliderTerm};
pub use table::{Cell, Column, Role, Row, Table};
pub use traffic::TrafficFigure;
pub use view::{Block, Chart, Figure, Section, Series, View};
