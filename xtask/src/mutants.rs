//! Mutants: patches that each leave one condition out of the checker. A test has to fail on each
//! of them, which shows that the tests need the condition.
//!
//! A patch in `tests/mutants` begins with one or two sentences about what it leaves out, and with a
//! line `caught-by: [VARIABLE=VALUE...] [ARGUMENT...]`, the arguments of `cargo test` for the test
//! that has to fail. The diff follows, against the root of the repository.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use anyhow::{Context, bail, ensure};

const FOLDER: &str = "tests/mutants";
/// The crates that are built for each mutant, which takes longer with optimisation than the tests
/// do without.
const NOT_OPTIMISED: [&str; 5] = ["space", "symmetry", "explorer", "por", "engine"];

struct Mutant {
    name: String,
    patch: PathBuf,
    test: Test,
}

/// A call of `cargo test`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Test {
    environment: Vec<(String, String)>,
    arguments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Caught,
    NotCaught,
    DoesNotApply,
    DoesNotCompile,
}

/// A copy of the repository, with a target folder of its own that all mutants share.
struct Scratch {
    tree: PathBuf,
    target: PathBuf,
    commit: String,
}

/// Checks that every patch applies and that the test that it names exists. Returns whether all do.
///
/// # Errors
/// A patch without a test, or a call of git that fails.
pub fn check(root: &Path) -> anyhow::Result<bool> {
    let mutants = mutants(root)?;
    let mut is_right = true;
    for Mutant { name, patch, test } in &mutants {
        let applied = apply(root, patch).arg("--check").output();
        let applied = applied.context("git does not start")?;
        if !applied.status.success() {
            is_right = false;
            let why = String::from_utf8_lossy(&applied.stderr);
            println!("{name}: the patch does not apply\n{why}");
        }
        let function = format!("fn {}()", test.function());
        let mut grep = git(root);
        grep.args(["grep", "-qF", &function, "--", "*.rs"]);
        if !grep.status().context("git does not start")?.success() {
            is_right = false;
            println!("{name}: there is no test `{}`", test.function());
        }
    }
    println!("{} mutants", mutants.len());
    Ok(is_right)
}

