//! Models that say at their top what must be found in them, and what holds them to it.
//!
//! ```text
//! // expect: mutex holds                  every value of `mutex`, if it has parameters
//! // expect: access(2) violated           one of them
//! // expect N=2: mutex violated           with parameters set
//! // expect: 5 states, 6 edges, 1 terminal
//! // expect N=2: 574 states, 1148 edges, 8 terminal        with parameters set
//! // expect: joint-conflict at 12         a problem with this code on that line
//! // expect: deadlock after 3             its trace has that many steps
//! // expect: deadlock ends with x = 3, p = line 12 (2)     values at the end of its trace
//! ```
//!
//! Figures are those of the plain state space. Every property that the program lists must be
//! named, and every problem that it finds, hints too; with parameters set, those alone are asked for
//! that are named.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value as Json};

/// One line of what is expected.
#[derive(Debug)]
enum Line {
    Verdict {
        parameters: Vec<String>,
        property: String,
        verdict: String,
    },
    Figures {
        parameters: Vec<String>,
        states: u64,
        edges: u64,
        terminal: u64,
    },
    Problem {
        code: String,
        line: u64,
    },
    Length {
        property: String,
        steps: usize,
    },
    End {
        property: String,
        values: Vec<(String, String)>,
    },
}

fn lines(text: &str) -> Vec<Line> {
    text.lines()
        .filter_map(|line| line.strip_prefix("// expect"))
        .map(|line| parse(line).unwrap_or_else(|| panic!("cannot be read: // expect{line}")))
        .collect()
}

fn parse(line: &str) -> Option<Line> {
    let (parameters, what) = line.split_once(':')?;
    let parameters: Vec<_> = parameters.split_whitespace().map(str::to_string).collect();
    let what = what.trim();
    if let Some((property, values)) = what.split_once(" ends with ") {
        let value = |v: &str| {
            let (name, value) = v.split_once(" = ")?;
            Some((name.trim().to_string(), value.trim().to_string()))
        };
        let values = values.split("; ").map(value).collect::<Option<_>>()?;
        return Some(Line::End {
            property: property.into(),
            values,
        });
    }
    let words: Vec<_> = what.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    Some(match words.as_slice() {
        [states, "states", edges, "edges", terminal, "terminal"] => Line::Figures {
            parameters,
            states: states.parse().ok()?,
            edges: edges.parse().ok()?,
            terminal: terminal.parse().ok()?,
        },
        [code, "at", line] => Line::Problem {
            code: code.to_string(),
            line: line.parse().ok()?,
        },
        // `refines queue in traces` has blanks in its name.
        [
            "refines",
            name @ ..,
            verdict @ ("holds" | "violated" | "undecided"),
        ] => Line::Verdict {
            parameters,
            property: format!("refines {}", name.join(" ")),
            verdict: verdict.to_string(),
        },
        [property, "after", steps] => Line::Length {
            property: property.to_string(),
            steps: steps.parse().ok()?,
        },
        [property, verdict @ ("holds" | "violated" | "undecided")] => Line::Verdict {
            parameters,
            property: property.to_string(),
            verdict: verdict.to_string(),
        },
        // `f(1, red)` is written `f(1,red)`, and was taken apart at its comma.
        [a, b, verdict @ ("holds" | "violated" | "undecided")] => Line::Verdict {
            parameters,
            property: format!("{a},{b}"),
            verdict: verdict.to_string(),
        },
        _ => return None,
    })
}

fn program(arguments: &[&str], file: &Path) -> (Option<i32>, Json) {
    let mut run = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    let output = run
        .arg(arguments[0])
        .arg(file)
        .args(&arguments[1..])
        .output();
    let output = output.expect("the program starts");
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        panic!("{}: no object on standard output\n{said}", file.display())
    });
    (output.status.code(), json)
}

const PLAIN: [&str; 3] = ["--reduction", "none", "--keep-dead-variables"];

