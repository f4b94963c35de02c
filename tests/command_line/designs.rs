//! Designs that somebody wrote who had read nothing but the site: every verdict is what its author meant, as `expect violated`
//! says, with each bug that a parameter turns on and without.

use std::path::PathBuf;
use std::process::Command;

/// With which settings each is checked.
const DESIGNS: [(&str, &[&str]); 3] = [
    (
        "bucket.stb",
        &["", "N=3", "FIFO=0", "FIFO=0 N=3", "RACY=1", "FIFO=0 RACY=1"],
    ),
    ("leader.tester", &["", "ALARMS=0", "FORGETS=1"]),
    (
        "retry.stb",
        &[
            "",
            "BUG=1",
            "BUG=2",
            "BUG=3",
            "BUG=3 CAP=2",
            "JOBS=3",
            "JOBS=3 CAP=2",
            "MAX=3 BUG=2",
        ],
    ),
];

#[test]
fn designs_that_were_written_from_the_site_alone_are_as_their_author_meant() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/designs"));
    let mut wrong = Vec::new();
    for (design, settings) in DESIGNS {
        for setting in settings {
            let mut check = Command::new(env!("CARGO_BIN_EXE_stubborn"));
            check.arg("check").arg(folder.join(design));
            for one in setting.split_whitespace() {
                check.args(["-D", one]);
            }
            let output = check.output().expect("the program starts");
            if output.status.code() != Some(0) {
                let said = String::from_utf8_lossy(&output.stdout);
                wrong.push(format!("{design} {setting}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
