//! Sizes as people write them: 1350, 16k, 1M, 64MiB, 1.5MB.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSize {
    #[error(
        "'{0}' is no size: write bytes (16384), or with a unit: 16k, 1M, 2G or KiB, MiB, GiB count in 1024s, kB, MB, GB in 1000s"
    )]
    Form(String),
    #[error("'{0}' is no whole number of bytes")]
    Fraction(String),
    #[error("'{0}' is out of range: no size is so large")]
    Overflow(String),
}

/// Reads a size. A unit of one letter is binary, as in nginx and dd(1).
///
/// # Errors
/// It is not of the form, comes to no whole number of bytes, or to more than fit into 64 bits.
pub fn bytes(text: &str) -> Result<u64, BadSize> {
    let form = || BadSize::Form(text.to_owned());
    let number = text.trim();
    let end = number.find(|one: char| !one.is_ascii_digit() && one != '.').unwrap_or(number.len());
    let (number, unit) = number.split_at(end);
    let unit = unit_of(unit.trim_start()).ok_or_else(form)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|one| one.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return Err(form());
    }
    let overflow = || BadSize::Overflow(text.to_owned());
    let fraction = fraction.trim_end_matches('0');
    let scale = u32::try_from(fraction.len()).ok().and_then(|digits| 10_u128.checked_pow(digits));
    let scale = scale.ok_or_else(|| BadSize::Fraction(text.to_owned()))?;
    let scaled: u128 = format!("{whole}{fraction}").parse().map_err(|_| overflow())?;
    let scaled = scaled.checked_mul(u128::from(unit)).ok_or_else(overflow)?;
    if scaled % scale != 0 {
        return Err(BadSize::Fraction(text.to_owned()));
    }
    u64::try_from(scaled / scale).map_err(|_| overflow())
}

/// The bytes of a unit, whatever its capitals.
fn unit_of(unit: &str) -> Option<u64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn whole_numbers_are_themselves_and_no_text_is_too_much(number: u64, text in "[0-9.kKMGiBb -]{0,40}|.*") {
            prop_assert_eq!(bytes(&number.to_string()), Ok(number));
            prop_assert_eq!(bytes(&text), bytes(text.trim()).map_err(|problem| match problem {
                BadSize::Form(_) => BadSize::Form(text.clone()),
                BadSize::Fraction(_) => BadSize::Fraction(text.clone()),
                BadSize::Overflow(_) => BadSize::Overflow(text.clone()),
            }));
        }
    }

    #[test]
    fn d41_sizes_are_read_as_people_write_them() {
        for (text, expected) in [
            ("0", 0),
            ("1350", 1350),
            ("16k", 16384),
            ("16K", 16384),
            ("16KiB", 16384),
            ("16 kB", 16000),
            ("1M", 1 << 20),
            ("1MB", 1_000_000),
            ("64MiB", 64 << 20),
            ("2G", 2 << 30),
            ("1.5M", 1_572_864),
            ("0.5k", 512),
            ("1.350kB", 1350),
            ("1024B", 1024),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_refused_with_the_form() {
        for text in ["", "k", "-5", "1q", "1,5k", ".5k", "5.", "1.2.3", "0x10", "1e3", "16 k b", "nan", "ß"]
        {
            assert_eq!(bytes(text), Err(BadSize::Form(text.to_owned())), "{text}");
        }
        for text in ["0.5", "1.1k", "1.0000000000000000000000000000000000000000000001k"] {
            assert_eq!(bytes(text), Err(BadSize::Fraction(text.to_owned())), "{text}");
        }
        for text in ["18446744073709551616", "99999999999G", &"9".repeat(60)] {
            assert_eq!(bytes(text), Err(BadSize::Overflow(text.to_owned())), "{text}");
        }
    }
}
