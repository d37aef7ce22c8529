//! The items that loads are.

use tlstax_spec::Load;

use crate::ask::Item;

/// A load among the measurements.
pub(crate) type Found<'a> = Item<'a, Load>;
