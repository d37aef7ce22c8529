//! The items that loads are.

use tlstax_spec::Load;

use crate::ask::Item;

pub(crate) type Found<'a> = Item<'a, Load>;
