//! One word less: the example is broken at one place, and one message says so, at that place.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::{Problem, Severity};
use stubborn_model::program::{NoText, ParsedFile, Program};

fn errors(folder: &Path, name: &str, text: &str) -> Vec<Problem> {
    let first = Arc::new(ParsedFile::new(name, text));
    let program = Program::assemble_from(first, &mut |path| {
        let text = fs::read_to_string(folder.join(path)).map_err(|_| NoText::Missing)?;
        Ok(Arc::new(ParsedFile::new(path, text)))
    });
    let mut problems = analyze(&program, &Settings::default()).problems;
    problems.retain(|problem| problem.severity == Severity::Error);
    problems
}

#[test]
fn count_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| n.ends_with(".stb") || n.ends_with(".tester"))
        .collect();
    names.sort();
    let mut by = [0usize; 12];
    let mut bykind = std::collections::BTreeMap::<(String, usize), Vec<String>>::new();
    for name in names {
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        let syntax = stubborn_syntax::parse(&text).syntax();
        for token in syntax
            .descendants_with_tokens()
            .filter_map(|e| e.into_token())
        {
            if token.kind().is_trivia() {
                continue;
            }
            let range = token.text_range();
            let (from, to) = (usize::from(range.start()), usize::from(range.end()));
            let without = format!("{}{}", &text[..from], &text[to..]);
            let errors = errors(&folder, &name, &without);
            by[errors.len().min(11)] += 1;
            if errors.len() > 1 {
                let line = text[..from].matches('\n').count() + 1;
                let all: Vec<_> = errors
                    .iter()
                    .map(|e| format!("{:?}: {}", e.code, e.message))
                    .collect();
                bykind
                    .entry((format!("{:?}", errors[0].code), errors.len()))
                    .or_default()
                    .push(format!(
                        "{name}:{line} -{}-\n      {}",
                        token.text(),
                        all.join("\n      ")
                    ));
            }
        }
    }
    println!("{by:?}");
    for ((k, n), v) in bykind {
        println!("{k} {n}: {} times", v.len());
        for one in v.iter().step_by(v.len() / 6 + 1) {
            println!("   {one}");
        }
    }
}
