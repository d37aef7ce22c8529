//! [`Problem`]: what is wrong with a workload that is of the right form.

/// What is wrong with a workload that is of the right form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("it has no rate: give requests_per_second or connections_per_second")]
    NoRate,
    #[error(
        "it says three times what two say: leave out one of requests_per_second, connections_per_second and requests_per_connection"
    )]
    Rates,
    #[error("suites say which version of TLS they are of: leave protocols out")]
    Protocols,
    #[error("duration_s is {0}: give at least a second and at most 100 years")]
    Duration(String),
    #[error("{0} is below zero, or no number: give how many there are in a second")]
    Rate(&'static str),
    #[error("it comes to {0} requests or connections, more than can be counted: give a shorter duration_s")]
    TooMany(&'static str),
    #[error("the suite {suite} goes with none of keys: add one that it can have, or leave keys out")]
    Key { suite: String },
    #[error("the suite {suite} goes with none of groups: add one that it can have, or leave groups out")]
    Group { suite: String },
}
