use std::process::ExitCode;

fn main() -> ExitCode {
    stubborn::command_line::main()
}
