//! The snippets and the first model of the extension: what they insert is right as it stands.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

fn extension() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vscode-extension")
}

/// Each snippet by its prefix, with the defaults of its placeholders.
fn snippets() -> Vec<(String, String)> {
    let text = fs::read_to_string(extension().join("snippets/stubborn.json")).expect("snippets");
    let all: Json = serde_json::from_str(&text).expect("JSON");
    let all = all.as_object().expect("an object").values();
    let of = |one: &Json| {
        let body = one["body"].as_array().expect("lines").iter();
        let lines: Vec<_> = body.map(|line| line.as_str().expect("a line")).collect();
        let prefix = one["prefix"].as_str().expect("a prefix").to_owned();
        (prefix, filled_in(&lines.join("\n")))
    };
    all.map(of).collect()
}

/// `${1:x}` is `x`, and `$0` nothing.
fn filled_in(body: &str) -> String {
    let mut text = String::new();
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        rest = match after.strip_prefix('{') {
            Some(place) => {
                let (_, default) = place.split_once(':').expect("a default");
                let (default, rest) = default.split_once('}').expect("an end");
                text.push_str(default);
                rest
            }
            None => after.strip_prefix('0').expect("the last place"),
        };
    }
    text + rest
}

#[test]
fn every_snippet_is_read_without_a_mistake_as_it_is_inserted() {
    let snippets = snippets();
    assert!(snippets.len() >= 8);
    for (prefix, text) in snippets {
        // Those that are statements stand in a process.
        let text = match prefix.as_str() {
            "lock" | "may stop" => format!("process p {{\n{text}\n}}\n"),
            _ => text,
        };
        let parse = stubborn_syntax::parse(&text);
        let errors: Vec<_> = parse.errors.iter().map(|one| &one.message).collect();
        assert!(errors.is_empty(), "{prefix}: {errors:?} in\n{text}");
    }
}

/// The verdicts on a text, by the exit status and the output.
fn checked(name: &str, text: &str) -> (Option<i32>, Json) {
    let file = std::env::temp_dir().join(format!(
        "stubborn-snippet-{}-{name}.stb",
        std::process::id()
    ));
    fs::write(&file, text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_stubborn"))
        .args(["check", "--format", "json"])
        .arg(&file)
        .output()
        .expect("the program starts");
    fs::remove_file(&file).expect("the file");
    let said = serde_json::from_slice(&output.stdout).expect("JSON");
    (output.status.code(), said)
}

#[test]
fn the_snippets_that_are_whole_models_are_models_of_which_everything_holds() {
    for (prefix, text) in snippets() {
        if ["model", "machine", "clients"].contains(&prefix.as_str()) {
            let (status, said) = checked(&prefix, &text);
            assert_eq!(status, Some(0), "{prefix}: {said:#}\n{text}");
        }
    }
}

#[test]
fn the_first_model_violates_one_property_and_is_mended_as_it_says() {
    let text = fs::read_to_string(extension().join("media/first-steps.stb")).expect("the model");
    let (status, said) = checked("first", &text);
    assert_eq!(status, Some(1), "{said:#}");
    let violated = said["properties"].as_array().expect("properties").iter();
    let violated: Vec<_> = violated
        .filter(|one| one["verdict"] == "violated")
        .collect();
    assert_eq!(violated.len(), 1);
    assert_eq!(violated[0]["name"], "mutex");
    let mended = text.replace(
        "{ await not taken }\n        taken = true\n",
        "{ await not taken do taken = true }\n",
    );
    assert_ne!(mended, text);
    let (status, said) = checked("mended", &mended);
    assert_eq!(status, Some(0), "{said:#}");
}
