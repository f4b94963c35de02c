//! The product's source files, without tests, comments and blank lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// A source file of the product.
pub struct Source {
    /// Path from the root of the repository.
    pub path: PathBuf,
    /// Its lines of code.
    pub lines: Vec<String>,
}

/// Folders with what is shipped.
const PRODUCT: [&str; 3] = ["checker", "server", "vscode-extension/src"];

/// All source files of the product that git tracks or would track, in the order of their paths.
///
/// # Errors
/// If git does not answer or a file cannot be read.
pub fn product(root: &Path) -> anyhow::Result<Vec<Source>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .args(PRODUCT)
        .current_dir(root)
        .output()
        .context("git does not start")?;
    ensure!(output.status.success(), "git lists no files");
    let listed = String::from_utf8(output.stdout)?;
    let mut paths: Vec<&str> = listed.lines().filter(|path| is_product(path)).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut sources = Vec::new();
    for path in paths {
        let file = root.join(path);
        if file.is_file() {
            let text = fs::read_to_string(&file).with_context(|| path.to_owned())?;
            let path = PathBuf::from(path);
            let lines = code(&text).map(str::to_owned).collect();
            sources.push(Source { path, lines });
        }
    }
    Ok(sources)
}

/// Whether a path is that of code that is shipped: not a test, and not an example program.
fn is_product(path: &str) -> bool {
    let is_code = path.ends_with(".rs") || path.ends_with(".ts");
    let mut parts = path.split('/');
    let is_test = |part: &str| {
        let name = part.split('.').next().unwrap_or(part);
        matches!(name, "tests" | "test" | "examples" | "benches") || part.ends_with(".test.ts")
    };
    is_code && !parts.any(is_test)
}

/// The lines of code in a text that is laid out as rustfmt does: no comments, no blank lines, and
/// no item below `#[cfg(test)]`.
pub fn code(text: &str) -> impl Iterator<Item = &str> {
    let mut in_comment = false;
    // Indentation of the test item that is being passed over, once it has begun.
    let mut test_item: Option<Option<usize>> = None;
    text.lines().filter(move |line| {
        let trimmed = line.trim_start();
        let indentation = line.len() - trimmed.len();
        let trimmed = trimmed.trim_end();
        if in_comment {
            in_comment = !trimmed.contains("*/");
            return false;
        }
        if trimmed.starts_with("/*") {
            in_comment = !trimmed.contains("*/");
            return false;
        }
        if trimmed.is_empty() || trimmed.starts_with("//") {
            return false;
        }
        match test_item {
            None if trimmed == "#[cfg(test)]" => {
                test_item = Some(None);
                false
            }
            None => true,
            Some(None) => {
                let is_whole = trimmed.ends_with(';') || trimmed.ends_with('}');
                if !trimmed.starts_with("#[") {
                    test_item = (!is_whole).then_some(Some(indentation));
                }
                false
            }
            Some(Some(item)) => {
                if indentation == item && (trimmed == "}" || trimmed == "};") {
                    test_item = None;
                }
                false
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blank_lines_and_tests_are_not_counted() {
        let text = "//! About.\nuse a;\n\n/* b\n c */\nfn f() {\n    g(); // h\n}\n#[cfg(test)]\nuse t;\n\
                    #[cfg(test)]\nmod tests {\n    fn t() {\n    }\n}\nfn last() {}\n";
        let lines: Vec<&str> = code(text).collect();
        assert_eq!(
            lines,
            ["use a;", "fn f() {", "    g(); // h", "}", "fn last() {}"]
        );
    }

    #[test]
    fn tests_and_examples_are_no_product() {
        assert!(is_product("checker/engine/src/lib.rs"));
        for path in [
            "checker/engine/tests/it/main.rs",
            "checker/explorer/src/search/tests.rs",
            "server/examples/waiting/main.rs",
            "vscode-extension/src/panel.test.ts",
            "checker/engine/Cargo.toml",
        ] {
            assert!(!is_product(path), "{path}");
        }
    }
}
