//! The fields of the JSON format, and whether its page names them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

/// The fields that the program writes of some examples, and that stand in no table of the page.
/// Fails where the page cannot be read, or no program started.
pub fn unnamed() -> std::io::Result<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/json.md"))?;
    let mut fields = BTreeSet::new();
    for words in [
        ["check", "examples/vending.tester"],
        ["check", "examples/peterson.stb"],
        ["explore", "examples/peterson.stb"],
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_stubborn"));
        let run = program.args(words).args(["--format", "json"]);
        let output = run.current_dir(&root).output()?;
        gather(&serde_json::from_slice(&output.stdout)?, &mut fields);
    }
    let is_named = |field: &String| page.contains(&format!("`{field}`"));
    Ok(fields.into_iter().filter(|f| !is_named(f)).collect())
}

/// The names of fields in an object and in what it holds, but for those that are names of the model.
fn gather(json: &Json, fields: &mut BTreeSet<String>) {
    match json {
        Json::Object(object) => {
            for (field, value) in object {
                fields.insert(field.clone());
                if !["start", "changes", "at", "parameters"].contains(&field.as_str())
                    || has_line(value)
                {
                    gather(value, fields);
                }
            }
        }
        Json::Array(all) => all.iter().for_each(|one| gather(one, fields)),
        _ => {}
    }
}

/// The `start` of a range, not that of a trace.
fn has_line(value: &Json) -> bool {
    value.get("line").is_some() && value.get("column").is_some()
}
