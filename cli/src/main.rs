//! The `bygone` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    bygone::main()
}