/// Every difference between what the file says at its top and what the program finds in it.
pub fn differences(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("the model is read");
    let expected = lines(&text);
    let mut differences = Vec::new();
    let mut differ = |s: String| differences.push(format!("{}: {s}", file.display()));
    if expected.is_empty() {
        differ("it does not say what must be found in it".into());
    }
    // What the checker finds by default, and in the plain state space.
    for options in [&[][..], &PLAIN] {
        let arguments = [&["check", "--format", "json"], options].concat();
        let (status, found) = program(&arguments, file);
        checked(&expected, status, &found, &mut |s| {
            differ(format!("{s} ({options:?})"))
        });
    }
    for parameters in settings(&expected) {
        for options in [&[][..], &PLAIN] {
            let mut arguments = [&["check", "--format", "json"], options].concat();
            parameters.iter().for_each(|p| arguments.extend(["-D", p]));
            let (_, found) = program(&arguments, file);
            checked_with(parameters, &expected, &found, &mut |s| {
                differ(format!("{s} ({options:?}, {parameters:?})"))
            });
        }
    }
    for line in &expected {
        let Line::Figures {
            parameters,
            states,
            edges,
            terminal,
        } = line
        else {
            continue;
        };
        let mut arguments = vec!["explore", "--format", "json"];
        arguments.extend(PLAIN);
        parameters.iter().for_each(|p| arguments.extend(["-D", p]));
        let (status, found) = program(&arguments, file);
        let figures = [("states", states), ("edges", edges), ("terminal", terminal)];
        let same = figures.iter().all(|(name, n)| found[name] == **n);
        if !same || status != Some(0) || found["full"] != true || found["complete"] != true {
            differ(format!("{line:?}, but: {found}"));
        }
    }
    differences
}

/// The parameters with which verdicts are expected, each setting once.
fn settings(expected: &[Line]) -> BTreeSet<&[String]> {
    let verdicts = expected.iter().filter_map(|line| match line {
        Line::Verdict { parameters, .. } if !parameters.is_empty() => Some(parameters.as_slice()),
        _ => None,
    });
    verdicts.collect()
}

/// The part of a property's name before its values.
fn stem(name: &str) -> &str {
    name.split('(').next().unwrap_or("")
}

/// Of the verdicts that are expected with these parameters, each one that is another.
fn checked_with(with: &[String], expected: &[Line], found: &Json, differ: &mut impl FnMut(String)) {
    let none = Vec::new();
    let listed = found["properties"].as_array().unwrap_or(&none);
    for line in expected {
        let Line::Verdict {
            parameters,
            property,
            verdict,
        } = line
        else {
            continue;
        };
        if parameters != with {
            continue;
        }
        let is_named = |one: &&Json| {
            let name = one["name"].as_str().unwrap_or("");
            name == property || stem(name) == property
        };
        let mut named = listed.iter().filter(is_named).peekable();
        if named.peek().is_none() {
            differ(format!("{property} is not listed"));
        }
        for one in named.filter(|one| one["verdict"] != **verdict) {
            differ(format!("{property} should be: {verdict}, but {one:#}"));
        }
    }
}

