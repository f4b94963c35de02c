//! Runs the program on a model, as a script would.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value as Json;

use super::compare::{Asked, Comparison};
use super::show::Names;
use super::shown;
use super::space::{self, Expected, Space};
use super::state::System;
use super::strangers;
use stubborn_random::model::Model;
use stubborn_random::render;

pub struct Program {
    folder: PathBuf,
    files: AtomicUsize,
}

impl Program {
    pub fn new(name: &str) -> Program {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("random_systems")
            .join(name);
        std::fs::create_dir_all(&folder).expect("the folder for the models");
        Program {
            folder,
            files: AtomicUsize::new(0),
        }
    }

    fn run(&self, command: &str, model: &Model, text: &str, options: &[&str]) -> Output {
        // A name of its own for each thread at work; it is written over later.
        let number = self.files.fetch_add(1, Ordering::Relaxed) % 64;
        let file = self.folder.join(format!("model{number}.stb"));
        std::fs::write(&file, text).expect("the model is written");
        let mut run = Command::new(env!("CARGO_BIN_EXE_stubborn"));
        run.arg(command)
            .arg(&file)
            .args(["--format", "json"])
            .args(options);
        for c in model.constants.iter().filter(|c| c.from_outside) {
            run.arg("-D").arg(format!("{}={}", c.name, c.value.int()));
        }
        run.output().expect("the program starts")
    }

    fn json(output: &Output) -> Result<Json, String> {
        serde_json::from_slice(&output.stdout).map_err(|e| {
            let said = String::from_utf8_lossy(&output.stderr);
            let first: Vec<_> = said.lines().take(6).collect();
            format!(
                "no object on standard output: {e}; {:?}; {first:?}",
                output.status
            )
        })
    }

    /// Whether what the program says of a model is what the oracle says. What else is asked for
    /// changes from one `turn` to the next.
    pub fn agrees(&self, system: &System, space: &Space, turn: u64) -> Result<(), String> {
        let (text, positions) = render::text(&system.model);
        let expected = space::expected(system, space);
        let mut comparison = Comparison {
            system,
            space,
            expected: &expected,
            positions: &positions,
            names: Names::of(system, &positions),
            asked: Asked {
                plain: true,
                breadth_first: true,
            },
        };
        let plain = ["--reduction", "none", "--keep-dead-variables"];
        let output = self.run("check", &system.model, &text, &plain);
        comparison.output(output.status.code(), &Self::json(&output)?)?;
        shown::is_in_order(&system.model)?;
        match turn % 4 {
            0 => {
                let output = self.run("explore", &system.model, &text, &plain);
                explored(space, output.status.code(), &Self::json(&output)?)
            }
            1 => {
                comparison.asked.breadth_first = false;
                let options = [plain.as_slice(), &["--search", "dfs"]].concat();
                let output = self.run("check", &system.model, &text, &options);
                let compared = comparison.output(output.status.code(), &Self::json(&output)?);
                compared.map_err(|e| format!("depth-first: {e}"))
            }
            2 => {
                comparison.asked = Asked {
                    plain: false,
                    breadth_first: false,
                };
                let output = self.run("check", &system.model, &text, &[]);
                let compared = comparison.output(output.status.code(), &Self::json(&output)?);
                compared.map_err(|e| format!("without options: {e}"))
            }
            _ => self.strangers_change_nothing(&system.model, &text, &expected),
        }
    }

    fn strangers_change_nothing(
        &self,
        model: &Model,
        text: &str,
        expected: &[Expected],
    ) -> Result<(), String> {
        let stranger = strangers::with_strangers(text);
        let output = self.run("check", model, &stranger, &[]);
        strangers::agree(model, expected, &Self::json(&output)?)?;
        let mut cones = expected.iter().filter(|e| strangers::has_cone(model, e));
        let Some(holds) = cones.find(|e| !e.is_violated()) else {
            return Ok(());
        };
        let alone = ["--property", &holds.name];
        let without = Self::json(&self.run("check", model, text, &alone))?;
        let with = Self::json(&self.run("check", model, &stranger, &alone))?;
        strangers::are_left_out(&holds.name, &without, &with)
    }

    /// The text is refused, with one message at least for the conflict.
    pub fn tells_of_a_conflict(&self, model: &Model) {
        let (text, _) = render::text(model);
        let output = self.run("check", model, &text, &[]);
        let found = Self::json(&output).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let problems = found["problems"].as_array().expect("a list of problems");
        let told = problems.iter().any(|p| p["code"] == "joint-conflict");
        assert!(told, "the conflict is not told of:\n{text}\n{problems:#?}");
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert_eq!(found["properties"], Json::Array(vec![]), "{text}");
    }
}

fn explored(space: &Space, status: Option<i32>, found: &Json) -> Result<(), String> {
    let figures = [
        ("states", space.states.len()),
        ("edges", space.edges),
        ("terminal", space.terminal()),
    ];
    for (name, expected) in figures {
        if found[name] != expected {
            return Err(format!("explore: {name} should be {expected}\n{found:#}"));
        }
    }
    match (status, &found["full"], &found["complete"]) {
        (Some(0), Json::Bool(true), Json::Bool(true)) => Ok(()),
        _ => Err(format!(
            "explore: should be full and complete, and exit with 0\n{found:#}"
        )),
    }
}
