//! How work grows with threads: measured curves, the regime that they show, a law where one fits, and predictions that stop where the
//! data stop.

mod curve;
mod curves;
mod law;
mod lock;
mod point;
mod regime;
mod usl;

pub use curve::{At, Curve, FEWEST};
pub use curves::{Measured, curves};
pub use law::Law;
pub use lock::Lock;
pub use point::Point;
pub use regime::Regime;
pub use usl::Usl;

#[cfg(test)]
mod tests;
