//! Natural order: digits compare as numbers, so that `JuziHash-512` comes before `JuziHash-1024`.

use std::cmp::Ordering;

/// Compares two names naturally; equal only when the names are the same text.
///
/// Runs of digits may be longer than any integer. Between text and digits, and where numbers are
/// equal but written differently, plain text order decides.
pub fn compare(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    while let (Some(x), Some(y)) = (left.chars().next(), right.chars().next()) {
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (m, rest_left) = number(left);
            let (n, rest_right) = number(right);
            let order = m.len().cmp(&n.len()).then_with(|| m.cmp(n));
            if order.is_ne() {
                return order;
            }
            (left, right) = (rest_left, rest_right);
        } else if x == y {
            (left, right) = (&left[x.len_utf8()..], &right[y.len_utf8()..]);
        } else {
            return x.cmp(&y);
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// The leading digits without leading zeros, and what follows them.
fn number(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (digits.trim_start_matches('0'), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digits_are_numbers() {
        // the order of the published kex-07 page
        let order = [
            "NEV_AKE_512_769",
            "NEV_AKE_512_769_C",
            "NEV_AKE_512_1409",
            "NEV_AKE_1024_769",
        ];
        assert!(
            order
                .windows(2)
                .all(|pair| compare(pair[0], pair[1]).is_lt())
        );
        assert!(compare("a007", "a8").is_lt());
        assert!(compare("a", "a1").is_lt());
        assert!(compare("x99999999999999999999999", "x100000000000000000000000").is_lt());
    }

    proptest! {
        #[test]
        fn it_is_a_total_order(mut names in prop::collection::vec("[a01é]{0,6}", 3)) {
            names.sort_by(|a, b| compare(a, b));
            let [a, b, c] = names.as_slice() else { unreachable!() };
            prop_assert!(compare(a, b).is_le() && compare(b, c).is_le() && compare(a, c).is_le());
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            prop_assert_eq!(compare(a, b).is_eq(), a == b);
        }
    }
}
