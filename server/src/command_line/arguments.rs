//! What can be written on the command line.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};

use super::definitions;
use super::search_arguments::{Color, SearchArguments};

#[derive(Debug, Parser)]
#[command(
    name = "stubborn",
    version,
    about = "A model checker: finds which properties of a concurrent design fail, and shows how",
    after_help = "Exit status: 0 all that was checked holds, or is violated as expected, 1 something is violated, or \
                  holds against expectation, 2 undecided (a limit was reached first), 3 the input or the \
                  command line is wrong.",
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
    /// Search with several processes, on this machine or on several
    #[command(after_help = CLUSTER_HELP)]
    Cluster(Cluster),
    /// Go along a run step by step, by hand or at random, or take a saved one again
    #[command(after_help = SIMULATE_HELP)]
    Simulate(Simulate),
    /// Show or convert automata and testers
    #[command(after_help = AUTOMATON_HELP)]
    Automaton(Automaton),
    /// Format files in place; white space alone changes
    Fmt(Fmt),
    /// Serve editors: the language server, on standard input and output
    Lsp(Lsp),
    /// Serve debuggers: the debug adapter, on standard input and output
    Dap(Dap),
}

#[derive(Debug, Args)]
pub struct Check {
    /// Model files (.stb) and tester files (.tester)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// End at the first property that is not as expected; the others are undecided then
    #[arg(long)]
    pub stop_at_first: bool,
    /// Print the searches that were made for each property, their costs and why they were chosen (in human and
    /// json)
    #[arg(
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "plan"
    )]
    pub explain: Option<Explain>,
    /// Report what no run reaches: states, labels, statements, steps, outcomes of tests, values of variables (in
    /// human and json)
    #[arg(long)]
    pub coverage: bool,
    #[command(flatten)]
    pub search: SearchArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Explain {
    /// The searches
    Plan,
    /// And the first place that tells two processes apart which no permutation swaps
    Symmetry,
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

const CLUSTER_HELP: &str = "\
Each process has `--threads` workers and `--max-memory` of its own. The first process prints the result. `must`, \
`recurrence` and `fair` properties stay undecided, and states are not merged by symmetry.

  stubborn cluster --processes 4 check examples/peterson.stb
  stubborn cluster --hosts hosts --process 1 check examples/peterson.stb";

/// Each process has a connection to each other, with three threads.
const MOST_PROCESSES: i64 = 256;
/// On one machine their threads grow as the square of their number.
const MOST_HERE: i64 = 64;

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("where").required(true).args(["processes", "hosts"])))]
pub struct Cluster {
    /// Start this many processes on this machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=MOST_HERE))]
    pub processes: Option<u32>,
    /// File with a line ADDRESS:PORT for each process; start the same command on each machine, with its `--process`
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<PathBuf>,
    /// With `--hosts`: line of this machine, from 1; the first one prints
    #[arg(
        long,
        value_name = "K",
        requires = "hosts",
        conflicts_with = "processes",
        value_parser = clap::value_parser!(u32).range(1..=MOST_PROCESSES)
    )]
    pub process: Option<u32>,
    #[command(subcommand)]
    pub command: Shared,
}

/// Command that several processes can carry out.
#[derive(Debug, Subcommand)]
pub enum Shared {
    /// Check every property of models; a tester file also brings its model's
    Check(Check),
    /// Build the state space of a model, no properties
    Explore(Explore),
}

const SIMULATE_HELP: &str = "\
Lists the steps that can be taken, and takes the one whose number is typed; `?` shows what else can be typed. \
What is typed may come from a file or a pipe.

Exit status: 1 where the run, as it stands at its end, shows something violated that is not expected to be (a \
step that fails, a deadlock, an invariant that is false), else 0; 3 where the input is wrong. With `--replay` 0 where \
the trace is a run of the model, whatever it shows, and 3 where it is none.

  stubborn simulate examples/peterson.stb --random --seed 7 --steps 20
  stubborn check examples/peterson.stb --format json > found.json
  stubborn simulate examples/peterson.stb --replay found.json
  stubborn simulate examples/peterson.stb --replay found.json --trace lanes --only customer";

