//! [`TrafficFigure`]: what was counted of one kind of connection, in one span of time, or of sizes, as a row of a data frame.

use serde::Serialize;

/// A row of a data frame. What is not known, or does not apply, is empty.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct TrafficFigure {
    /// The workload, by the name of its file.
    pub workload: String,
    /// What the row is about: all, class, protocol, suite, group, key, resumption, http, time, hour; of sizes and requests per
    /// connection: responses, requests, records-out, records-in, certificates, per-connection.
    pub table: &'static str,
    /// Of kinds: the value, where `unknown` is what the source does not tell; of time: when it began; else the statistic.
    pub name: String,
    /// Connections that are known to have begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<u64>,
    /// How many there may have been at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections_at_most: Option<u64>,
    /// Full handshakes that are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<u64>,
    /// Resumptions that are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// Bytes that servers are known to have sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_out: Option<u64>,
    /// Bytes that clients are known to have sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_in: Option<u64>,
    /// Of a statistic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Of the value.
    pub unit: &'static str,
}
