//! What containment costs at start-up: a program that does nothing, launched contained and bare, in
//! turns. Prints medians, their difference (target: below 5 ms) and their ratio.

use stages::launch::{Policy, run};
use std::error::Error;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 200;
const PROGRAM: &str = "/bin/true";

fn main() -> Result<(), Box<dyn Error>> {
    let policy = Policy::new(PROGRAM).read_system();
    let (mut contained, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        run(&policy, None)?;
        contained.push(start.elapsed());
        let start = Instant::now();
        let output = Command::new(PROGRAM)
            .env_clear()
            .stdin(Stdio::null())
            .output()?;
        bare.push(start.elapsed());
        if !output.status.success() {
            return Err("the program failed".into());
        }
    }
    let (contained, bare) = (median(contained), median(bare));
    let ratio = contained.as_secs_f64() / bare.as_secs_f64();
    let more = contained.saturating_sub(bare);
    writeln!(
        std::io::stdout(),
        "launch of {PROGRAM}, median of {ROUNDS}: contained {contained:.2?}, bare {bare:.2?}, \
         difference {more:.2?}, ratio {ratio:.1}"
    )?;
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
