//! What TCP makes of a large flight of a handshake.

/// What can be sent at once on a new TCP connection: ten segments of the usual size (RFC 6928).
const INITIAL_WINDOW: u64 = 10 * 1460;

/// How many round trips a server waits for the window of a new TCP connection to open for its flight, in words; none if
/// the flight goes out at once.
pub(crate) fn more_round_trips(bytes: u64) -> Option<String> {
    let (mut trips, mut window, mut sent) = (0, INITIAL_WINDOW, INITIAL_WINDOW);
    // The window grows by what was acknowledged, so it doubles.
    while sent < bytes {
        trips += 1;
        window = window.saturating_mul(2);
        sent = sent.saturating_add(window);
    }
    let more = match trips {
        0 => return None,
        1 => "one round trip".to_owned(),
        trips => format!("{trips} round trips"),
    };
    Some(format!(
        "larger than TCP's initial window of 10 x 1460 bytes (RFC 6928), {more} more on a new TCP connection"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d22_the_window_of_a_flight_that_cannot_be_ends_somewhere() {
        assert!(more_round_trips(u64::MAX).is_some());
    }

    #[test]
    fn a_large_flight_waits_for_the_window() {
        let more = |bytes| more_round_trips(bytes).unwrap_or_default();
        assert_eq!(more_round_trips(14_600), None);
        assert!(more(14_601).ends_with("one round trip more on a new TCP connection"));
        assert!(more(43_800).contains("one round trip more"));
        assert!(more(43_801).contains("2 round trips more"));
    }
}
