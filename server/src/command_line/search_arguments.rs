//! The options that `check` and `explore` share.

use std::num::NonZeroU64;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use stubborn_checker::{self as checker, Liveness, Order, RandomRuns, Reduction, Search, Symmetry};

use super::definitions::{self, Definition};

/// Default for bitstate hashing: a table of 2^27 bits is 16 MB.
const BITS_OF_TABLE: u32 = 27;
/// Default for fingerprints: the chance that even one of a hundred million states is missed is 1 in 3700.
const BITS_OF_FINGERPRINT: u32 = 64;
/// Random runs where nothing else ends them.
const RUNS: Option<NonZeroU64> = NonZeroU64::new(2_000);

#[derive(Debug, Args)]
pub struct SearchArguments {
    /// Set a `param` of the model; several values (`N=2..4`, `BUG=none,lost`) are checked one after the other; may be
    /// repeated
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definitions::several)]
    pub definitions: Vec<Definition>,
    /// Check only this property: `access` with all its values, `access(2)`, or a specification; may be repeated
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Partial-order reduction [default: stubborn]
    #[arg(long, value_name = "WHICH", value_parser = one_of(REDUCTIONS))]
    pub reduction: Option<Reduction>,
    /// Symmetry reduction: merge states that differ only by permuting identical processes
    #[arg(long, value_name = "WHEN", value_parser = one_of(SYMMETRY), default_value = "auto")]
    pub symmetry: Symmetry,
    /// Breadth-first search, which gives the shortest traces, depth-first search, or random runs
    #[arg(long, value_name = "WHICH", value_parser = one_of(SEARCHES), default_value = "bfs")]
    pub search: Search,
    /// With `--search random`: number of runs [default: 2000, or until another limit is reached]
    #[arg(long, value_name = "N")]
    pub runs: Option<NonZeroU64>,
    /// Take runs of up to N steps; with `--search random`: most steps of a run [default: from 64 to 8192,
    /// in turn]
    #[arg(long, value_name = "N")]
    pub depth: Option<NonZeroU64>,
    /// Number that random runs, and the search for deep violations in a large check, draw from
    /// [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Order in which the steps of a state are taken: as in the text, or reversed
    #[arg(long, value_name = "WHICH", value_parser = one_of(ORDERS), default_value = "forward")]
    pub order: Order,
    /// Search algorithm for liveness properties: testers, automata and formulas
    #[arg(long, value_name = "HOW", value_parser = one_of(LIVENESS), default_value = "auto")]
    pub liveness: Liveness,
    /// Storage of visited states; `bitstate` and `compact` find violations but prove nothing
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Storage::Exact)]
    pub storage: Storage,
    /// With `--storage bitstate`: table of 2^N bits, N from 10 to 40 [default: 27, which is 16 MB]; with
    /// `--storage compact`: fingerprints of N bits, N from 16 to 64 [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=64))]
    pub bits: Option<u32>,
    /// Keep states apart that differ only in variables whose value is never read again; with `--reduction
    /// none` every state of the model is visited
    #[arg(long)]
    pub keep_dead_variables: bool,
    /// Number of threads, on which no verdict depends [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Limit on states
    #[arg(long, value_name = "N", value_parser = states)]
    pub max_states: Option<u64>,
    /// Limit on memory: 500M, 2G [default: three quarters of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
    /// Limit on the time of the whole command
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    pub format: Format,
    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

/// Values of an option: what is written, what `--help` says of it, and what it means.
type Values<T> = &'static [(&'static str, Option<&'static str>, T)];

const REDUCTIONS: Values<Reduction> = &[
    (
        "stubborn",
        Some("Stubborn sets, where a theorem says that the verdict stays the same"),
        Reduction::Stubborn,
    ),
    ("none", Some("No reduction"), Reduction::None),
    (
        "sensitive",
        Some(
            "Stubborn sets in rounds that see more and more of the visible steps; finds some violations in fewer states",
        ),
        Reduction::Sensitive,
    ),
    (
        "sensitive-cycles",
        Some(
            "The same, with a weaker condition on cycles for recurrences, testers, automata and formulas",
        ),
        Reduction::SensitiveCycles,
    ),
];

