//! What code scanning reads.

use serde_json::Value;

use super::folder::{BROKEN_LOCK, FORKS, Folder, LOCK};

fn sarif(folder: &Folder, arguments: &str) -> (i32, Value) {
    let ran = folder.run(&format!("{arguments} --format sarif"));
    assert_eq!(ran.err, "");
    let log: Value = serde_json::from_str(&ran.out).expect("one JSON object");
    // The types of the format take it, so that every field has its place and its type.
    serde_json::from_str::<serde_sarif::sarif::Sarif>(&ran.out).expect("a SARIF log");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "stubborn");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    for result in run["results"].as_array().expect("results") {
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        assert!(
            rules.iter().any(|rule| rule["id"] == result["ruleId"]),
            "{result}"
        );
    }
    (ran.status, run.clone())
}

#[test]
fn a_violation_is_a_result_with_its_trace_as_a_code_flow() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let (status, run) = sarif(&folder, "check lock.stb --property mutex");
    assert_eq!(status, 1);
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "invariant");
    assert_eq!(result["level"], "error");
    assert_eq!(result["kind"], "fail");
    assert_eq!(
        result["message"]["text"],
        "`mutex` is violated: 2 customers are in critical at once, after 4 steps"
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "lock.stb");
    assert_eq!(place["region"]["startLine"], 14);
    assert_eq!(place["region"]["startColumn"], 11);
    assert_eq!(place["region"]["endColumn"], 16);
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
    let steps = steps.expect("a code flow");
    assert_eq!(steps.len(), 4);
    assert_eq!(
        steps[2]["location"]["message"]["text"],
        "customer(0): entering → critical, free = false"
    );
    assert_eq!(
        steps[2]["location"]["physicalLocation"]["region"]["startLine"],
        9
    );
}

#[test]
fn what_holds_is_no_result() {
    let (status, run) = sarif(&Folder::with("lock.stb", LOCK), "check lock.stb");
    assert_eq!(status, 0);
    assert_eq!(run["results"], serde_json::json!([]));
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn a_witness_is_a_result_that_passes_with_its_run_as_a_code_flow() {
    let text = format!("{LOCK}\nreachable busy: not free");
    let (status, run) = sarif(&Folder::with("lock.stb", &text), "check lock.stb");
    assert_eq!(status, 0);
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "reachable");
    assert_eq!(
        (&result["kind"], &result["level"]),
        (&"pass".into(), &"none".into())
    );
    assert_eq!(
        result["message"]["text"],
        "`busy` holds: it is true after 1 step"
    );
    let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps.as_array().map(Vec::len), Some(1));
    assert_eq!(
        steps[0]["location"]["message"]["text"],
        "customer(0): idle → critical, free = false"
    );
}

#[test]
fn what_is_undecided_is_open() {
    let folder = Folder::with("lock.stb", LOCK);
    let (status, run) = sarif(&folder, "check lock.stb --property mutex --max-states 2");
    assert_eq!(status, 2);
    assert_eq!(run["results"][0]["kind"], "open");
    assert_eq!(run["results"][0]["level"], "none");
}

#[test]
fn who_waits_is_a_related_location() {
    let folder = Folder::with("forks.stb", FORKS);
    let (_, run) = sarif(&folder, "check forks.stb --property deadlock");
    let related = run["results"][0]["relatedLocations"]
        .as_array()
        .expect("related locations");
    assert_eq!(
        related[0]["message"]["text"],
        "eater(0) at one waits for `fork[1]`"
    );
}

#[test]
fn a_mistake_in_the_text_is_a_result_and_one_on_the_command_line_a_notification() {
    let folder = Folder::with("lock.stb", &format!("{LOCK}invariant wrong: nobody\n"));
    let (status, run) = sarif(&folder, "check lock.stb");
    assert_eq!(status, 3);
    assert_eq!(run["results"][0]["ruleId"], "unknown-name");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let (status, run) = sarif(&folder, "check nothing.stb");
    assert_eq!(status, 3);
    let notification = &run["invocations"][0]["toolConfigurationNotifications"][0];
    assert_eq!(
        notification["message"]["text"],
        "there is no file `nothing.stb`"
    );
}
