//! The arithmetic of the measured core clock.
//!
//! The probe runs short busy windows on the measuring core and prints their nanoseconds and cycles;
//! here they become a minimum, median, maximum and spread. Nothing is measured in this crate.

use crate::Error;
use serde::{Deserialize, Serialize};
use statrs::statistics::{Data, OrderStatistics};

/// The largest interquartile range, in per cent of the median, of a clock that is called steady where
/// the operating system does not control it; NGCC.md section 5.
pub const STEADY_IQR_PERCENT: f64 = 0.5;

/// Core clocks in Hz, one a busy window; never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct ClockSamples(Vec<f64>);

impl ClockSamples {
    /// From windows of (nanoseconds, cycles); windows without time or cycles are left out.
    ///
    /// # Errors
    /// When no window is left.
    pub fn from_windows(windows: impl IntoIterator<Item = (u64, u64)>) -> Result<Self, Error> {
        let hz: Vec<f64> = windows
            .into_iter()
            .filter(|(ns, cycles)| *ns > 0 && *cycles > 0)
            .map(|(ns, cycles)| cycles as f64 * 1e9 / ns as f64)
            .collect();
        if hz.is_empty() {
            Err(Error::NoClockSamples)
        } else {
            Ok(ClockSamples(hz))
        }
    }

    /// Minimum, median, maximum and spread.
    pub fn summary(&self) -> CoreClock {
        // quantiles of Hyndman and Fan's type 8 (the only ones of statrs)
        let mut data = Data::new(self.0.clone());
        let median = data.median();
        CoreClock {
            min_hz: data.quantile(0.0).round() as u64,
            median_hz: median.round() as u64,
            max_hz: data.quantile(1.0).round() as u64,
            iqr_percent: 100.0 * data.interquartile_range() / median,
        }
    }
}

/// The clock of one core as measured over short busy windows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CoreClock {
    /// The slowest window, Hz.
    pub min_hz: u64,
    /// The median window, Hz.
    pub median_hz: u64,
    /// The fastest window, Hz.
    pub max_hz: u64,
    /// Interquartile range in per cent of the median.
    pub iqr_percent: f64,
}

impl CoreClock {
    /// Whether it is steady enough to stand for a fixed clock; see [`STEADY_IQR_PERCENT`].
    pub fn is_steady(&self) -> bool {
        self.iqr_percent <= STEADY_IQR_PERCENT
    }

    /// The median to the nearest 100 MHz, in MHz: 2,694,689,541 Hz and its published 2700.
    pub fn nominal_mhz(&self) -> u64 {
        (self.median_hz + 50_000_000) / 100_000_000 * 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_computed_by_hand() {
        // 1..=9 GHz; type 8: Q1 = x[(9 + 1/3) / 4 + 1/3] = x[2 2/3] = 2 2/3 GHz, Q3 = 7 1/3 GHz
        let windows = (1..=9).map(|ghz| (1_000_000, ghz * 1_000_000));
        let clock = ClockSamples::from_windows(windows).unwrap().summary();
        assert_eq!(
            (clock.min_hz, clock.median_hz, clock.max_hz),
            (1_000_000_000, 5_000_000_000, 9_000_000_000)
        );
        assert!((clock.iqr_percent - 100.0 * (14.0 / 3.0) / 5.0).abs() < 1e-9);
        assert!(!clock.is_steady());
    }

    #[test]
    fn one_window_is_steady_and_none_is_an_error() {
        let clock = ClockSamples::from_windows([(1000, 2695), (0, 5), (5, 0)])
            .unwrap()
            .summary();
        assert_eq!(clock.median_hz, 2_695_000_000);
        assert_eq!(clock.nominal_mhz(), 2700);
        assert!(clock.is_steady());
        assert!(matches!(
            ClockSamples::from_windows([(0, 0)]),
            Err(Error::NoClockSamples)
        ));
    }
}
