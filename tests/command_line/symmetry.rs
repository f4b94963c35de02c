//! What symmetry and stubborn sets leave together of models of like processes.

use super::folder::Folder;

/// What is said of a model of the repository.
fn told(model: &str, arguments: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(format!("{}/../{model}", env!("CARGO_MANIFEST_DIR")));
    let folder = Folder::with("m.stb", &text.expect("a model"));
    let (_, object) = folder.json(&format!("check m.stb --threads 1 {arguments}"));
    object
}

/// The states of the largest search, and verdicts.
fn found(model: &str, arguments: &str) -> (u64, Vec<String>) {
    let object = told(model, arguments);
    let properties = object["properties"].as_array().expect("a list").iter();
    let states = properties.clone().map(|one| one["states"].as_u64());
    let verdicts = properties.map(|one| one["verdict"].as_str().expect("one").to_owned());
    (states.flatten().max().unwrap_or(0), verdicts.collect())
}

/// Valmari (2015, section VII) has a version of Peterson's algorithm that can deadlock, of which symmetry and stubborn
/// sets leave a number of states that is quadratic in the number of customers.
#[test]
fn of_customers_who_deadlock_both_leave_a_number_of_states_that_is_quadratic() {
    for n in 7..=12 {
        let model = "tests/benchmarks/models/symmetric/peterson_deadlocking.stb";
        let both = format!("-D N={n} --property errors --reduction stubborn --symmetry always");
        let (states, verdicts) = found(model, &both);
        assert_eq!(states, 3 * n * n - 3 * n + 2, "N={n}");
        assert_eq!(verdicts, ["holds"]);
    }
}

#[test]
fn five_and_six_customers_of_peterson_are_decided() {
    let asked = "--property errors --property deadlock --property termination --property mutex";
    for n in [5, 6] {
        let (states, verdicts) = found("examples/peterson.stb", &format!("-D N={n} {asked}"));
        assert_eq!(verdicts, ["holds"; 4], "N={n}");
        assert!(states < 100_000, "{states}");
    }
}

/// What happens in a model is told as well where one state stands for all that permutations make of it.
#[test]
fn what_never_happens_is_known_of_customers_who_are_not_told_apart() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/peterson.stb"
    ));
    let text = text.expect("a model");
    let smith =
        "process smith { await count(i in Id: customer(i)@critical) > 1\n mending: skip }\n";
    let folder = Folder::with("m.stb", &(text + smith));
    let asked = "check m.stb --threads 1 -D N=5 --property errors --property mutex --coverage";
    let (_, object) = folder.json(asked);
    for property in object["properties"].as_array().expect("a list") {
        assert_eq!(property["verdict"], "holds");
        assert!(property["symmetry"].as_u64() > Some(1), "{property}");
    }
    let coverage = &object["coverage"];
    assert_eq!(
        coverage["untold"].as_array().map(Vec::len),
        Some(0),
        "{coverage}"
    );
    let never = coverage["never"].as_array().expect("a list").iter();
    let never: Vec<&str> = never.filter_map(|one| one["message"].as_str()).collect();
    assert_eq!(
        never,
        ["no run takes this step", "no run comes here"],
        "{coverage}"
    );
}

/// With stubborn sets permutations may leave more canonical forms than there are states without them: which sets are found
/// differs from one form to the next.
#[test]
fn where_permutations_make_more_of_stubborn_sets_they_are_given_up() {
    let text = "type Id = 0..4\nvar e: array[Id] of array[Id] of bool\n\
                process q(i in Id, j in Id where i != j) {\n    loop {\n        either { e[i][j] = true }\n        \
                or {\n            await e[i][j] do e[j][i] = true\n            e[i][j] = false, e[j][i] = false\n        }\n    }\n}\n\
                termination not required\n";
    let folder = Folder::with("m.stb", text);
    let (status, object) = folder.json("check m.stb --threads 1");
    assert_eq!(status, 0, "{object}");
    for property in object["properties"].as_array().expect("a list") {
        assert_eq!(property["verdict"], "holds", "{property}");
        assert!(property["states"].as_u64() < Some(30_000), "{property}");
    }
}

/// More than the first trial may have.
#[test]
fn seven_customers_of_peterson_are_decided_with_permutations() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/peterson.stb");
    let text = std::fs::read_to_string(path).expect("a model");
    let folder = Folder::with("m.stb", &text.replace("param N: 2..6", "param N: 2..7"));
    let (_, object) =
        folder.json("check m.stb --threads 1 -D N=7 --property errors --property termination");
    for property in object["properties"].as_array().expect("a list") {
        assert_eq!(property["verdict"], "holds");
        let states = property["states"].as_u64();
        assert!(
            Some(30_000) < states && states < Some(300_000),
            "{property}"
        );
    }
}

/// The same beside a monitor: the first trial, the search without permutations behind it, and the second trial.
#[test]
fn six_customers_of_peterson_satisfy_a_formula_after_a_second_trial() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/peterson.stb");
    let text = std::fs::read_to_string(path).expect("a model")
        + "ltl one: always count(i in Id: customer(i)@critical) <= 1\n";
    let folder = Folder::with("m.stb", &text);
    let (_, object) = folder.json("check m.stb --threads 1 -D N=6 --property one");
    let one = &object["properties"][0];
    assert_eq!(one["verdict"], "holds", "{one}");
    assert_eq!(one["symmetry"], 720, "{one}");
    assert!(one["states"].as_u64() > Some(30_000), "{one}");
}