/// Applies each of the mutants, or those with the given names, runs the test that has to fail, and
/// prints the outcomes as a table. Returns whether all are caught.
///
/// # Errors
/// A name that no mutant has, a test that fails without a mutant, or a call of git or cargo that
/// fails.
pub fn run(root: &Path, names: &[&str]) -> anyhow::Result<bool> {
    let mut chosen = mutants(root)?;
    for name in names {
        let is_known = chosen.iter().any(|mutant| mutant.name == *name);
        ensure!(is_known, "there is no {FOLDER}/{name}.patch");
    }
    chosen.retain(|mutant| names.is_empty() || names.contains(&mutant.name.as_str()));
    let scratch = Scratch::new(root)?;
    eprintln!("running the tests without a mutant: one that fails anyway would catch everything");
    for test in chosen.iter().map(|m| &m.test).collect::<BTreeSet<_>>() {
        let output = scratch.test(test, false)?;
        let told = String::from_utf8_lossy(&output.stdout);
        ensure!(
            output.status.success(),
            "without a mutant a test fails: {test:?}\n{told}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let has_run = told.lines().any(|line| line.ends_with("... ok"));
        ensure!(has_run, "there is no such test: {test:?}");
    }
    println!("| mutant | outcome | seconds |\n|---|---|--:|");
    let mut all_caught = true;
    for mutant in &chosen {
        let started = Instant::now();
        let outcome = scratch.outcome(mutant)?;
        all_caught &= outcome == Outcome::Caught;
        println!(
            "| {} | {} | {} |",
            mutant.name,
            outcome.text(),
            started.elapsed().as_secs()
        );
    }
    Ok(all_caught)
}

/// All mutants, by their names.
fn mutants(root: &Path) -> anyhow::Result<Vec<Mutant>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(root.join(FOLDER)).context(FOLDER)? {
        let patch = entry?.path();
        let name = patch.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        let test = Test::of_patch(&fs::read_to_string(&patch)?).context(name.clone())?;
        all.push(Mutant { name, patch, test });
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(folder);
    git
}

/// The call that applies a patch. One line of context is enough, so that a comment that is written
/// anew nearby breaks no patch.
fn apply(folder: &Path, patch: &Path) -> Command {
    let mut apply = git(folder);
    apply.args(["apply", "-C1"]).arg(patch);
    apply
}

/// The output of a call of git that has to succeed.
fn told(git: &mut Command) -> anyhow::Result<String> {
    let output = git.output().context("git does not start")?;
    if !output.status.success() {
        bail!("{git:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

impl Test {
    fn of_patch(text: &str) -> anyhow::Result<Test> {
        let header = text.lines().take_while(|line| !line.starts_with("diff "));
        let mut lines = header.filter_map(|line| line.strip_prefix("caught-by: "));
        let line = lines.next().context("there is no line `caught-by: `")?;
        let mut words = line.split_whitespace().map(str::to_owned).peekable();
        let mut environment = Vec::new();
        while let Some(word) = words.next_if(|word| !word.starts_with('-')) {
            let (name, value) = word.split_once('=').context("no `VARIABLE=VALUE`")?;
            environment.push((name.to_owned(), value.to_owned()));
        }
        let arguments = words.collect();
        Ok(Test {
            environment,
            arguments,
        })
    }

    /// The name of the function, which the last argument before `--` ends with.
    fn function(&self) -> &str {
        let arguments = self.arguments.iter().take_while(|word| *word != "--");
        let path = arguments.last().map_or("", String::as_str);
        path.rsplit("::").next().unwrap_or(path)
    }
}

impl Outcome {
    fn text(self) -> &'static str {
        match self {
            Outcome::Caught => "caught",
            Outcome::NotCaught => "not caught",
            Outcome::DoesNotApply => "does not apply",
            Outcome::DoesNotCompile => "does not compile",
        }
    }
}

impl Scratch {
    /// A copy of the repository as it is, but for files that git does not track.
    fn new(root: &Path) -> anyhow::Result<Scratch> {
        let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
        let folder = root.join(target).join("mutants");
        let changed = told(git(root).args(["stash", "create"]))?;
        let commit = match changed.is_empty() {
            true => told(git(root).args(["rev-parse", "HEAD"]))?,
            false => changed,
        };
        let scratch = Scratch {
            tree: folder.join("tree"),
            target: folder.join("target"),
            commit,
        };
        if !scratch.tree.exists() {
            let mut add = git(root);
            // It is still registered where the target folder has been removed.
            add.args(["worktree", "add", "--force", "--detach"]);
            told(add.arg(&scratch.tree).arg(&scratch.commit))?;
        }
        scratch.restore()?;
        Ok(scratch)
    }

    /// Undoes what a patch has changed, and nothing else, so that little is built anew.
    fn restore(&self) -> anyhow::Result<()> {
        let mut checkout = git(&self.tree);
        checkout.args(["checkout", "--quiet", "--force", "--detach", &self.commit]);
        told(&mut checkout).map(drop)
    }

    fn outcome(&self, mutant: &Mutant) -> anyhow::Result<Outcome> {
        let applied = apply(&self.tree, &mutant.patch).status();
        if !applied.context("git does not start")?.success() {
            return Ok(Outcome::DoesNotApply);
        }
        let built = self.test(&mutant.test, true)?;
        let outcome = if !built.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&built.stderr));
            Outcome::DoesNotCompile
        } else if self.test(&mutant.test, false)?.status.success() {
            Outcome::NotCaught
        } else {
            Outcome::Caught
        };
        self.restore()?;
        Ok(outcome)
    }

    /// Runs a test, or only builds it.
    fn test(&self, test: &Test, is_built_only: bool) -> anyhow::Result<Output> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.current_dir(&self.tree).arg("test");
        for name in NOT_OPTIMISED {
            let level = format!("profile.test.package.stubborn-{name}.opt-level=0");
            cargo.args(["--config", &level]);
        }
        cargo.env("CARGO_TARGET_DIR", &self.target);
        cargo.env("STUBBORN_UNSHRUNK", "1");
        if is_built_only {
            cargo.arg("--no-run");
        }
        cargo.args(&test.arguments);
        cargo.envs(test.environment.iter().cloned());
        cargo.output().context("cargo does not start")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_the_test_that_catches_it() {
        let patch = "Leaves something out.\n\
                     caught-by: SEED=7 MOST=1 -p a --test it sweeps::all_agree -- --exact\n\n\
                     diff --git a/f b/f\n";
        let test = Test::of_patch(patch).expect("there is a test");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(test.environment, [pair("SEED", "7"), pair("MOST", "1")]);
        assert_eq!(test.function(), "all_agree");
        assert_eq!(test.arguments.last().map(String::as_str), Some("--exact"));
    }

    #[test]
    fn a_patch_without_a_test_is_refused() {
        for header in ["", "caught-by: all_agree\n"] {
            let patch = format!("{header}diff --git a/f b/f\n+caught-by: -p a\n");
            assert!(Test::of_patch(&patch).is_err());
        }
    }
}
