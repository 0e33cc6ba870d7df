//! The reverse of [`crate::format`]: which exact values can have been shown as a text. A text that
//! its format never gives (`0.99 k`, `1.230 ms`) has none.

use crate::format;

/// All values from `low` to `high`, ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Range {
    /// Just this value.
    pub const fn exactly(value: f64) -> Self {
        Range {
            low: value,
            high: value,
        }
    }

    /// Whether some value is in both.
    pub fn meets(self, other: Range) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// What products of two positive values can be.
    #[must_use]
    pub fn times(self, other: Range) -> Range {
        Range {
            low: self.low * other.low,
            high: self.high * other.high,
        }
    }

    /// What quotients of two positive values can be.
    #[must_use]
    pub fn over(self, other: Range) -> Range {
        Range {
            low: self.low / other.high,
            high: self.high / other.low,
        }
    }

    /// The values scaled.
    #[must_use]
    pub fn scaled(self, by: f64) -> Range {
        self.times(Range::exactly(by))
    }
}

/// The values around `value` that differ by at most `half`, where the format shows some of them so.
fn around(value: f64, half: f64, shown: &str, format: impl Fn(f64) -> String) -> Option<Range> {
    // near below a power of ten the unit is a tenth
    let inner = [0.0, -0.5, 0.5, -0.05].map(|part| value + part * half);
    inner
        .iter()
        .any(|inner| format(*inner) == shown)
        .then_some(Range {
            low: (value - half).max(0.0),
            high: value + half,
        })
}

/// A decimal number and half of the unit of its last digit.
fn decimal(text: &str) -> Option<(f64, f64)> {
    if !text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
    let half = 0.5 / 10f64.powi(i32::try_from(places).ok()?);
    Some((text.parse().ok()?, half))
}

/// Half of the unit of the third significant digit.
fn half_of_third(value: f64) -> f64 {
    match value > 0.0 {
        true => 0.5 * 10f64.powi(value.log10().floor() as i32 - 2),
        false => 0.0,
    }
}

/// Cycles of one call.
pub fn cycles(shown: &str) -> Option<Range> {
    let (number, unit) = match shown.split_once(' ') {
        None => (shown, 1.0),
        Some((number, "k")) => (number, 1e3),
        Some((number, "M")) => (number, 1e6),
        Some((number, "G")) => (number, 1e9),
        Some(_) => return None,
    };
    let (value, half) = decimal(number)?;
    around(value * unit, half * unit, shown, format::cycles)
}

/// Seconds of one call.
pub fn time(shown: &str) -> Option<Range> {
    let (number, unit) = shown.split_once(' ')?;
    let unit = match unit {
        "s" => 1.0,
        "ms" => 1e-3,
        "µs" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    };
    let value: f64 = number.parse().ok()?;
    around(
        value * unit,
        half_of_third(value) * unit,
        shown,
        format::time,
    )
}

/// Three significant digits.
pub fn general(shown: &str) -> Option<Range> {
    let value: f64 = shown.parse().ok()?;
    around(value, half_of_third(value), shown, format::general)
}

/// A share between 0 and 1.
pub fn share(shown: &str) -> Option<Range> {
    let (value, half) = decimal(shown.strip_suffix('%')?)?;
    around(value / 100.0, half / 100.0, shown, format::share)
}

/// Bytes shown as whole KiB.
pub fn kib(shown: &str) -> Option<u64> {
    let kib: u64 = shown.strip_suffix(" KiB")?.parse().ok()?;
    (format::kib(kib.checked_mul(1024)?) == shown).then_some(kib)
}

/// One decimal.
pub fn one_decimal(shown: &str) -> Option<Range> {
    let (value, half) = decimal(shown)?;
    around(value, half, shown, format::one_decimal)
}

/// Calls measured: total, trials, iterations and failed signing attempts.
pub fn measurements(shown: &str) -> Option<(u64, u64, u64, u64)> {
    let (n, failures) = match shown.split_once("; ") {
        Some((n, rest)) => (n, rest.strip_suffix(" failed signing attempts retried")?),
        None => (shown, "0"),
    };
    let (total, rest) = n.split_once(" (")?;
    let (trials, iterations) = rest.strip_suffix(')')?.split_once(" × ")?;
    let parts = (
        total.parse().ok()?,
        trials.parse().ok()?,
        iterations.parse().ok()?,
        failures.parse().ok()?,
    );
    let (total, trials, iterations, failures) = parts;
    (format::measurements(total, trials, iterations, failures) == shown).then_some(parts)
}

/// Calls in one operation by function.
pub fn calls(shown: &str) -> Option<Vec<(&str, Range)>> {
    if shown == format::MISSING {
        return Some(Vec::new());
    }
    shown
        .split(", ")
        .map(|part| {
            let (function, n) = part.split_once(' ')?;
            Some((function, general(n)?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_that_no_value_gives() {
        for bad in [
            "0.99 k", "10001", "1.000 M", "1.5 M", "999.99 k", "x", "1 T",
        ] {
            assert_eq!(cycles(bad), None, "{bad}");
        }
        for bad in ["0.5 ms", "1.230 ms", "1000 µs", "2.2", "2.2 h", "1200 ns"] {
            assert_eq!(time(bad), None, "{bad}");
        }
        for bad in ["9.7%", "10.0%", "5%", "5", "12.3%"] {
            assert_eq!(share(bad), None, "{bad}");
        }
        for bad in ["1234", "1.200", "0.0001234", "1.78e3"] {
            assert_eq!(general(bad), None, "{bad}");
        }
        assert_eq!(measurements("5455 (5 × 1091)"), Some((5455, 5, 1091, 0)));
        assert_eq!(
            measurements("80 (5 × 16); 10 failed signing attempts retried"),
            Some((80, 5, 16, 10))
        );
        assert_eq!(
            measurements("80 (5 × 16); 0 failed signing attempts retried"),
            None
        );
        assert_eq!(kib("1420 KiB"), Some(1420));
        assert_eq!(kib("01420 KiB"), None);
        // borders of formats
        assert!(cycles("1000.0 k").is_some() && time("1e+03 µs").is_some());
    }

    fn holds(value: f64, range: Option<Range>) -> bool {
        range.is_some_and(|range| range.low <= value && value <= range.high)
    }

    proptest! {
        #[test]
        fn whatever_is_shown_is_in_its_range(exponent in -9.0f64..13.0) {
            let value = 10f64.powf(exponent);
            if value >= 0.5 {
                prop_assert!(holds(value, cycles(&format::cycles(value))), "{value}");
                prop_assert!(holds(value, one_decimal(&format::one_decimal(value))), "{value}");
            }
            prop_assert!(holds(value, time(&format::time(value))), "{value}");
            prop_assert!(holds(value, general(&format::general(value))), "{value}");
            let part = value / 1e13;
            prop_assert!(holds(part, share(&format::share(part))), "{part}");
        }
    }
}
