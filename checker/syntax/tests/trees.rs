//! Good texts have no errors, and the tree has every character.

use std::path::Path;

use stubborn_syntax::parse;

fn good_texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let mut texts: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder of good texts can be read")
        .map(|entry| entry.expect("so can its entries").path())
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a good text can be read");
            (path.display().to_string(), text)
        })
        .collect();
    texts.sort();
    texts
}

#[test]
fn a_good_text_has_no_errors_and_its_tree_is_the_text() {
    for (path, text) in good_texts() {
        let parse = parse(&text);
        assert_eq!(parse.errors, [], "{path}");
        assert_eq!(parse.warnings, [], "{path}");
        assert_eq!(parse.syntax().to_string(), text, "{path}");
    }
}
