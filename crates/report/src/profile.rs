//! What a profile of a server says: how much of its CPU time is TLS, and which part of TLS.

mod account;
mod algorithms;
mod captures;
mod classes;
mod difference;
mod evidence;
mod flame;
mod name;
mod processes;
mod rows;
mod said;
mod several;
mod view;
mod witness;
mod work;

pub use difference::compare_profiles;
pub use flame::flame_graph;
pub use name::class_name;
pub use several::profiles_side_by_side;
pub use view::profile_view;
pub use witness::ProfileWitness;
