//! What `use`, and a name on the command line, may open.

use std::os::unix::fs::symlink;
use std::process::Command;

use super::folder::Folder;

/// A folder with a model, and with what is none under names of models.
fn folder() -> Folder {
    let folder = Folder::with("lock.stb", "var x: bool\nprocess p { x = not x }\n")
        .and("folder.stb/lock.stb", "")
        .and("notes.txt", "the secret\n");
    let made = Command::new("mkfifo").arg(folder.path("pipe.stb")).status();
    assert!(made.expect("mkfifo runs").success());
    let sparse = std::fs::File::create(folder.path("sparse.stb")).expect("a file");
    sparse.set_len(1 << 40).expect("a length");
    for (name, target) in [
        ("model.stb", "lock.stb"),
        ("environment.stb", "/proc/self/environ"),
        ("zero.stb", "/dev/zero"),
        ("notes.stb", "notes.txt"),
        ("to_pipe.stb", "pipe.stb"),
        ("to_folder.stb", "folder.stb"),
        ("to_sparse.stb", "sparse.stb"),
    ] {
        symlink(target, folder.path(name)).expect("a link");
    }
    folder
}

const NAMES: &str = "cannot be used: the names of models end in `.stb`, those of testers in \
                     `.tester`";
const LINK: &str = "cannot be used: it is a link to a file whose name ends neither in `.stb` nor \
                    in `.tester`";
const NO_FILE: &str = "is not a file; a model is given by its file, `model.stb`";
const NOT_REGULAR: &str = "is not a regular file but a device, a pipe or the like; a model is \
                           given by its file, `model.stb`";
const TOO_LONG: &str = "is too long to be a model: it has more than 64 MB";

#[test]
fn only_regular_files_with_names_of_models_are_used_and_no_other_is_quoted() {
    let folder = folder();
    for (used, why) in [
        ("/proc/self/environ", NAMES),
        ("/proc/self/pagemap", NAMES),
        ("/dev/zero", NAMES),
        ("notes.txt", NAMES),
        ("environment.stb", LINK),
        ("zero.stb", LINK),
        ("notes.stb", LINK),
        ("folder.stb", NO_FILE),
        ("to_folder.stb", NO_FILE),
        ("pipe.stb", NOT_REGULAR),
        ("to_pipe.stb", NOT_REGULAR),
        ("sparse.stb", TOO_LONG),
        ("to_sparse.stb", TOO_LONG),
    ] {
        let text = format!("use \"{used}\"\ninvariant i: true\n");
        std::fs::write(folder.path("a.tester"), text).expect("a file");
        let (status, object) = folder.json("check a.tester");
        assert_eq!(status, 3, "{used}");
        let problems = object["problems"].as_array().expect("problems");
        let [problem] = &problems[..] else {
            panic!("{used}: {problems:#?}");
        };
        assert_eq!(problem["code"], "missing-file");
        assert_eq!(problem["message"], format!("`{used}` {why}"));
        assert_eq!(problem["range"]["start"]["line"], 1);
    }
}

#[test]
fn a_model_is_used_behind_a_link() {
    let folder = folder().and("a.tester", "use \"model.stb\"\ninvariant i: not x\n");
    let (status, object) = folder.json("check a.tester --property i");
    assert_eq!((status, &object["problems"]), (1, &serde_json::json!([])));
}

#[test]
fn a_file_on_the_command_line_is_a_regular_one() {
    let folder = folder();
    let pipe = folder.path("pipe.hoa");
    assert!(
        Command::new("mkfifo")
            .arg(pipe)
            .status()
            .expect("mkfifo runs")
            .success()
    );
    for (arguments, file, why) in [
        ("check pipe.stb", "pipe.stb", NOT_REGULAR),
        ("explore to_pipe.stb", "to_pipe.stb", NOT_REGULAR),
        ("fmt pipe.stb", "pipe.stb", NOT_REGULAR),
        ("automaton pipe.hoa", "pipe.hoa", NOT_REGULAR),
        ("check /dev/zero", "/dev/zero", NOT_REGULAR),
        ("check zero.stb", "zero.stb", NOT_REGULAR),
        ("check folder.stb", "folder.stb", NO_FILE),
        ("check to_sparse.stb", "to_sparse.stb", TOO_LONG),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 3, "{arguments}: {}", ran.err);
        let told = format!("error: `{file}` {why}");
        let said: Vec<&str> = ran.err.split_whitespace().collect();
        assert!(said.join(" ").contains(&told), "{arguments}: {}", ran.err);
    }
}
