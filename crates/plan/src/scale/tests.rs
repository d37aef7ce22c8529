//! Curves that others have published, and curves that were made by a law.

use proptest::prelude::*;

use super::*;

/// Handshakes per second and thread of a server with 80 cores (Ampere Altra), read off the charts of
/// <https://rustls.dev/perf/2024-11-28-threading/>, within a percent.
const THREADS: [u16; 6] = [2, 8, 20, 38, 62, 80];
const FULL: [(&str, [f64; 6]); 4] = [
    ("rustls 0.23.16", [606.0, 606.0, 605.0, 605.0, 605.0, 604.0]),
    ("BoringSSL", [336.0, 336.0, 336.0, 336.0, 336.0, 336.0]),
    ("OpenSSL 3.4.0", [318.0, 315.0, 307.0, 307.0, 262.0, 282.0]),
    ("OpenSSL 3.0.14", [306.0, 298.0, 247.0, 188.0, 136.0, 111.0]),
];
const RESUMED: [(&str, [f64; 6]); 4] = [
    ("BoringSSL", [3863.0, 3849.0, 3850.0, 3853.0, 3853.0, 3848.0]),
    ("OpenSSL 3.4.0", [3057.0, 2798.0, 2108.0, 1268.0, 765.0, 627.0]),
    ("OpenSSL 3.0.14", [2544.0, 2092.0, 1032.0, 494.0, 298.0, 236.0]),
    ("rustls 0.23.16", [7970.0, 7900.0, 7814.0, 7467.0, 5595.0, 3635.0]),
];

fn curve(each: &[f64; 6]) -> Curve {
    let point = |(threads, each): (u16, &f64)| Point::exact(threads, each * f64::from(threads));
    Curve::of(THREADS.into_iter().zip(each).map(point).collect()).unwrap()
}

fn regimes(curves: &[(&str, [f64; 6])]) -> Vec<&'static str> {
    curves.iter().map(|(_, each)| curve(each).regime.name()).collect()
}

#[test]
fn published_curves_have_the_regimes_that_they_show() {
    assert_eq!(regimes(&FULL), ["linear", "linear", "contended", "contended"]);
    assert_eq!(regimes(&RESUMED), ["linear", "lock-bound", "lock-bound", "lock-bound"]);
}

#[test]
fn the_universal_law_is_that_of_others_where_it_fits() {
    let Some(Law::Universal(usl)) = curve(&FULL[3].1).law else { panic!("{:?}", curve(&FULL[3].1)) };
    assert!((usl.contention - 0.0128).abs() < 0.0002, "{usl:?}");
    assert!((usl.coherency - 0.000_14).abs() < 0.000_005, "{usl:?}");
    assert!(usl.worst < 0.04, "{usl:?}");
    assert!(usl.peak().is_some_and(|peak| (82.0..86.0).contains(&peak)), "{usl:?}");
    let Some(Law::Universal(flat)) = curve(&RESUMED[0].1).law else { panic!() };
    assert!(flat.contention < 1e-4 && flat.coherency < 1e-5 && flat.worst < 0.01, "{flat:?}");
}

#[test]
fn where_one_lock_saturates_the_law_of_a_lock_fits_and_the_universal_one_does_not() {
    for ((name, each), capped) in RESUMED[2..].iter().zip([20_000.0..21_000.0, 390_000.0..410_000.0]) {
        let curve = curve(each);
        assert!(Usl::fit(curve.points()).is_some_and(|usl| usl.worst > 0.1), "{name}");
        let Some(Law::Lock(lock)) = curve.law else { panic!("{name}: {curve:?}") };
        assert!(lock.worst < 0.05, "{name}: {lock:?}");
        assert!(capped.contains(&lock.cap()), "{name}: {lock:?}");
    }
}

#[test]
fn predictions_stop_where_the_data_stop() {
    let curve = curve(&RESUMED[2].1);
    assert_eq!(curve.at(8), At::Measured(curve.points()[1].rate));
    assert!(matches!(curve.at(14), At::Between(_)));
    for beyond in [0, 1, 81, 200] {
        assert_eq!(curve.at(beyond), At::Beyond { fewest: 2, most: 80 });
    }
}

#[test]
fn a_point_that_is_left_out_is_found_by_the_others() {
    // At its knee the law of OpenSSL 3.4.0 is a fifth off, and says so.
    for (each, left_out, within) in [(&FULL[3].1, 2, 0.05), (&RESUMED[1].1, 3, 0.2), (&RESUMED[2].1, 3, 0.06)]
    {
        let whole = curve(each);
        let mut points = whole.points().to_vec();
        let missed = points.remove(left_out);
        let At::Between(found) = Curve::of(points).unwrap().at(missed.threads) else { panic!() };
        let error = found.value / missed.rate.value - 1.0;
        assert!(error.abs() < within, "{} threads: {error}", missed.threads);
        let law = whole.law.unwrap();
        assert!(law.unsure(whole.points()) >= error.abs(), "{law:?}");
    }
}

#[test]
fn two_points_have_a_regime_and_no_law() {
    let two = |rate: f64| Curve::of(vec![Point::exact(2, rate), Point::exact(1, 100.0)]).unwrap();
    let names: Vec<&str> = [199.0, 150.0, 105.0].map(|rate| two(rate).regime.name()).into();
    assert_eq!(names, ["linear", "contended", "lock-bound"]);
    assert_eq!(two(199.0).law, None);
    assert_eq!(Curve::of(vec![Point::exact(2, 10.0)]), None);
    assert_eq!(Curve::of(vec![Point::exact(2, 10.0), Point::exact(4, f64::NAN)]), None);
}

proptest! {
    #[test]
    fn a_curve_of_the_universal_law_gives_its_parts_back(
        rate in 1.0..1e6_f64, contention in 0.0..0.2_f64, coherency in 0.0..0.002_f64
    ) {
        let made = Usl { rate, contention, coherency, worst: 0.0 };
        let points = THREADS.map(|threads| Point::exact(threads, made.at(f64::from(threads))));
        let found = Usl::fit(&points).unwrap();
        prop_assert!((found.rate / rate - 1.0).abs() < 1e-4, "{found:?}");
        prop_assert!((found.contention - contention).abs() < 1e-4, "{found:?}");
        prop_assert!((found.coherency - coherency).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn a_lock_never_does_more_than_its_cap_nor_than_its_threads(
        alone in 1e-6..1e-2_f64, held in 1e-8..1e-3_f64, slowed in 0.0..0.1_f64, threads in 1_u16..300
    ) {
        let lock = Lock { alone, held, slowed, worst: 0.0 };
        let rate = lock.at(f64::from(threads));
        prop_assert!(rate <= lock.cap() * (1.0 + 1e-9));
        prop_assert!(rate <= f64::from(threads) / (alone + held) * (1.0 + 1e-9));
        let none = Lock { slowed: 0.0, ..lock };
        prop_assert!(none.at(f64::from(threads) + 1.0) >= none.at(f64::from(threads)) * (1.0 - 1e-9));
    }
}
