//! Several files: testers and the models that they use, open or on the disk.

use std::fs;

use serde_json::{Value, json};

use super::client::{Client, Folder};

const MODEL: &str = "\
var x: 0..5

process p {
    loop { x = (x + 1) % 6 }
}
";

const TESTER: &str = "\
use \"model.stb\"

invariant small: x < 4
";

fn is_violation(diagnostic: &Value) -> bool {
    diagnostic["severity"] == 1 && diagnostic["code"] == "invariant"
}

fn is_missing(diagnostic: &Value) -> bool {
    diagnostic["code"] == "missing-file"
}

/// Tells the server that a file has changed on the disk.
fn changed(client: &mut Client, uri: &str) {
    let changes = json!({"changes": [{"uri": uri, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
}

#[test]
fn a_tester_is_checked_with_the_model_on_the_disk() {
    let mut client = Client::start();
    client.folder.write("model.stb", MODEL);
    let uri = client.open("small.tester", TESTER);
    let published = client.published(&uri, |found| found.iter().any(is_violation));
    let violation = published.iter().find(|one| is_violation(one)).unwrap();
    // The steps of the trace are in the model.
    let first = &violation["relatedInformation"][0]["location"];
    assert_eq!(first["uri"], client.uri("model.stb"));
}

#[test]
fn an_open_model_counts_and_not_what_is_on_the_disk() {
    let mut client = Client::start();
    client.folder.write("model.stb", MODEL);
    let model = client.open("model.stb", &MODEL.replace("% 6", "% 2"));
    let tester = client.open("small.tester", TESTER);
    assert_eq!(client.verdicts(&tester)["small"], "holds");

    // Saving the model checks the tester that uses it.
    client.look_ahead();
    client.replace_all(&model, MODEL);
    client.save(&model);
    client.published(&tester, |found| found.iter().any(is_violation));

    // Closed, it is again what the disk has.
    client.look_ahead();
    client.replace_all(&model, &MODEL.replace("% 6", "% 2"));
    client.published(&tester, |found| !found.iter().any(is_violation));
    client.look_ahead();
    client.close(&model);
    client.published(&tester, |found| found.iter().any(is_violation));
}

#[test]
fn the_testers_of_the_workspace_that_use_a_model_are_checked_with_it() {
    let folder = Folder::new();
    folder.write("model.stb", MODEL);
    folder.write("small.tester", TESTER);
    folder.write("other.tester", "use \"elsewhere.stb\"\n");
    let mut client = Client::start_in(folder, json!({}), json!({}));
    let model = client.open("model.stb", MODEL);
    let tester = client.uri("small.tester");
    client.published(&tester, |found| found.iter().any(is_violation));

    // What has nothing to do with an open file is left alone.
    let other = client.uri("other.tester");
    let said = client
        .heard
        .iter()
        .filter(|message| message["params"]["uri"] == other.as_str());
    assert_eq!(said.count(), 0);

    // When nothing is open any more, nothing is said of it.
    client.look_ahead();
    client.close(&model);
    client.published(&tester, <[Value]>::is_empty);
}

#[test]
fn a_tester_of_another_program_is_left_alone_until_it_looks_like_ours() {
    let foreign = "say(\"use\");\nuse \"model.stb\"\n";
    let folder = Folder::new();
    folder.write("model.stb", MODEL);
    folder.write("small.tester", TESTER);
    folder.write("foreign.tester", foreign);
    let mut client = Client::start_in(folder, json!({}), json!({}));
    client.open("model.stb", MODEL);
    let (tester, other) = (client.uri("small.tester"), client.uri("foreign.tester"));
    client.published(&tester, |found| found.iter().any(is_violation));
    let is_told = |client: &Client| {
        let mut heard = client.heard.iter();
        heard.any(|message| message["params"]["uri"] == other.as_str())
    };
    assert!(!is_told(&client), "nothing is said of it");

    client.folder.write("foreign.tester", TESTER);
    changed(&mut client, &other);
    client.published(&other, |found| found.iter().any(is_violation));
    client.look_ahead();
    client.folder.write("foreign.tester", foreign);
    changed(&mut client, &other);
    client.published(&other, <[Value]>::is_empty);
}

#[test]
fn model_and_tester_of_one_system_share_their_searches() {
    let mut client = Client::start();
    let model = client.open("model.stb", MODEL);
    client.verdicts(&model);
    let before = client.statistics();
    let tester = client.open("small.tester", TESTER);
    assert_eq!(client.verdicts(&tester)["small"], "violated");
    let after = client.statistics();
    assert_eq!(
        after.searches,
        before.searches + 1,
        "for the one new property"
    );
    assert!(after.reused > before.reused);
}

#[test]
fn a_file_that_is_missing_may_come_later() {
    let mut client = Client::start();
    let uri = client.open("small.tester", TESTER);
    client.published(&uri, |found| found.iter().any(is_missing));

    client.look_ahead();
    client.folder.write("model.stb", MODEL);
    let model = client.uri("model.stb");
    changed(&mut client, &model);
    // It is checked at once.
    client.published(&uri, |found| found.iter().any(is_violation));
}

#[test]
fn of_a_model_that_is_gone_nothing_is_said_any_more() {
    let mut client = Client::start();
    let faulty = "var x: 0..2\nprocess p { x = 2 }\ninvariant low: x < 2\n";
    let model = client.open("gone.stb", faulty);
    client.published(&model, |all| all.iter().any(is_violation));
    let tester = client.open("t.tester", "use \"gone.stb\"\ninvariant mine: x < 3\n");
    client.verdicts(&tester);
    client.look_ahead();
    client.close(&model);
    fs::remove_file(client.folder.path().join("gone.stb")).expect("a file");
    changed(&mut client, &model);
    client.published(&tester, |all| all.iter().any(is_missing));
    client.published(&model, <[Value]>::is_empty);
}

#[test]
fn a_model_that_changes_on_the_disk_is_checked_for_its_open_tester() {
    let mut client = Client::start();
    client
        .folder
        .write("model.stb", &MODEL.replace("% 6", "% 2"));
    let tester = client.open("small.tester", TESTER);
    assert_eq!(client.verdicts(&tester)["small"], "holds");
    for (text, verdict) in [("% 6", "violated"), ("% 3", "holds"), ("% 5", "violated")] {
        client.look_ahead();
        client
            .folder
            .write("model.stb", &MODEL.replace("% 6", text));
        let model = client.uri("model.stb");
        changed(&mut client, &model);
        client.wait_for("stubborn/verdicts", |params| {
            let properties = params["properties"].as_array().expect("properties");
            let mut properties = properties.iter();
            params["uri"] == tester.as_str()
                && properties.any(|one| one["name"] == "small" && one["verdict"] == verdict)
        });
    }
}

#[test]
fn an_open_file_that_comes_to_equal_the_disk_counts_as_saved() {
    let mut client = Client::start();
    let sound = format!("{MODEL}\ninvariant small: x < 6\n");
    let faulty = sound.replace("< 6", "< 3");
    let uri = client.open("model.stb", &sound);
    assert_eq!(client.verdicts(&uri)["small"], "holds");

    // Another program writes the file, and the editor takes its text over without a save.
    client.look_ahead();
    client.folder.write("model.stb", &faulty);
    client.replace_all(&uri, &faulty);
    client.published_now(&uri, |found| found.iter().any(is_violation));

    // The editor is the first to have the text, and the disk follows.
    client.look_ahead();
    let other = sound.replace("< 6", "< 4");
    client.replace_all(&uri, &other);
    client.folder.write("model.stb", &other);
    changed(&mut client, &uri);
    client.published_now(&uri, |found| found.iter().any(is_violation));

    // What is only typed is not searched.
    client.look_ahead();
    let before = client.statistics().searches;
    client.replace_all(&uri, &sound.replace("% 6", "% 5"));
    client.published_now(&uri, |_| true);
    assert_eq!(client.statistics().searches, before);
}

#[test]
fn a_text_that_was_never_saved_is_checked_as_it_is_typed() {
    let mut client = Client::start();
    let uri = "untitled:Untitled-1";
    client.open_uri(uri, "");
    client.look_ahead();
    client.replace_all(uri, &format!("{MODEL}\ninvariant small: x < 3\n"));
    client.published_now(uri, |found| found.iter().any(is_violation));
    client.look_ahead();
    client.replace_all(uri, &format!("{MODEL}\ninvariant small: x < 6\n"));
    assert_eq!(client.verdicts(uri)["small"], "holds");
}

#[test]
fn a_save_looks_at_the_files_again_for_clients_that_do_not_watch_them() {
    let mut client = Client::start();
    let uri = client.open("small.tester", TESTER);
    client.published(&uri, |found| found.iter().any(is_missing));
    client.look_ahead();
    client.folder.write("model.stb", MODEL);
    client.save(&uri);
    client.published(&uri, |found| found.iter().any(is_violation));
}

#[test]
fn two_models_have_nothing_to_do_with_each_other() {
    let mut client = Client::start();
    let faulty = client.open("faulty.stb", &format!("{MODEL}\ninvariant small: x < 3\n"));
    let sound = client.open("sound.stb", &format!("{MODEL}\ninvariant small: x < 6\n"));
    assert_eq!(client.verdicts(&faulty)["small"], "violated");
    assert_eq!(client.verdicts(&sound)["small"], "holds");

    client.look_ahead();
    client.replace_all(&sound, "var =");
    client.published_now(&sound, |found| !found.is_empty());
    client.close(&sound);
    client.published(&sound, <[Value]>::is_empty);
    let told_of_faulty = client.heard.iter().rev().find(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == faulty.as_str()
    });
    let diagnostics = &told_of_faulty.unwrap()["params"]["diagnostics"];
    assert!(diagnostics.as_array().unwrap().iter().any(is_violation));
}

#[test]
fn a_client_that_can_watch_files_is_asked_to() {
    let watching = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let mut client = Client::start_in(Folder::new(), json!({}), watching);
    client.wait_for("client/registerCapability", |params| {
        params["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    });
}

#[cfg(unix)]
#[test]
fn what_is_no_model_is_neither_waited_for_nor_quoted() {
    let mut client = Client::start();
    let path = |client: &Client, name: &str| client.folder.path().join(name);
    let pipe = path(&client, "pipe.stb");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, path(&client, name)).expect("a link");
    };
    link("/proc/self/environ", "environment.stb");
    link("/dev/zero", "zero.stb");
    link("pipe.stb", "to_pipe.stb");
    std::fs::create_dir(path(&client, "folder.stb")).expect("a folder");
    let used = [
        "/proc/self/environ",
        "/dev/zero",
        "environment.stb",
        "zero.stb",
        "pipe.stb",
        "to_pipe.stb",
        "folder.stb",
    ];
    let text: String = used
        .iter()
        .map(|used| format!("use \"{used}\"\n"))
        .collect();
    let uri = client.open("a.tester", &text);
    let published = client.published(&uri, |found| found.iter().any(is_missing));
    let told: Vec<&str> = published
        .iter()
        .filter(|one| is_missing(one))
        .filter_map(|one| one["message"].as_str())
        .collect();
    assert_eq!(told.len(), used.len(), "{told:#?}");
    assert!(told.iter().all(|one| one.starts_with('`')), "{told:#?}");
    assert!(!told.iter().any(|one| one.contains("PATH=")), "{told:#?}");
    // The server is still there for others.
    let other = client.open("model.stb", MODEL);
    assert_eq!(client.verdicts(&other)["errors"], "holds");
}

#[test]
fn what_is_outside_the_workspace_is_used_only_where_the_user_allows_it() {
    let outside = Folder::new();
    outside.write("model.stb", MODEL);
    let mut client = Client::start();
    let used = outside.path().join("model.stb");
    let text = TESTER.replace("model.stb", used.to_str().unwrap());
    let uri = client.open("small.tester", &text);
    let published = client.published(&uri, |found| found.iter().any(is_missing));
    let told = published.iter().find(|one| is_missing(one)).unwrap();
    let told = told["message"].as_str().unwrap();
    assert!(told.contains("`stubborn.files.outsideWorkspace`"), "{told}");

    // Beside an open file there is its own folder.
    client.look_ahead();
    let beside = outside.uri("beside.tester");
    client.open_uri(&beside, TESTER);
    client.published(&beside, |found| found.iter().any(is_violation));
    client.close(&beside);
    client.look_ahead();
    client.save(&uri);
    client.published(&uri, |found| found.iter().any(is_missing));

    client.look_ahead();
    let settings = json!({"settings": {"stubborn": {"files": {"outsideWorkspace": true}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    client.published(&uri, |found| !found.iter().any(is_missing));
    client.save(&uri);
    client.published(&uri, |found| found.iter().any(is_violation));
}

#[test]
fn a_tester_in_a_folder_that_is_removed_is_none_of_the_workspace_any_more() {
    let mut client = Client::start_with(json!({"files": {"outsideWorkspace": true}}));
    let uri = client.open("model.stb", MODEL);
    let elsewhere = Folder::new();
    let used = client.folder.path().join("model.stb");
    let text = TESTER.replace("model.stb", used.to_str().unwrap());
    elsewhere.write("small.tester", &text);
    let tester = elsewhere.uri("small.tester");
    let folder = json!({"uri": elsewhere.uri(""), "name": "elsewhere"});
    let change = |added: &[&Value], removed: &[&Value]| json!({"event": {"added": added, "removed": removed}});
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(&[&folder], &[]),
    );
    client.published(&tester, |found| found.iter().any(is_violation));
    client.look_ahead();
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(&[], &[&folder]),
    );
    client.published(&tester, <[Value]>::is_empty);

    // Nor do its file's changes bring it back; open, it is checked like any other.
    changed(&mut client, &tester);
    client.statistics();
    client.look_ahead();
    client.save(&uri);
    client.verdicts(&uri);
    let told = client.heard.iter().rev();
    let mut told = told.filter(|one| one["params"]["uri"] == tester.as_str());
    let last = told.next().expect("what was told of the tester");
    assert_eq!(last["params"]["diagnostics"], json!([]));
    client.open_uri(&tester, &text);
    client.published(&tester, |found| found.iter().any(is_violation));
}
