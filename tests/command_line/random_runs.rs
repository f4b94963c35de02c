//! `--search random`: violations that no search of all states reaches, and what it says otherwise.

use serde_json::Value;

use super::folder::{BROKEN_LOCK, Folder, LOCK, property};

/// A counter that reaches 40 beside more states than a search of all can visit.
const DEEP: &str = "
var done: 0..40
var noise: array[0..11] of 0..9

process worker {
    loop { either { done = min(done + 1, 40) } or { skip } }
}
process noisy(i in 0..11) {
    loop { noise[i] = (noise[i] + 1) % 10 }
}
termination not required
invariant short: done < 40
reachable half: done == 20 and noise[3] == 7
";

/// A machine that fails, blocks, serves what it should not, and also does what it should.
const KINDS: &str = "
enum Drink { tea, coffee }
action coin
action serve(Drink)
var x: 0..3

process machine {
    initial state idle { on coin do x = 1 -> paid }
    state paid {
        on serve(*) do x = 2 -> idle
        when x == 1 do x = x + 3 -> idle
        -> stuck
        -> done
    }
    state stuck { when x == 3 -> idle }
    final state done
}
invariant low: x < 2
reachable high: x == 2
progress returns: may machine@{idle, done}
progress ends: must x == 2
recurrence again: infinitely coin implies infinitely serve(tea)
ltl never: always x != 2
ltl settles: eventually x == 2
";

const TESTERS: &str = "
use \"kinds.stb\"
tester tells {
    initial state idle { on coin -> paid  on serve(*) -> idle }
    state paid { on serve(tea) -> idle  on serve(coffee) -> bad  on coin -> paid }
    reject state bad
}
tester waits {
    initial state idle { on coin -> paid  on serve(*) -> idle }
    deadlock state paid { on serve(*) -> idle  on coin -> paid }
}
tester spins {
    initial state idle { on coin -> paid  on serve(*) -> idle }
    livelock state paid { on serve(*) -> idle  on coin -> paid }
}
specification tea_only {
    initial state idle { on coin -> paid }
    state paid { on serve(tea) -> idle }
}
refines tea_only in traces
";

fn why(object: &Value, name: &str) -> String {
    let property = property(object, name);
    property["why"].as_str().unwrap_or("").to_owned()
}

#[test]
fn a_violation_beyond_the_reach_of_other_searches_is_found() {
    let folder = Folder::with("deep.stb", DEEP);
    let command = "check deep.stb --search random --runs 60 --seed 3 --threads 1";
    let (status, object) = folder.json(command);
    assert_eq!(status, 1, "{object}");
    let short = property(&object, "short");
    assert_eq!(short["verdict"], "violated");
    assert_eq!(short["search"], "random");
    let steps = short["trace"]["steps"].as_array().map_or(0, Vec::len);
    assert_eq!(steps, 40, "no other process takes a step");
    assert_eq!(property(&object, "half")["verdict"], "holds");
    let errors = property(&object, "errors");
    assert_eq!(errors["verdict"], "undecided");
    let (_, again) = folder.json(command);
    let trace = |object: &Value| property(object, "short")["trace"].clone();
    assert_eq!(
        trace(&again),
        trace(&object),
        "the seed decides on one thread"
    );
}

#[test]
fn nothing_is_said_to_hold() {
    let folder = Folder::with("lock.stb", LOCK);
    let (status, object) = folder.json("check lock.stb --search random --runs 50");
    assert_eq!(status, 2, "{object}");
    let made = &property(&object, "mutex")["random"];
    assert_eq!(made["runs"], 50);
    let steps = made["steps"].as_u64().expect("a number of steps");
    assert!(
        steps > 50 && steps < 1000,
        "the two customers stop soon: {steps}"
    );
    let told = why(&object, "mutex");
    assert_eq!(
        told,
        format!(
            "no violation was found in 50 random runs ({steps} steps); random runs prove nothing"
        )
    );
}

#[test]
fn every_kind_of_property_that_a_finite_run_violates_is_found() {
    let folder = Folder::with("kinds.stb", KINDS).and("kinds.tester", TESTERS);
    let (_, object) = folder.json("check kinds.stb kinds.tester --search random --runs 300");
    for name in [
        "errors",
        "deadlock",
        "low",
        "returns",
        "ends",
        "never",
        "settles",
        "tells",
        "waits",
        "refines tea_only in traces",
    ] {
        let found = property(&object, name);
        assert_eq!(found["verdict"], "violated", "{name}: {found}");
        assert_ne!(found["trace"], Value::Null, "{name}");
    }
    assert_eq!(property(&object, "high")["verdict"], "holds");
    for name in ["termination", "again", "spins"] {
        let found = property(&object, name);
        assert_eq!(found["verdict"], "undecided", "{name}");
        let told = "no finite run violates a property of this form, so random runs do not decide \
                    it; `--search bfs` does";
        assert_eq!(found["why"], told, "{name}");
    }
}

#[test]
fn a_broken_lock_is_found_as_nearly_as_a_full_search_finds_it() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let steps = |options: &str| {
        let (_, object) = folder.json(&format!("check lock.stb --property mutex {options}"));
        property(&object, "mutex")["trace"]["steps"]
            .as_array()
            .map(Vec::len)
    };
    assert!(steps("").is_some());
    assert_eq!(steps("--search random --runs 200"), steps(""));
}

#[test]
fn what_no_random_run_decides_is_undecided_at_once() {
    let folder = Folder::with(
        "turn.stb",
        "var x: 0..3\nfair process p { loop { x = (x + 1) % 4 } }\ntermination not required\n\
         ltl decided: x == 1 implies eventually x == 3\nprogress returns: must x == 3\n",
    );
    let (status, object) = folder.json("check turn.stb --search random --max-states 100");
    assert_eq!(status, 2, "{object}");
    assert_eq!(property(&object, "decided")["verdict"], "undecided");
    assert_eq!(
        why(&object, "returns"),
        "random runs do not decide a property of fair runs; `--search bfs` does"
    );
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = Folder::with("lock.stb", LOCK);
    for (command, told) in [
        (
            "check lock.stb --runs 5",
            "`--runs` is about random runs; write `--search random` too",
        ),
        (
            "check lock.stb --search random --storage bitstate",
            "`--search random` stores no states; leave `--storage bitstate` out",
        ),
        (
            "check lock.stb --search random --reduction stubborn",
            "`--search random` chooses among all steps; leave `--reduction stubborn` out",
        ),
        (
            "check lock.stb --search random --symmetry always",
            "`--search random` merges no states; leave `--symmetry always` out",
        ),
        (
            "check lock.stb --search random --liveness nested",
            "`--search random` finds no cycles; leave `--liveness nested` out",
        ),
        (
            "explore lock.stb --search random",
            "`explore` does not work with `--search random`, which misses states; write `--search bfs`",
        ),
    ] {
        let (status, object) = folder.json(command);
        assert_eq!(status, 3, "{object}");
        assert_eq!(object["problems"][0]["message"], told);
    }
}