const SYMMETRY: Values<Symmetry> = &[
    (
        "auto",
        Some("In models of more than a thousand states, if it pays"),
        Symmetry::Auto,
    ),
    ("always", Some("Wherever it is sound"), Symmetry::Always),
    ("off", None, Symmetry::Off),
];

const SEARCHES: Values<Search> = &[
    ("bfs", None, Search::Breadth),
    ("dfs", None, Search::Depth),
    (
        "random",
        Some("Random runs on all threads: find violations, also deep ones, and prove nothing"),
        Search::Random(RandomRuns::ENDLESS),
    ),
];

const ORDERS: Values<Order> = &[
    ("forward", None, Order::Forward),
    ("reverse", None, Order::Reverse),
];

const LIVENESS: Values<Liveness> = &[
    (
        "auto",
        Some("The cheapest search that decides the property"),
        Liveness::Auto,
    ),
    (
        "one-pass",
        Some("One pass: finds livelocks only"),
        Liveness::OnePass,
    ),
    (
        "nested",
        Some("Nested depth-first search: finds cycles with accepting steps only"),
        Liveness::Nested,
    ),
    (
        "four-pass",
        Some("Four passes: finds both"),
        Liveness::FourPass,
    ),
];

fn one_of<T: Copy + Send + Sync>(values: Values<T>) -> impl TypedValueParser<Value = T> {
    let possible = values.iter().map(|(name, help, _)| match help {
        Some(help) => PossibleValue::new(name).help(*help),
        None => PossibleValue::new(name),
    });
    PossibleValuesParser::new(possible).map(|written| {
        let at = values.iter().position(|(name, ..)| *name == written);
        values[at.expect("clap admits the possible values alone")].2
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Storage {
    /// Whole
    Exact,
    /// Whole, and in files of the temporary folder (`TMPDIR`) when memory runs out: for errors, deadlocks and
    /// invariants, and to count states
    Disk,
    /// Bits in a table (bitstate hashing): some states may be missed
    Bitstate,
    /// Fingerprints (hash compaction): far fewer are missed, for more memory
    Compact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
    Sarif,
    Junit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl SearchArguments {
    /// Combinations of options that do not work, each in a sentence that says what to write instead.
    pub fn refused(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let in_rounds = self.reduction.filter(|reduction| reduction.is_in_rounds());
        if let Some(reduction) = in_rounds
            && self.storage.may_miss_states()
        {
            wrong.push(format!(
                "`--reduction {}` does not work with `--storage {}`; write `--storage exact`",
                reduction.name(),
                self.storage.value_name()
            ));
        }
        if self.storage == Storage::Disk && self.search != Search::Breadth {
            wrong.push(format!(
                "`--storage disk` does not work with `--search {}`; write `--search bfs`",
                self.search.name()
            ));
        }
        let is_random = matches!(self.search, Search::Random(_));
        if is_random {
            wrong.extend(self.refused_by_random_runs());
        }
        if self.runs.is_some() && !is_random {
            wrong.push("`--runs` is about random runs; write `--search random` too".to_owned());
        }
        if self.depth.is_some() && !is_random {
            wrong.extend(self.refused_by_depth());
        }
        let Some(bits) = self.bits else {
            return wrong;
        };
        let (range, of) = match self.storage {
            Storage::Exact | Storage::Disk => {
                wrong.push(format!(
                    "`--bits {bits}` does not work with `--storage {}`; write `--storage bitstate` or `--storage compact`",
                    self.storage.value_name()
                ));
                return wrong;
            }
            Storage::Bitstate => (10..=40, "a table of 2^N bits"),
            Storage::Compact => (16..=64, "fingerprints of N bits"),
        };
        if !range.contains(&bits) {
            wrong.push(format!(
                "`--bits {bits}`: `--storage {}` has {of}, N from {} to {}",
                self.storage.value_name(),
                range.start(),
                range.end()
            ));
        }
        wrong
    }

    /// Options with which a search to a depth would miss states that are near.
    fn refused_by_depth(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        if self.search != Search::Breadth {
            wrong.push(format!("--search {}", self.search.name()));
        }
        if self.storage != Storage::Exact {
            wrong.push(format!("--storage {}", self.storage.value_name()));
        }
        if let Some(reduction) = self.reduction.filter(|reduction| reduction.is_in_rounds()) {
            wrong.push(format!("--reduction {}", reduction.name()));
        }
        wrong.extend(self.chosen_liveness());
        let told = wrong.into_iter();
        told.map(|option| {
            format!(
                "`--depth` searches all states up to a depth, breadth first; leave `{option}` out"
            )
        })
        .collect()
    }

    /// The search algorithm for liveness, if one is chosen.
    fn chosen_liveness(&self) -> Option<String> {
        let mut values = LIVENESS.iter();
        let chosen = values.find(|(_, _, how)| *how == self.liveness && *how != Liveness::Auto);
        chosen.map(|(name, ..)| format!("--liveness {name}"))
    }

    /// The depth limit of a search that is not random.
    pub fn depth_of_search(&self) -> Option<u64> {
        let is_random = matches!(self.search, Search::Random(_));
        self.depth.map(NonZeroU64::get).filter(|_| !is_random)
    }

    /// Partial-order reduction. Up to a depth it would leave runs out, so it has to be asked for.
    pub fn reduction(&self) -> Reduction {
        self.reduction.unwrap_or(match self.depth_of_search() {
            Some(_) => Reduction::None,
            None => Reduction::default(),
        })
    }

    /// Options that random runs would ignore.
    fn refused_by_random_runs(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        if let Some(reduction) = self.reduction.filter(|reduction| reduction.leaves_out()) {
            let option = format!("--reduction {}", reduction.name());
            wrong.push(("chooses among all steps", option));
        }
        if self.symmetry == Symmetry::Always {
            wrong.push(("merges no states", "--symmetry always".to_owned()));
        }
        let liveness = self.chosen_liveness();
        wrong.extend(liveness.map(|option| ("finds no cycles", option)));
        if self.storage.may_miss_states() {
            let option = format!("--storage {}", self.storage.value_name());
            wrong.push(("stores no states", option));
        }
        let told = wrong.into_iter();
        told.map(|(why, option)| format!("`--search random` {why}; leave `{option}` out"))
            .collect()
    }

    /// Search order, with the number of random runs.
    pub fn order_of_search(&self) -> Search {
        let Search::Random(_) = self.search else {
            return self.search;
        };
        let has_limit = self.timeout.is_some() || self.max_states.is_some();
        Search::Random(RandomRuns {
            runs: self.runs.or(RUNS.filter(|_| !has_limit)),
            depth: self.depth,
            seed: self.seed.unwrap_or(1),
        })
    }

    /// Storage of states in memory.
    pub fn in_memory(&self) -> checker::Storage {
        let bits = |default| self.bits.unwrap_or(default);
        match self.storage {
            Storage::Exact | Storage::Disk => checker::Storage::Exact,
            Storage::Bitstate => checker::Storage::Bitstate {
                bits: bits(BITS_OF_TABLE),
            },
            Storage::Compact => checker::Storage::Compact {
                bits: bits(BITS_OF_FINGERPRINT),
            },
        }
    }
}

impl Storage {
    /// Whether some states may be taken for others, so that nothing is proved.
    pub fn may_miss_states(self) -> bool {
        matches!(self, Storage::Bitstate | Storage::Compact)
    }
}

pub trait ValueName {
    fn value_name(&self) -> String;
}

impl<T: ValueEnum> ValueName for T {
    fn value_name(&self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

fn states(text: &str) -> Result<u64, String> {
    let number = text.trim().replace('_', "");
    let number = number.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "it is a number of states, 1 at least: 1000000".to_owned())
}

/// Bytes, from `2G`, `1.5GB`, `500M`, `4096`; the units are powers of 1024.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "it is a number with K, M, G or T: 500M, 2G".to_owned();
    let text = text.trim();
    let number_ends = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(number_ends);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let power = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(wrong()),
    };
    Ok((number * 1024f64.powi(power)) as u64)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "it is a number of seconds: 60, 0.5".to_owned();
    let seconds: f64 = text.trim().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_of_1024() {
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("1.5 KiB"), Ok(1536));
        for wrong in ["", "G", "2X", "-1", "1.2.3"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_timeout_is_not_negative() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["-1", "x", "nan", "1e300"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
