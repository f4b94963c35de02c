//! Nothing is searched twice: not in another file, not after a file was closed, not in the next
//! session.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::{Client, Folder};

const MODEL: &str = "\
var x: 0..5

process p {
    loop { x = (x + 1) % 6 }
}

invariant small: x < 4
progress back: may x == 0
";

const TESTER: &str = "\
use \"model.stb\"

ltl again: always eventually x == 5
";

fn is_violation(diagnostic: &Value) -> bool {
    diagnostic["severity"] == 1 && diagnostic["code"] == "invariant"
}

/// The next session of the same user, in the same folder.
fn next(client: Client, options: Value) -> Client {
    let (cache, folder) = (client.cache.clone(), client.folder.clone());
    assert_eq!(client.leave().code(), Some(0));
    Client::start_knowing(cache, folder, &[], options, json!({}))
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = paths.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    below.collect()
}

#[test]
fn a_workspace_that_is_opened_again_shows_its_verdicts_without_a_search() {
    let mut client = Client::start();
    client.folder.write("model.stb", MODEL);
    let uri = client.open("model.tester", TESTER);
    let before = client.verdicts(&uri);
    assert_eq!(before["small"], "violated");
    assert_eq!(before["again"], "holds");
    assert_eq!(client.statistics().found_before, 0);

    let mut client = next(client, json!({}));
    let uri = client.open("model.tester", TESTER);
    assert_eq!(client.verdicts(&uri), before);
    let model = client.open("model.stb", MODEL);
    let published = client.published(&model, |found| found.iter().any(is_violation));
    let violation = published.iter().find(|one| is_violation(one)).unwrap();
    // The run was taken again.
    let related = violation["relatedInformation"].as_array().unwrap();
    assert!(!related.is_empty(), "{violation}");
    let cost = client.statistics();
    assert_eq!((cost.states, cost.searches), (0, 0), "{cost:?}");
    assert_eq!(cost.found_before, before.len() as u64);
    let hover = client.hover(&uri, TESTER, "again").unwrap();
    assert!(hover.contains("holds"), "{hover}");
    assert!(hover.contains("found before, and kept since"), "{hover}");
}

#[test]
fn what_was_edited_between_two_sessions_is_searched_as_far_as_it_matters() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    let before = client.verdicts(&uri);

    let mut client = next(client, json!({}));
    let edited = MODEL.replace("process p", "// who counts\nprocess counter");
    let uri = client.open("model.stb", &edited);
    assert_eq!(client.verdicts(&uri), before);
    assert_eq!(client.statistics().searches, 0);

    client.look_ahead();
    client.replace_all(&uri, &edited.replace("x < 4", "x < 6"));
    client.save(&uri);
    assert_eq!(client.verdicts(&uri)["small"], "holds");
    let cost = client.statistics();
    assert_eq!((cost.searches, cost.states), (1, 6));
}

#[test]
fn what_was_damaged_meanwhile_is_searched_again() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    let before = client.verdicts(&uri);
    let (cache, folder) = (client.cache.clone(), client.folder.clone());
    assert_eq!(client.leave().code(), Some(0));
    let kept = files(cache.path());
    assert_eq!(kept.len(), before.len());
    for file in kept {
        let text = fs::read_to_string(&file).expect("a verdict");
        // Whoever is violated holds, and the other way round.
        let forged = match text.contains("holds") {
            true => text.replace("holds", "fails"),
            false => text.replace("violated", "holds"),
        };
        fs::write(&file, forged).expect("a file");
    }
    let mut client = Client::start_knowing(cache, folder, &[], json!({}), json!({}));
    let uri = client.open("model.stb", MODEL);
    assert_eq!(client.verdicts(&uri), before);
    let cost = client.statistics();
    assert_eq!((cost.searches, cost.found_before), (1, 0));
}

#[test]
fn a_user_can_have_nothing_kept() {
    let off = json!({"cache": {"enabled": false}});
    let mut client = Client::start_with(off.clone());
    let uri = client.open("model.stb", MODEL);
    client.verdicts(&uri);
    let mut client = next(client, off);
    assert_eq!(files(client.cache.path()), [""; 0].map(PathBuf::from));
    let uri = client.open("model.stb", MODEL);
    client.verdicts(&uri);
    assert_eq!(client.statistics().searches, 1);
}

#[test]
fn two_servers_at_once_use_what_the_other_has_found() {
    let (cache, folder) = (Folder::new(), Folder::new());
    let start = || Client::start_knowing(cache.clone(), folder.clone(), &[], json!({}), json!({}));
    let (mut one, mut other) = (start(), start());
    let uri = one.open("model.stb", MODEL);
    let found = one.verdicts(&uri);
    assert_eq!(one.leave().code(), Some(0));
    let uri = other.open("model.stb", MODEL);
    assert_eq!(other.verdicts(&uri), found);
    assert_eq!(other.statistics().searches, 0);
}

#[test]
fn the_same_text_in_another_file_costs_nothing() {
    let mut client = Client::start();
    let first = client.open("first.stb", MODEL);
    let verdicts = client.verdicts(&first);
    let before = client.statistics();
    let second = client.open("second.stb", &MODEL.replace("small", "little"));
    let again = client.verdicts(&second);
    assert_eq!(again["little"], verdicts["small"]);
    let after = client.statistics();
    assert_eq!(
        (after.searches, after.states),
        (before.searches, before.states)
    );
    assert_eq!(after.reused, before.reused + verdicts.len() as u64);
}

#[test]
fn a_model_is_known_from_the_tester_that_uses_it_and_the_other_way_round() {
    let mut client = Client::start();
    client.folder.write("model.stb", MODEL);
    // The model on the disk, as a part of its tester.
    let tester = client.open("model.tester", TESTER);
    let verdicts = client.verdicts(&tester);
    let before = client.statistics();

    // In an editor, closed and opened again.
    for _ in 0..2 {
        client.look_ahead();
        let model = client.open("model.stb", MODEL);
        assert_eq!(client.verdicts(&model)["small"], verdicts["small"]);
        client.close(&model);
    }
    // And as a part of another tester.
    client.look_ahead();
    let other = client.open(
        "other.tester",
        "use \"model.stb\"\n\ninvariant low: x < 4\n",
    );
    assert_eq!(client.verdicts(&other)["low"], verdicts["small"]);
    let after = client.statistics();
    assert_eq!(
        (after.searches, after.states),
        (before.searches, before.states)
    );
}
