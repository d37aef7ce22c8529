//! Pure numbers: from batches and reference readings to a cost with its interval, a ratio, a verdict.
//!
//! Nothing here reads a clock, allocates a thread or knows what TLS is. The method is docs/method.md, section 2; the
//! one idea behind all of it: the machine changes under the measurement, so every cost is seen beside two
//! [reference kernels](Reading), and whole rounds, never single batches, are the units that chance is judged by.
//!
//! - [`Baseline`]: the machine at its own best in one run, and the [`Gate`] that separates quiet from disturbed; [`Machine`]: its
//!   clock from reading to reading, and whether somebody disturbs it;
//! - [`lower_mode`]: what parts of a batch cost while nobody does;
//! - [`estimate`]: the cost of a case; [`ratio`]: of two cases of one run, round by round;
//! - [`compare`]: the same case in two runs, between which the machine may have changed; [`compare_within`]: two cases of one run;
//! - [`count`], [`compare_counts`]: the same of instructions, which the machine does not change;
//! - [`affine`]: cost per call and per byte;
//! - [`least_squares`]: several costs from sums of them;
//! - [`Scatter`]: how long a set of processes should be kept;
//! - [`proportion`]: the part of a whole that samples show;
//! - [`Ratio`], [`Percent`], [`HalfWidth`]: what such numbers are given as;
//! - [`median`], [`quantile`], [`median_interval`]: the order statistics under them.

mod affine;
mod baseline;
mod compare;
mod count;
mod estimate;
mod least_squares;
mod machine;
mod mode;
mod observation;
mod order;
mod percent;
mod proportion;
mod reference;
mod rounds;
mod shares;
mod sittings;
mod undisturbed;

pub use affine::{Affine, affine};
pub use baseline::{Baseline, Gate};
pub use compare::{Comparison, Reason, Settings, Verdict, compare, compare_within};
pub use count::{COUNT_FLOOR, COUNTS, FEW_COUNTS, compare_counts, count, is_counted};
pub use estimate::{Estimate, estimate, ratio};
pub use least_squares::{Equation, LeastSquares, least_squares};
pub use machine::Machine;
pub use mode::lower_mode;
pub use observation::{Basis, MIN_ROUNDS, Observation, Side};
pub use order::{Interval, median, median_interval, quantile};
pub use percent::{HalfWidth, Percent, Ratio};
pub use proportion::{InSpan, proportion};
pub use reference::Reading;
pub use shares::Shares;
pub use sittings::Scatter;
