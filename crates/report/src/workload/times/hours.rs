//! [`Hour`]: what happens at an hour of the day, in UTC.

use super::Times;

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

/// An hour of the day with all that was counted in it, on whichever day.
pub(in crate::workload) struct Hour {
    /// From 0, UTC.
    pub hour: u64,
    /// Seconds of it between the first and the last bucket.
    pub seconds: u64,
    pub requests: u64,
    pub connections: u64,
}

impl Times<'_> {
    /// Hours of which there is any time; none where nothing is dated, or buckets are too long to tell them.
    pub fn hours(&self) -> Vec<Hour> {
        if !self.is_dated() || self.width > HOUR || !HOUR.is_multiple_of(self.width) {
            return Vec::new();
        }
        let seconds = covered(self.begin, self.end);
        let mut hours: Vec<Hour> = (0..24)
            .map(|hour| Hour { hour, seconds: seconds[hour as usize], requests: 0, connections: 0 })
            .collect();
        for bucket in self.buckets {
            let hour = &mut hours[(bucket.at % DAY / HOUR) as usize];
            hour.requests = hour.requests.saturating_add(bucket.requests);
            hour.connections = hour.connections.saturating_add(bucket.connections);
        }
        hours.retain(|hour| hour.seconds > 0);
        hours
    }
}

/// How many seconds of each hour of the day lie between two times.
fn covered(begin: u64, end: u64) -> [u64; 24] {
    let mut seconds = [(end - begin) / DAY * HOUR; 24];
    let mut at = end - (end - begin) % DAY;
    while at < end {
        let next = (at / HOUR + 1).saturating_mul(HOUR).min(end);
        seconds[(at % DAY / HOUR) as usize] += next - at;
        at = next;
    }
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_second_is_of_one_hour() {
        for (begin, end) in
            [(0, 10), (3_590, 3_610), (80_000, 200_000), (5, 5 + DAY), (u64::MAX - 7_000, u64::MAX)]
        {
            assert_eq!(covered(begin, end).iter().sum::<u64>(), end - begin, "{begin} to {end}");
        }
        assert_eq!(covered(3_590, 3_610)[..2], [10, 10]);
        // From 22:13:20 to 07:33:20 of the day after the next.
        assert_eq!(covered(80_000, 200_000)[22], 2_800 + HOUR);
    }
}