#[derive(Debug, Args)]
pub struct Simulate {
    /// A model file (.stb), or a tester file, whose model is simulated
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Take steps at random until none can be taken, 100 if `--steps` does not say how many
    #[arg(long, conflicts_with = "replay")]
    pub random: bool,
    /// What decides the steps that are taken at random: equal seeds, equal runs [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "replay")]
    pub seed: Option<u64>,
    /// How many steps `--random` takes
    #[arg(long, value_name = "N", requires = "random")]
    pub steps: Option<u64>,
    /// Take a run again that `check --format json` has written: the whole output, or one `trace` of it
    #[arg(long, value_name = "TRACE")]
    pub replay: Option<PathBuf>,
    /// With `--replay`: the run of this property, `access(2)`, or `access` for the first of its values that has one
    #[arg(long, value_name = "NAME", requires = "replay")]
    pub property: Option<String>,
    /// With `--replay`: show the whole run at once, in this form [default with `--only`: table]
    #[arg(long, value_enum, value_name = "FORM", requires = "replay")]
    pub trace: Option<TraceForm>,
    /// With `--replay`: show only the steps and the values of these, with commas between them: instances, processes,
    /// variables, channels, actions, testers, specifications; may be repeated
    #[arg(long, value_name = "NAMES", requires = "replay")]
    pub only: Vec<String>,
    /// Set a `param` of the model; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definitions::one)]
    pub definitions: Vec<(String, String)>,
    /// When to use colours in messages
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceForm {
    /// Step, participants, their locations before and after, the statement, what changed
    Table,
    /// A column for each instance that moves and each channel that is used
    Lanes,
    /// A sequence diagram in the language of Mermaid
    Mermaid,
}

const AUTOMATON_HELP: &str = "\
Of `--ltl F` the automaton is shown that accepts the runs that satisfy F; of an `ltl` property of a \
file the one that `check` uses, which accepts the runs that do not satisfy it. Automata and testers of \
a file are shown as they are: they accept what must not happen.

Without `--to` an automaton is shown as it could stand in a tester file, with a line about what is \
known of it.

  stubborn automaton --ltl 'always (p implies eventually q)' --to hoa
  stubborn automaton examples/token_ring.tester --property 'gives_up(0)' --to testing";

#[derive(Debug, Args)]
pub struct Automaton {
    /// A file with testers, automata or formulas (.tester, .stb), or an automaton in the HOA format
    /// (.hoa)
    #[arg(
        value_name = "FILE",
        required_unless_present = "ltl",
        conflicts_with = "ltl"
    )]
    pub file: Option<PathBuf>,
    /// This property of the file alone: `starves` with all its values, or `starves(2)`; may be
    /// repeated
    #[arg(long, value_name = "NAME", conflicts_with = "ltl")]
    pub property: Vec<String>,
    /// The automaton of this formula; the names in it are its propositions
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    pub ltl: Option<String>,
    /// What to turn it into
    #[arg(long, value_enum, value_name = "WHAT")]
    pub to: Option<To>,
    /// Set a `param` of the model; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definitions::one)]
    pub definitions: Vec<(String, String)>,
    /// When to use colours in messages
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// A state-labelled Büchi automaton, in the language of tester files
    Buchi,
    /// A testing automaton, in the language of tester files; only of what is insensitive to stuttering
    Testing,
    /// The Hanoi Omega-Automata format
    Hoa,
    /// The language of Graphviz
    Dot,
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
pub struct Dap {
    /// Standard input and output, as always; editors like to say so
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[derive(Debug, Args)]
pub struct Lsp {
    /// Standard input and output, as always; editors like to say so
    #[arg(long, hide = true)]
    pub stdio: bool,
    /// Write what the server notes of its work to the end of this file; the variable RUST_LOG says how
    /// much (stubborn=debug)
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    /// A user reads the whole list before the first search. Three are about random runs alone.
    const MOST_OPTIONS: usize = 22;

    #[test]
    fn check_has_few_options() {
        let mut arguments = Arguments::command();
        let check = arguments.find_subcommand_mut("check").expect("a command");
        let all = check.get_opts().map(|option| option.get_id().as_str());
        let all: Vec<&str> = all.collect();
        assert!(all.len() <= MOST_OPTIONS, "{}: {all:?}", all.len());
    }
}
