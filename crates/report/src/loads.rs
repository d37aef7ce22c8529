//! Loads as several sections need them: their two ends, their partners without TLS, who was the limit, and the
//! notes on them.

mod bound;
mod cost;
mod fit;
mod item;
mod pairs;
mod remarks;
mod speed;

pub(crate) use bound::{Bound, SATURATED, any_is_limited, bound, has_own_core, multiple, server_cost};
pub(crate) use cost::{kernel, rate};
pub(crate) use fit::fitted;
pub(crate) use item::{
    Ends, Found, HIT_RATE, by_ends, hit_rate, is_null, is_only_a_transfer, is_transfer, resumes, resumptions,
};
pub(crate) use pairs::{Pair, labels, pairs, plain, plain_over};
pub(crate) use remarks::remarks;
pub(crate) use speed::{SPEED, speed, speed_in_user_space};
