//! Readers of the event stream for people: a bar on a terminal, a line a finished step elsewhere.
//!
//! The bar is drawn on events only, never by a timer: nothing of ours may run inside a sample.

use super::event::Event;
use artifacts::receipt::Status;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;

/// Tells people on standard error how a run goes.
pub struct Progress {
    bar: Option<ProgressBar>,
    done: Mutex<usize>,
}

impl Progress {
    /// A bar where standard error is a terminal, lines elsewhere.
    pub fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{bar:30} {pos}/{len} steps, {eta} left  {wide_msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        Progress {
            bar,
            done: Mutex::new(0),
        }
    }

    /// Shows one event.
    pub fn show(&self, event: &Event) {
        match event {
            Event::Planned {
                run,
                waiting,
                reused,
                without_source,
            } => {
                self.line(&format!(
                    "plan: {run} to run, {waiting} behind them, {reused} reused, \
                     {without_source} candidates without source"
                ));
            }
            Event::Total { steps } => {
                if let Some(bar) = &self.bar {
                    bar.set_length(*steps as u64);
                }
            }
            Event::Finished {
                step,
                status,
                verdict,
                why,
                elapsed_ms,
            } => {
                let verdict = verdict.map(|v| format!(" {v}")).unwrap_or_default();
                let why = if why.is_empty() {
                    String::new()
                } else {
                    format!(": {why}")
                };
                let text = format!(
                    "{step}{verdict}{why} ({:.1} s)",
                    std::time::Duration::from_millis(*elapsed_ms).as_secs_f64()
                );
                self.step(&text, *status == Status::Failed);
            }
            Event::Broken { step, message } => {
                self.step(&format!("{step} has no receipt: {message}"), true);
            }
        }
    }

    fn step(&self, text: &str, keep: bool) {
        let done = match self.done.lock() {
            Ok(mut done) => {
                *done += 1;
                *done
            }
            Err(_) => 0,
        };
        match &self.bar {
            Some(bar) => {
                bar.inc(1);
                bar.set_message(text.to_owned());
                if keep {
                    bar.println(text);
                }
            }
            None => self.line(&format!("[{done}] {text}")),
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            // Nobody to tell is no reason to stop.
            None => drop(writeln!(std::io::stderr(), "{text}")),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}
