//! How figures are written on a page; NGCC.md section 8. Rounding is that of C's printf: to the
//! nearest decimal of the exact binary value, ties to even, which is what Rust's formatting does.

use std::collections::BTreeMap;

/// What stands where there is no figure.
pub const MISSING: &str = "–";

/// What stands where a measurement did not come to its end.
pub const FAILED: &str = "failed";

/// C's `%.3g`: three significant digits, no trailing zeros, an exponent of at least two digits below
/// 1e-4 and from 1000 up.
pub fn general(value: f64) -> String {
    let scientific = format!("{value:.2e}");
    // infinities and NaN have no exponent; they are written as Rust writes them
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let Ok(exponent) = exponent.parse::<i32>() else {
        return scientific;
    };
    if (-4..3).contains(&exponent) {
        let decimals = usize::try_from(2 - exponent).unwrap_or(0);
        trimmed(&format!("{value:.decimals$}")).to_owned()
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(digits), exponent.unsigned_abs())
    }
}

/// Without the zeros after the decimal point, nor a point that ends it.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

/// Cycles of one call: `1.55 M`, `243.4 k`, `183`.
pub fn cycles(cycles: f64) -> String {
    if cycles >= 1e9 {
        format!("{:.2} G", cycles / 1e9)
    } else if cycles >= 1e6 {
        format!("{:.2} M", cycles / 1e6)
    } else if cycles >= 1e4 {
        format!("{:.1} k", cycles / 1e3)
    } else {
        format!("{cycles:.0}")
    }
}

/// Seconds of one call, in the largest of s, ms, µs and ns that gives at least 1: `2.2 ms`.
pub fn time(seconds: f64) -> String {
    let (value, unit) = if seconds >= 1.0 {
        (seconds, "s")
    } else if seconds * 1e3 >= 1.0 {
        (seconds * 1e3, "ms")
    } else if seconds * 1e6 >= 1.0 {
        (seconds * 1e6, "µs")
    } else {
        (seconds * 1e9, "ns")
    };
    format!("{} {unit}", general(value))
}

/// A share between 0 and 1 as a percentage: whole from 9.5 % up, else with one decimal.
pub fn share(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 9.5 {
        format!("{percent:.0}%")
    } else {
        format!("{percent:.1}%")
    }
}

/// Calls in one operation, functions in ASCII order: `drng 2, pseudoXOF 7.07`.
pub fn calls(calls: &BTreeMap<&str, f64>) -> String {
    if calls.is_empty() {
        return MISSING.to_owned();
    }
    let each: Vec<String> = calls
        .iter()
        .map(|(function, n)| format!("{function} {}", general(*n)))
        .collect();
    each.join(", ")
}

/// Bytes of resident memory in whole KiB: `1420 KiB`.
pub fn kib(bytes: u64) -> String {
    format!("{} KiB", bytes / 1024)
}

/// The calls measured: `5455 (5 × 1091)`, and how many failing signers were asked again.
pub fn measurements(total: u64, trials: u64, iterations: u64, sign_failures: u64) -> String {
    let n = format!("{total} ({trials} × {iterations})");
    if sign_failures == 0 {
        n
    } else {
        format!("{n}; {sign_failures} failed signing attempts retried")
    }
}

/// Cycles a byte, or 10^6 bytes a second: one decimal.
pub fn one_decimal(value: f64) -> String {
    format!("{value:.1}")
}

/// A figure in its format, or [`MISSING`].
pub fn or_missing<T>(value: Option<T>, format: impl Fn(T) -> String) -> String {
    value.map_or_else(|| MISSING.to_owned(), format)
}

/// An instant to the second: the first 19 characters of RFC 3339, `2026-09-28T15:05:46`.
pub fn instant(rfc3339: &str) -> &str {
    rfc3339.get(..19).unwrap_or(rfc3339)
}

#[cfg(test)]
mod tests {
    use super::*;

    // expected texts: printf of glibc 2.41
    #[test]
    fn general_is_that_of_c() {
        for (value, text) in [
            (0.0, "0"),
            (2.2, "2.2"),
            (4.0, "4"),
            (2.345, "2.35"),
            (8.545, "8.54"),
            (0.125, "0.125"),
            (7.99, "7.99"),
            (99.95, "100"),
            (999.5, "1e+03"),
            (999.4, "999"),
            (1000.0, "1e+03"),
            (1235.0, "1.24e+03"),
            (1245.0, "1.24e+03"),
            (1780.0, "1.78e+03"),
            (43e6, "4.3e+07"),
            (0.000_123_45, "0.000123"),
            (0.000_099_96, "0.0001"),
            (0.000_01, "1e-05"),
            (1e100, "1e+100"),
        ] {
            assert_eq!(general(value), text);
        }
    }

    #[test]
    fn figures_at_the_borders_of_their_formats() {
        assert_eq!(cycles(9_999.4), "9999");
        assert_eq!(cycles(10_000.0), "10.0 k");
        assert_eq!(cycles(999_960.0), "1000.0 k");
        assert_eq!(cycles(1e6), "1.00 M");
        assert_eq!(cycles(1e9), "1.00 G");
        assert_eq!(time(1800.0), "1.8e+03 s");
        assert_eq!(time(1.0), "1 s");
        assert_eq!(time(0.000_999_6), "1e+03 µs");
        assert_eq!(time(23.1e-9), "23.1 ns");
        assert_eq!(share(0.0949), "9.5%");
        assert_eq!(share(0.095), "10%");
        assert_eq!(share(0.0), "0.0%");
        assert_eq!(kib(1_462_272), "1428 KiB");
        assert_eq!(measurements(5455, 5, 1091, 0), "5455 (5 × 1091)");
        assert_eq!(
            measurements(80, 5, 16, 10),
            "80 (5 × 16); 10 failed signing attempts retried"
        );
        assert_eq!(
            instant("2026-09-28T15:05:46.790099+00:00"),
            "2026-09-28T15:05:46"
        );
        assert_eq!(calls(&BTreeMap::new()), MISSING);
    }
}