/// A search in which some states are missed goes through canonical forms as one that misses none.
#[test]
fn permutations_are_used_in_storage_that_is_not_exact() {
    let model = "tests/benchmarks/models/symmetric/peterson_deadlocking.stb";
    for storage in ["--storage compact", "--storage bitstate --bits 20"] {
        let asked = format!("-D N=8 --property errors --property deadlock {storage}");
        let object = told(model, &format!("{asked} --reduction none"));
        let (errors, deadlock) = (&object["properties"][0], &object["properties"][1]);
        assert_eq!(errors["verdict"], "undecided", "{storage}");
        assert_eq!(errors["symmetry"], 40_320, "{storage}");
        assert_eq!(deadlock["verdict"], "violated", "{storage}");
        let exact = told(model, "-D N=8 --property errors --reduction none");
        let states = |of: &serde_json::Value| of["states"].as_u64().expect("a number");
        let (found, exact) = (states(errors), states(&exact["properties"][0]));
        assert!(
            found <= exact && found > exact / 2,
            "{storage}: {found} of {exact}"
        );
    }
}

/// Of `access(i)` no permutation may move customer i, but it is not looked for in such a storage.
#[test]
fn what_a_storage_refuses_costs_nobody_a_permutation() {
    let asked = "-D N=3 --symmetry always --reduction none --storage compact";
    let object = told("examples/peterson.stb", asked);
    let properties = object["properties"].as_array().expect("a list").iter();
    let mut of_mutex = properties.filter(|one| one["name"] == "mutex");
    assert_eq!(of_mutex.next().map(|one| &one["symmetry"]), Some(&6.into()));
}

#[test]
fn where_permutations_are_not_used_of_customers_who_are_alike_it_is_said_why() {
    let off = |model: &str, arguments: &str| {
        let object = told(model, arguments);
        let property = &object["properties"][0];
        assert_eq!(property["symmetry"], serde_json::Value::Null, "{property}");
        property["symmetryOff"].as_str().map(str::to_owned)
    };
    let peterson = |arguments: &str| {
        let asked = format!("-D N=4 --property mutex {arguments}");
        off("examples/peterson.stb", &asked)
    };
    let said = |why: &str| Some(why.to_owned());
    assert_eq!(peterson("--reduction sensitive"), said("rounds"));
    assert_eq!(peterson("--reduction sensitive-cycles"), said("rounds"));
    assert_eq!(
        peterson("--reduction none --keep-dead-variables"),
        said("every state")
    );
    assert_eq!(peterson("--symmetry off"), None);
    // Nobody has thought of them.
    let few = "-D N=2 --property mutex --reduction sensitive";
    assert_eq!(off("examples/peterson.stb", few), None);
}

/// Without permutations there are more states than the limit, and with them fewer, but more than in the first trial.
#[test]
fn a_limit_between_two_trials_is_one_on_states_with_permutations_too() {
    let model = "tests/benchmarks/models/symmetric/cache.stb";
    let (states, verdicts) = found(model, "-D N=6 --property coherent --max-states 40000");
    assert_eq!((states, &verdicts[..]), (16_339, &["holds".to_owned()][..]));
}

/// Which instance a step fails of is not known with permutations, and is looked for without them.
#[test]
fn an_exploration_tells_of_failing_steps_though_a_limit_ends_the_search_for_whose_they_are() {
    let text =
        "type Id = 0..4\nvar done: 0..4\nprocess p(i in Id) { skip skip skip done = done + 1 }\n";
    let folder = Folder::with("m.stb", text);
    let all = "explore m.stb --symmetry always --reduction none --threads 1";
    let (_, object) = folder.json(all);
    assert_eq!(
        (&object["failing"], &object["states"]),
        (&5.into(), &3_124.into())
    );
    let (_, object) = folder.json(&format!("{all} --max-states 300"));
    assert_eq!(object["failing"], 1, "{object}");
    assert_eq!(object["complete"], true);
    assert!(object["symmetry"].as_u64() > Some(1), "{object}");
}

#[test]
fn permutations_that_are_too_many_to_be_counted_are_told_so() {
    let text = "type Id = 0..24\nvar done: 0..25\nprocess p(i in Id) { skip done = done + 1 }\n";
    let folder = Folder::with("m.stb", text);
    let told = folder
        .run("check m.stb --symmetry always --property errors")
        .out;
    assert!(told.contains(", more than 10^19 permutations"), "{told}");
}

#[test]
fn an_explained_check_names_what_tells_like_processes_apart() {
    let text = "type Id = 0..1\nvar turn: Id\nprocess p(i in Id) {\n    loop {\n        \
                await turn <= i do turn = i\n    }\n}\ninvariant same: turn < 2\n";
    let folder = Folder::with("m.stb", text);
    let explained = |options: &str| {
        let asked = format!("check m.stb --property same --threads 1 {options}");
        (folder.run(&asked).out, folder.json(&asked).1)
    };
    let difference = "`p(0)` and `p(1)` differ: line 5 compares identities with `<=`";
    let (told, object) = explained("--explain=symmetry");
    assert!(
        told.contains(&format!("symmetry: {difference}\n")),
        "{told}"
    );
    let property = &object["properties"][0];
    assert_eq!(property["differences"], serde_json::json!([difference]));
    for options in ["--explain", "--explain=symmetry --symmetry off"] {
        let (told, _) = explained(options);
        assert!(!told.contains("symmetry: "), "{told}");
    }
}
