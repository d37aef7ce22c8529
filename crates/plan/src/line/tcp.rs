//! How fast one stream of TCP can be at all.

/// Bytes in a second that one stream carries with this loss, a part of all packets, in this round-trip time in seconds: TCP Reno as
/// Mathis, Semke, Mahdavi and Ott model it ("The macroscopic behavior of the TCP congestion avoidance algorithm", 1997): segment /
/// time x sqrt(3/2) / sqrt(loss). None without loss, where nothing but the line and the cores limits it.
pub fn reno(segment: f64, rtt: f64, loss: f64) -> Option<f64> {
    (loss > 0.0 && rtt > 0.0).then(|| segment / rtt * 1.5_f64.sqrt() / loss.sqrt())
}
