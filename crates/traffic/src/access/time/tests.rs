//! Times as logs write them.

use proptest::prelude::*;

use super::*;

fn pattern_of(pattern: &str) -> TimeForm {
    TimeForm::Pattern(items(pattern).unwrap())
}

#[track_caller]
fn check(form: &TimeForm, text: &str, expected: Option<(i64, usize)>) {
    assert_eq!(form.read(text.as_bytes()), expected, "{text}");
}

#[test]
fn every_form_is_read_to_its_end() {
    // date -u -d '2026-11-22 21:22:13' +%s
    let at = 1_795_382_533;
    check(&TimeForm::Common, "22/Nov/2026:21:22:13 +0000] x", Some((at, 26)));
    check(&TimeForm::Common, "23/Nov/2026:02:52:13 +0530", Some((at, 26)));
    check(&TimeForm::Common, "22/Nov/2026:16:22:13 -0500", Some((at, 26)));
    check(&TimeForm::CommonMillis, "22/Nov/2026:21:22:13.123] x", Some((at, 24)));
    check(&TimeForm::Iso, "2026-11-22T21:22:13+00:00 x", Some((at, 25)));
    check(&TimeForm::Iso, "2026-11-22T21:22:13.123456Z x", Some((at, 27)));
    check(&TimeForm::Iso, "2026-11-22T21:22:13 x", Some((at, 19)));
    check(&TimeForm::Epoch(1), "1795382533.042 x", Some((at, 14)));
    check(&TimeForm::Epoch(1_000), "1795382533042 x", Some((at, 13)));
    check(&pattern_of("%d/%b/%Y %T"), "22/Nov/2026 21:22:13.123", Some((at, 20)));
    check(&pattern_of("%a, %e %b %y %H:%M:%S %z"), "Sun, 22 Nov 26 22:22:13 +0100", Some((at, 29)));
    check(&pattern_of("%F"), "2026-11-22", Some((at - at % 86_400, 10)));
    check(&pattern_of("%T"), "21:22:13", Some((at % 86_400, 8)));
    check(&pattern_of("%z"), "+0130", Some((-5_400, 5)));
    check(&pattern_of("%s"), "1795382533", Some((at, 10)));
}

#[test]
fn days_that_are_none_are_no_times() {
    let at = 1_709_164_800;
    check(&TimeForm::Common, "29/Feb/2024:00:00:00 +0000", Some((at, 26)));
    check(&TimeForm::Common, "30/Jun/2015:23:59:60 +0000", Some((1_435_708_800, 26)));
    for text in [
        "29/Feb/2023:00:00:00 +0000",
        "31/Apr/2024:00:00:00 +0000",
        "00/Apr/2024:00:00:00 +0000",
        "01/Apr/2024:24:00:00 +0000",
        "01/Apr/2024:00:60:00 +0000",
        "01/Apr/2024:00:00:61 +0000",
        "01/Foo/2024:00:00:00 +0000",
        "01/Apr/1969:00:00:00 +0000",
        "01/Apr/2024:00:00:00 +0099",
        "01/Apr/2024:00:00:00+00000",
        "01/Apr/2024 00:00:00 +0000",
        "01/Apr/2024:00:00:00 +000",
        "",
    ] {
        check(&TimeForm::Common, text, None);
    }
    check(&TimeForm::Iso, "2024-02-30T00:00:00Z", None);
    check(&TimeForm::Epoch(1), "99999999999999999999", None);
}

#[test]
fn a_clock_reads_what_a_form_reads() {
    let mut clock = Clock::default();
    for text in ["22/Nov/2026:21:22:13 +0000", "22/Nov/2026:21:22:13 +0100", "22/Nov/2026:21:22:13 +0100"] {
        assert_eq!(clock.read(&TimeForm::Common, text.as_bytes()), TimeForm::Common.read(text.as_bytes()));
    }
    for text in ["2026-11-22T21:22:13+01:00", "2026-11-22T21:22:13.5+01:00", "2026-11-22T21:22:13+01:00"] {
        assert_eq!(clock.read(&TimeForm::Iso, text.as_bytes()), TimeForm::Iso.read(text.as_bytes()));
    }
    assert_eq!(clock.read(&TimeForm::Common, b""), None);
}

proptest! {
    #[test]
    fn seconds_come_back(at in 0i64..253_402_300_799) {
        let (days, of_day) = (at / 86_400, at % 86_400);
        // The date, by counting years and months.
        let (mut year, mut left) = (1970, days);
        let length = |year| days_to(year + 1, 1, 1).unwrap_or(days_to(year, 12, 31).unwrap() + 1) - days_to(year, 1, 1).unwrap();
        while left >= length(year) {
            left -= length(year);
            year += 1;
        }
        let month = (1..=12).rev().find(|month| days_to(year, *month, 1).unwrap() <= days).unwrap();
        let day = days - days_to(year, month, 1).unwrap() + 1;
        let text = format!(
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
            of_day / 3_600, of_day / 60 % 60, of_day % 60
        );
        prop_assert_eq!(TimeForm::Iso.read(text.as_bytes()), Some((at, 20)));
    }

    #[test]
    fn nothing_panics(text in prop::collection::vec(any::<u8>(), 0..40), pattern in "(%[a-zA-Z%]|[ :./]){0,12}") {
        let mut clock = Clock::default();
        let mut forms = vec![TimeForm::Common, TimeForm::CommonMillis, TimeForm::Iso, TimeForm::Epoch(1_000)];
        forms.extend(items(&pattern).map(TimeForm::Pattern));
        for form in forms {
            let read = form.read(&text);
            prop_assert!(read.is_none_or(|(_, length)| length <= text.len()));
            prop_assert_eq!(clock.read(&form, &text), read);
        }
    }
}
