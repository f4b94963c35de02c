//! What can be written on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::search_arguments::{Color, SearchArguments};

#[derive(Debug, Parser)]
#[command(
    name = "stubborn",
    version,
    about = "A model checker: finds which properties of a concurrent design fail, and shows how",
    after_help = "Exit status: 0 all that was checked holds, 1 something is violated, 2 undecided \
                  (a limit was reached first), 3 the input or the command line is wrong.",
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check every property of models; a tester file also brings its model's
    Check(Check),
    /// Build the state space of a model, no properties
    Explore(Explore),
    /// Show or convert automata and testers (not in this version)
    Automaton(Automaton),
    /// Format files in place; white space alone changes
    Fmt(Fmt),
    /// Serve editors: the language server, on standard input and output
    Lsp(Lsp),
}

#[derive(Debug, Args)]
pub struct Check {
    /// Model files (.stb) and tester files (.tester)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub search: SearchArguments,
}

#[derive(Debug, Args)]
pub struct Explore {
    /// A model file (.stb), or a tester file, whose model is built
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write the state space to a file, in the format that its name ends with: .aut (Aldebaran),
    /// .dot (Graphviz) or .json
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What the edges in .aut and .dot files are called
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Labels::Actions)]
    pub labels: Labels,
    #[command(flatten)]
    pub search: SearchArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Labels {
    /// The action, `enter(1)`, or `tau`
    Actions,
    /// The instance and the line of its step
    Steps,
}

#[derive(Debug, Args)]
pub struct Automaton {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Fmt {
    /// Model files (.stb) and tester files (.tester)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; exit with 1 if a file would change
    #[arg(long)]
    pub check: bool,
    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Debug, Args)]
pub struct Lsp {
    /// Standard input and output, as always; editors like to say so
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
