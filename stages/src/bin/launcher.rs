//! `launcher`: restricts itself, then executes a foreign command. See `stages::launch`.

use std::process::ExitCode;

fn main() -> ExitCode {
    stages::launch::inside::main()
}