fn checked(expected: &[Line], status: Option<i32>, found: &Json, differ: &mut impl FnMut(String)) {
    let none = Vec::new();
    let listed = found["properties"].as_array().unwrap_or(&none);
    let problems = found["problems"].as_array().unwrap_or(&none);
    for problem in problems {
        let is_expected = problem["severity"] != "error"
            || expected.iter().any(|l| match l {
                Line::Problem { code, line } => {
                    problem["code"] == **code && problem["range"]["start"]["line"] == *line
                }
                _ => false,
            });
        if !is_expected {
            differ(format!("a problem: {problem}"));
        }
    }
    for line in expected {
        if let Line::Problem { code, line } = line {
            let count = problems
                .iter()
                .filter(|p| p["code"] == **code && p["range"]["start"]["line"] == *line);
            let count = count.count();
            if count != 1 {
                differ(format!("{code} is told {count} times on line {line}"));
            }
        }
    }
    for property in listed {
        let name = property["name"].as_str().unwrap_or("");
        let verdict = |wanted: &str| {
            expected.iter().find_map(|l| match l {
                Line::Verdict {
                    parameters,
                    property,
                    verdict,
                } if parameters.is_empty() && property == wanted => Some(verdict.clone()),
                _ => None,
            })
        };
        match verdict(name).or_else(|| verdict(stem(name))) {
            None => differ(format!("{name} is listed, but nothing is said of it")),
            Some(verdict) if property["verdict"] != verdict => {
                differ(format!("{name} should be: {verdict}, but {property:#}"));
            }
            Some(_) => {}
        }
    }
    let named = |wanted: &String| {
        let name = |p: &&Json| p["name"].as_str().unwrap_or("").to_string();
        listed
            .iter()
            .find(|p| name(p) == *wanted || stem(&name(p)) == *wanted)
    };
    for line in expected {
        match line {
            Line::Verdict {
                parameters,
                property,
                ..
            } if parameters.is_empty() && named(property).is_none() => {
                differ(format!("{property} is not listed"));
            }
            Line::Length { property, steps } => {
                let trace = named(property).map(|p| p["trace"]["steps"].clone());
                let length = trace.as_ref().and_then(|t| t.as_array()).map(|t| t.len());
                if length != Some(*steps) {
                    differ(format!(
                        "the trace of {property} has {length:?} steps, not {steps}"
                    ));
                }
            }
            Line::End { property, values } => {
                match named(property).and_then(|p| end(&p["trace"])) {
                    None => differ(format!("{property} has no trace")),
                    Some(state) => {
                        for (name, value) in values {
                            let found = state.get(name).map(plain_text);
                            if found.as_ref() != Some(value) {
                                differ(format!(
                                    "{property} ends with {name} = {found:?}, not {value}"
                                ));
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let verdicts = |v: &str| listed.iter().any(|p| p["verdict"] == v);
    // `expect violated` in the text makes a violation right, and what holds instead wrong.
    let is_decided = |p: &Json| p["verdict"] == "holds" || p["verdict"] == "violated";
    let mut decided = listed.iter().filter(|p| is_decided(p));
    let is_wrong = decided.any(|p| p["verdict"] != p["expected"]);
    let wanted = match () {
        _ if problems.iter().any(|p| p["severity"] == "error") => 3,
        _ if is_wrong => 1,
        _ if verdicts("undecided") => 2,
        _ => 0,
    };
    if status != Some(wanted) {
        differ(format!("the exit status is {status:?}, not {wanted}"));
    }
}

/// The values and locations after the steps of a trace.
fn end(trace: &Json) -> Option<Map<String, Json>> {
    let mut state = trace["start"].as_object()?.clone();
    for step in trace["steps"].as_array()? {
        for part in ["changes", "at"] {
            state.extend(step[part].as_object()?.clone());
        }
    }
    Some(state)
}

fn plain_text(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_string)
}

/// The problems that the program has with a file and that it does not expect, of whatever severity.
pub fn problems(file: &Path) -> Vec<String> {
    let expected = lines(&std::fs::read_to_string(file).expect("the model is read"));
    let (_, found) = program(&["check", "--format", "json"], file);
    let problems = found["problems"].as_array().expect("a list of problems");
    let is_expected = |problem: &&Json| {
        expected.iter().any(|one| match one {
            Line::Problem { code, line } => {
                problem["code"] == **code && problem["range"]["start"]["line"] == *line
            }
            _ => false,
        })
    };
    problems
        .iter()
        .filter(|problem| !is_expected(problem))
        .map(|p| format!("{}: {p}", file.display()))
        .collect()
}
