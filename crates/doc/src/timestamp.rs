//! When a run began and ended, in the words of its document.

use jiff::Timestamp;

/// Seconds since 1970 as date and time in UTC, RFC 3339 to the second; 1970 for what lies beyond the year 9999.
pub fn rfc3339(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or_default();
    Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_form_of_rfc_3339() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(1_795_334_400), "2026-11-22T08:00:00Z");
        assert_eq!(rfc3339(u64::MAX), rfc3339(0));
    }
}
