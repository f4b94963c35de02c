//! Runs that show a violation: long ones, those of failing steps, and those beside a specification.

use serde_json::{Value, json};

use super::folder::{Folder, property};

/// Counts to 10,000, with a test before each step, and then round and round.
const COUNTER: &str = "\
var t: 0..20000
process p {
    while t < 10000 { t = t + 1 }
    loop { t = 10001; t = 10002 }
}
termination not required
invariant low: t < 10000
progress back: must t > 10002
";

fn counter() -> Folder {
    Folder::with("counter.stb", COUNTER)
}

fn steps(of: &Value) -> &[Value] {
    of.as_array().expect("a list of steps")
}

#[test]
fn json_has_every_step_of_a_long_trace() {
    let (status, object) = counter().json("check counter.stb --property low");
    assert_eq!(status, 1);
    let low = property(&object, "low");
    assert_eq!(low["why"], "`low` is false after 20,000 steps: t = 10000");
    let steps = steps(&low["trace"]["steps"]);
    assert_eq!(steps.len(), 20_000);
    let counted = steps
        .iter()
        .filter_map(|step| step["changes"]["t"].as_u64());
    assert!(counted.eq(1..=10_000), "each value once, in order");
    assert_eq!(low["trace"]["cycle"], json!([]));
}

#[test]
fn people_are_shown_the_ends_of_a_long_trace_and_its_length() {
    let ran = counter().run("check counter.stb --property low");
    let says = "steps left out; `--format json` has every step";
    let shown = [
        "    100  p    line 3 (2) → line 3  t = t + 1             t = 50",
        &format!("      …  19,800 {says}"),
        "  19901  p    line 3 → line 3 (2)  while t < 10000: yes",
    ];
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.windows(3).any(|lines| lines == shown), "{}", ran.out);
    let last = "  20000  p    line 3 (2) → line 3  t = t + 1             t = 10000";
    assert!(lines.contains(&last), "{}", ran.out);
    for format in ["junit", "sarif"] {
        let ran = counter().run(&format!(
            "check counter.stb --property low --format {format}"
        ));
        assert!(ran.out.contains(&format!("19,800 {says}")), "{}", ran.out);
        assert!(ran.out.len() < 200_000, "{format}: {} bytes", ran.out.len());
    }
}

#[test]
fn a_cycle_is_marked_where_it_begins_in_a_long_trace() {
    let ran = counter().run("check counter.stb --property back");
    let tail: Vec<&str> = ran
        .out
        .lines()
        .skip_while(|line| !line.contains('…'))
        .collect();
    let begins = tail
        .iter()
        .position(|line| line.contains("again and again"));
    let begins = begins.expect("the cycle is marked");
    assert!(tail[begins - 1].contains(" 20002  p"), "{}", ran.out);
    assert!(tail[begins + 1].contains(" 20003  p"), "{}", ran.out);
    assert!(
        tail[begins + 3].contains("back to the state after step 20002"),
        "{}",
        ran.out
    );
}

#[test]
fn a_long_cycle_is_marked_though_its_beginning_is_left_out() {
    let text = "\
        var t: 0..3000\n\
        process p { while t < 200 { t = t + 1 } loop { t = t % 1000 + 1 } }\n\
        progress far: must t == 2000\n";
    let folder = Folder::with("round.stb", text);
    let (_, object) = folder.json("check round.stb --property far");
    let trace = &property(&object, "far")["trace"];
    let (before, around) = (steps(&trace["steps"]).len(), steps(&trace["cycle"]).len());
    assert_eq!(around, 1000);
    let ran = folder.run("check round.stb --property far");
    let lines: Vec<&str> = ran.out.lines().map(str::trim).collect();
    let begins = lines.iter().position(|line| *line == "↻  again and again:");
    let begins = begins.expect("the cycle is marked");
    let left_out =
        |steps: usize| format!("…  {steps} steps left out; `--format json` has every step");
    assert_eq!(lines[begins - 1], left_out(before - 100));
    assert_eq!(lines[begins + 1], left_out(around - 100));
    let closes = format!("↺  back to the state after step {before}");
    assert!(lines.contains(&&*closes), "{}", ran.out);
}

#[test]
fn limits_are_heard_while_a_long_trace_is_made() {
    let (status, object) = counter().json("check counter.stb --property low --max-memory 3M");
    assert_eq!(status, 2, "{}", property(&object, "low")["why"]);
    let why = "the memory limit of 3.0 MB was reached";
    assert_eq!(property(&object, "low")["why"], why);
}

