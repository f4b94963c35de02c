//! Formatting from the command line.

use super::folder::Folder;

const UNTIDY: &str = "var   x :bool\nprocess p{ x=true }\n";

#[test]
fn check_tells_which_files_would_change_and_changes_none() {
    let folder = Folder::with("untidy.stb", UNTIDY);
    let ran = folder.run("fmt --check untidy.stb");
    assert_eq!(ran.status, 1);
    assert_eq!(ran.out, "untidy.stb would change\n");
    assert_eq!(folder.read("untidy.stb"), UNTIDY);
}

#[test]
fn a_file_is_formatted_in_place_once_and_for_all() {
    let folder = Folder::with("untidy.stb", UNTIDY);
    let ran = folder.run("fmt untidy.stb");
    assert_eq!((ran.status, &*ran.out, &*ran.err), (0, "", ""));
    let tidy = folder.read("untidy.stb");
    assert!(tidy.starts_with("var x: bool\n"), "{tidy}");
    assert_eq!(folder.run("fmt --check untidy.stb").status, 0);
}

#[test]
fn a_file_with_mistakes_in_its_syntax_is_left_as_it_is() {
    let wrong = "var   x :bool\nprocess p{ x= }\n";
    let folder = Folder::with("wrong.stb", wrong).and("untidy.stb", UNTIDY);
    let ran = folder.run("fmt wrong.stb untidy.stb");
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("--> wrong.stb:2:"), "{}", ran.err);
    assert_eq!(folder.read("wrong.stb"), wrong);
    assert_ne!(
        folder.read("untidy.stb"),
        UNTIDY,
        "the others are formatted all the same"
    );
}