#[test]
fn an_argument_that_fails_is_told_as_no_value() {
    let text = "\
        var x: 0..3\n\
        var c: array[0..2] of 0..3\n\
        action a(0..3, 0..3)\n\
        process p { x = 3; on a(c[x], 2) }\n\
        process q { var v: 0..3  on a(?v, *); assert v == 0 }\n";
    let folder = Folder::with("fail.stb", text);
    let (_, object) = folder.json("check fail.stb --property errors");
    let errors = property(&object, "errors");
    let why = "`a(*,2)` of p and q fails after 1 step: the index 3 is outside the array's 0..2";
    assert_eq!(errors["why"], why);
    assert_eq!(errors["trace"]["steps"][1]["action"], "a(*,2)");
    for format in ["human", "junit", "sarif"] {
        let ran = folder.run(&format!(
            "check fail.stb --property errors --format {format}"
        ));
        assert!(
            ran.out.contains("a(*,2)") && !ran.out.contains("a(0,2)"),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_value_that_another_participant_gives_is_told_though_an_argument_fails() {
    let text = "\
        var x: 0..3 = 3\n\
        var c: array[0..2] of 0..3\n\
        action a(0..3)\n\
        process p { on a(c[x]) }\n\
        process q { on a(x - 1) }\n";
    let (_, object) = Folder::with("fail.stb", text).json("check fail.stb --property errors");
    assert_eq!(
        property(&object, "errors")["trace"]["steps"][0]["action"],
        "a(2)"
    );
}

#[test]
fn a_step_whose_effect_fails_keeps_its_values() {
    let text = "\
        var x: 0..3\n\
        action a(0..3)\n\
        process p { on a(2) do x = x + 4 }\n\
        process q { on a(*) }\n";
    let (_, object) = Folder::with("fail.stb", text).json("check fail.stb --property errors");
    assert_eq!(
        property(&object, "errors")["trace"]["steps"][0]["action"],
        "a(2)"
    );
}

#[test]
fn no_step_of_a_refinements_trace_is_nobodys_and_why_counts_what_is_there() {
    let folder = Folder::with(
        "m.stb",
        "action a\naction b\nprocess p { on a; on b; on b }\n",
    );
    let text = "\
        use \"m.stb\"\n\
        specification s {\n\
            initial state one { -> two  on a -> three }\n\
            state two { -> one  on a -> three }\n\
            state three { -> four }\n\
            state four { -> three  on b -> five }\n\
            state five { -> six }\n\
            state six { -> five }\n\
        }\n\
        refines s in traces\n\
        refines s in failures\n\
        refines s in cffd\n";
    let (status, object) = folder.and("s.tester", text).json("check s.tester");
    assert_eq!(status, 1);
    for semantics in ["traces", "failures", "cffd"] {
        let found = property(&object, &format!("refines s in {semantics}"));
        let (path, cycle) = (&found["trace"]["steps"], &found["trace"]["cycle"]);
        for step in steps(path).iter().chain(steps(cycle)) {
            let by = step["by"].as_array().expect("names");
            assert_eq!(by.first(), Some(&json!("p")), "{semantics}: {step}");
        }
        let why = found["why"].as_str().expect("a sentence");
        let counted = match steps(path).len() {
            0 => "from the start ".to_owned(),
            // It happens in the last one.
            3 => "happens after 2 steps".to_owned(),
            steps => format!("after {steps} steps "),
        };
        assert!(why.contains(&counted), "{semantics}: {why}");
    }
}

#[test]
fn a_trace_of_two_hundred_steps_is_shown_whole() {
    let shown = |steps: usize| {
        let text = format!(
            "var x: 0..300\nprocess p {{ initial state s {{ when x < 300 do x = x + 1 -> s }} }}\n\
             invariant low: x < {steps}\n"
        );
        let ran = Folder::with("counter.stb", &text).run("check counter.stb --property low");
        let rows = ran
            .out
            .lines()
            .filter(|line| line.contains("  x = "))
            .count();
        (rows, ran.out.contains("…  1 step left out"))
    };
    let found = [199, 200, 201].map(shown);
    assert_eq!(found, [(199, false), (200, false), (200, true)]);
}

/// Why a property of a text is not as it should be.
fn why(text: &str, name: &str) -> String {
    let (_, object) = Folder::with("m.stb", text).json(&format!("check m.stb --property {name}"));
    let why = property(&object, name)["why"].as_str();
    why.expect("a reason").to_owned()
}

#[test]
fn sixty_four_processes_are_seen_to_wait_for_each_other() {
    let waits = |last: usize| {
        let text =
            format!("var free: bool\nprocess p(i in 1..{last}) {{ await free do free = true }}\n");
        why(&text, "deadlock").contains("wait for each other")
    };
    assert_eq!([63, 64, 65].map(waits), [true, true, false]);
}

#[test]
fn what_a_reason_lists_is_cut_where_it_gets_long() {
    let values = |count: usize| {
        let names: Vec<String> = (0..count).map(|at| format!("x{at}")).collect();
        let declared: String = names
            .iter()
            .map(|name| format!("var {name}: 0..3\n"))
            .collect();
        let text = format!(
            "{declared}process p {{ x0 = 1 }}\ninvariant few: {} == 0\n",
            names.join(" + ")
        );
        why(&text, "few").contains('…')
    };
    assert_eq!([4, 5, 6].map(values), [false, false, true]);
    let waiting = |last: usize| {
        let text =
            format!("var free: bool\nprocess p(i in 1..{last}) {{ await free do free = true }}\n");
        why(&text, "deadlock").contains("and 1 more")
    };
    assert_eq!([2, 3, 4].map(waiting), [false, false, true]);
    let still = |last: usize| {
        let text = format!(
            "var x: bool\nprocess p {{ loop {{ x = not x }} }}\n\
             process q(i in 1..{last}) {{ stop }}\nltl some: eventually always x\n"
        );
        why(&text, "some").contains(&format!("q({}) and q({last}) never move", last - 1))
    };
    assert_eq!([7, 8, 9].map(still), [true, true, false]);
}
