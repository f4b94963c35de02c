//! How a person is told a run: with the statements, in each of the forms, and some of it.

use expect_test::{Expect, expect};

use super::folder::{Folder, Ran, property};

/// A sender with a macro, a receiver, and somebody who goes along.
const MAIL: &str = "\
enum kind { letter, card }
var stamps: 0..3 = 2
var sent: array[kind] of 0..3
channel box: queue[2] of kind
action ring(kind)

macro note(k in kind) {
    if sent[k] < 3 { sent[k] = sent[k] + 1 } /* else
    nothing */
}
process sender(k in kind) {
    var tries: 0..2
    tries = 0
    await stamps > tries do stamps = stamps - 1   // one each
    send box(k)
    note(k)
}
process postman {
    var held: kind
    initial state waits { receive box(?held) -> rings }
    state rings         { on ring(held)      -> waits }
}
process house { loop { on ring(*) } }
termination not required
deadlock ignored
invariant at_most_one: sent[letter] + sent[card] < 2 or not empty(box) or postman@rings
";

pub fn mail() -> Folder {
    Folder::with("mail.stb", MAIL)
}

/// The run alone, as it is told under a property.
pub fn run(ran: &Ran) -> String {
    let run = ran.out.split_once("^\n\n").map(|(_, run)| run);
    let run = run.unwrap_or_else(|| panic!("no run: {}", ran.out));
    let (run, _) = run.rsplit_once("\n\n").expect("the summary behind it");
    unindented(run)
}

/// Without the blanks before each line, which `expect!` would take for its own.
fn unindented(run: &str) -> String {
    let lines = run
        .lines()
        .map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.map(|line| format!("{line}\n")).collect()
}

fn told(arguments: &str, expected: Expect) {
    let ran = mail().run(&format!(
        "check mail.stb --property at_most_one {arguments}"
    ));
    expected.assert_eq(&run(&ran));
}

#[test]
fn a_table_has_the_statements_with_what_came_of_them() {
    told(
        "",
        expect![[r#"
            step  who                    from → to              statement         what changed
               1  sender(letter)         line 13 → line 14      tries = 0         sender(letter).tries = 0, as before
               2  sender(letter)         line 14 → line 15      await stamps >    stamps = 1
                                                                tries do stamps
                                                                = stamps - 1
               3  sender(letter)         line 15 → line 16      send box(k)       box = [letter]
               4  sender(letter)         line 16 → line 16 (2)  if sent[k] < 3:
                                                                yes
               5  sender(letter)         line 16 (2) → end      sent[k] =         sent[letter] = 1
                                                                sent[k] + 1
               6  sender(card)           line 13 → line 14      tries = 0         sender(card).tries = 0, as before
               7  sender(card)           line 14 → line 15      await stamps >    stamps = 0
                                                                tries do stamps
                                                                = stamps - 1
               8  sender(card)           line 15 → line 16      send box(k)       box = [letter, card]
               9  sender(card)           line 16 → line 16 (2)  if sent[k] < 3:
                                                                yes
              10  sender(card)           line 16 (2) → end      sent[k] =         sent[card] = 1
                                                                sent[k] + 1
              11  postman                waits → rings          receive           box = [card]
                                                                box(?held)
              12  postman: ring(letter)  rings → waits          on ring(held)
                  house                  line 23                on ring(*)
              13  postman                waits → rings          receive           box = [],
                                                                box(?held)        postman.held = card
              14  postman: ring(card)    rings → waits          on ring(held)
                  house                  line 23                on ring(*)

            mail.stb
            at_most_one  violated
        "#]],
    );
}

#[test]
fn lanes_have_a_column_for_each_participant() {
    told(
        "--trace lanes",
        expect![[r#"
            step │ sender(letter)     │ sender(card)       │ postman           │ house        │ box
               1 │ tries = 0          │                    │                   │              │
                 │ tries = 0, as      │                    │                   │              │
                 │ before             │                    │                   │              │
               2 │ await stamps >     │                    │                   │              │
                 │ tries do stamps =  │                    │                   │              │
                 │ stamps - 1         │                    │                   │              │
                 │ stamps = 1         │                    │                   │              │
               3 │ send box(k)        │                    │                   │              │ [letter]
               4 │ if sent[k] < 3:    │                    │                   │              │
                 │ yes                │                    │                   │              │
               5 │ sent[k] = sent[k]  │                    │                   │              │
                 │ + 1                │                    │                   │              │
                 │ → end              │                    │                   │              │
                 │ sent[letter] = 1   │                    │                   │              │
               6 │                    │ tries = 0          │                   │              │
                 │                    │ tries = 0, as      │                   │              │
                 │                    │ before             │                   │              │
               7 │                    │ await stamps >     │                   │              │
                 │                    │ tries do stamps =  │                   │              │
                 │                    │ stamps - 1         │                   │              │
                 │                    │ stamps = 0         │                   │              │
               8 │                    │ send box(k)        │                   │              │ [letter, card]
               9 │                    │ if sent[k] < 3:    │                   │              │
                 │                    │ yes                │                   │              │
              10 │                    │ sent[k] = sent[k]  │                   │              │
                 │                    │ + 1                │                   │              │
                 │                    │ → end              │                   │              │
                 │                    │ sent[card] = 1     │                   │              │
              11 │                    │                    │ receive           │              │ [card]
                 │                    │                    │ box(?held)        │              │
                 │                    │                    │ → rings           │              │
              12 │                    │                    │ ring(letter)      │ ring(letter) │
                 │                    │                    │ → waits           │              │
              13 │                    │                    │ receive           │              │ []
                 │                    │                    │ box(?held)        │              │
                 │                    │                    │ → rings           │              │
                 │                    │                    │ held = card       │              │
              14 │                    │                    │ ring(card)        │ ring(card)   │
                 │                    │                    │ → waits           │              │

            mail.stb
            at_most_one  violated
        "#]],
    );
}

#[test]
fn a_sequence_diagram_is_one_of_mermaid() {
    told(
        "--trace mermaid",
        expect![[r#"
            sequenceDiagram
              participant p0 as sender(letter)
              participant p1 as sender(card)
              participant p2 as postman
              participant p3 as house
              participant p4 as box
              Note over p0: 1. tries = 0<br/>sender(letter).tries = 0, as before
              Note over p0: 2. await stamps #62; tries do stamps = stamps #45; 1<br/>stamps = 1
              p0->>p4: 3. letter
              Note over p0: 4. if sent[k] #60; 3#58; yes
              Note over p0: 5. sent[k] = sent[k] #43; 1<br/>→ #101;nd<br/>sent[letter] = 1
              Note over p1: 6. tries = 0<br/>sender(card).tries = 0, as before
              Note over p1: 7. await stamps #62; tries do stamps = stamps #45; 1<br/>stamps = 0
              p1->>p4: 8. card
              Note over p1: 9. if sent[k] #60; 3#58; yes
              Note over p1: 10. sent[k] = sent[k] #43; 1<br/>→ #101;nd<br/>sent[card] = 1
              p4-->>p2: 11. letter
              Note over p2: → rings
              p2->>p3: 12. ring(letter)
              Note over p2: postman → waits
              p4-->>p2: 13. card
              Note over p2: → rings<br/>postman.held = card
              p2->>p3: 14. ring(card)
              Note over p2: postman → waits

            mail.stb
            at_most_one  violated
        "#]],
    );
}

#[test]
fn a_chart_is_one_of_mscgen() {
    told(
        "--trace chart",
        expect![[r#"
            msc {
              wordwraparcs = "1";
              p0 [label="sender(letter)"],
              p1 [label="sender(card)"],
              p2 [label="postman"],
              p3 [label="house"],
              p4 [label="box"];

              p0 box p0 [label="1. tries = 0\nsender(letter).tries = 0, as before"];
              p0 box p0 [label="2. await stamps > tries do stamps = stamps - 1\nstamps = 1"];
              p0 => p4 [label="3. letter"];
              p0 box p0 [label="4. if sent[k] < 3: yes"];
              p0 box p0 [label="5. sent[k] = sent[k] + 1\n-> end\nsent[letter] = 1"];
              p1 box p1 [label="6. tries = 0\nsender(card).tries = 0, as before"];
              p1 box p1 [label="7. await stamps > tries do stamps = stamps - 1\nstamps = 0"];
              p1 => p4 [label="8. card"];
              p1 box p1 [label="9. if sent[k] < 3: yes"];
              p1 box p1 [label="10. sent[k] = sent[k] + 1\n-> end\nsent[card] = 1"];
              p4 >> p2 [label="11. letter"];
              p2 box p2 [label="-> rings"];
              p2 => p3 [label="12. ring(letter)"];
              p2 box p2 [label="postman -> waits"];
              p4 >> p2 [label="13. card"];
              p2 box p2 [label="-> rings\npostman.held = card"];
              p2 => p3 [label="14. ring(card)"];
              p2 box p2 [label="postman -> waits"];
            }

            mail.stb
            at_most_one  violated
        "#]],
    );
}

#[test]
fn some_of_a_run_has_the_numbers_of_the_whole() {
    told(
        "--only postman,sender(card).tries",
        expect![[r#"
            step  who                    from → to          statement         what changed
               6  sender(card)           line 13 → line 14  tries = 0         sender(card).tries = 0, as before
              11  postman                waits → rings      receive
                                                            box(?held)
              12  postman: ring(letter)  rings → waits      on ring(held)
              13  postman                waits → rings      receive           postman.held = card
                                                            box(?held)
              14  postman: ring(card)    rings → waits      on ring(held)

            9 of 14 steps are not shown: `--only` names nothing in them.

            mail.stb
            at_most_one  violated
        "#]],
    );
    told(
        "--only stamps --only sent[card] --trace lanes",
        expect![[r#"
            step │ sender(letter)                           │ sender(card)
               2 │ await stamps > tries do stamps = stamps  │
                 │ - 1                                      │
                 │ stamps = 1                               │
               7 │                                          │ await stamps > tries do stamps = stamps
                 │                                          │ - 1
                 │                                          │ stamps = 0
              10 │                                          │ sent[k] = sent[k] + 1
                 │                                          │ → end
                 │                                          │ sent[card] = 1

            11 of 14 steps are not shown: `--only` names nothing in them.

            mail.stb
            at_most_one  violated
        "#]],
    );
    told(
        "--only house --trace mermaid",
        expect![[r#"
            sequenceDiagram
              participant p0 as house
              Note over p0: 12. ring(letter)
              Note over p0: 14. ring(card)

            12 of 14 steps are not shown: `--only` names nothing in them.

            mail.stb
            at_most_one  violated
        "#]],
    );
    let nothing = mail().run("check mail.stb --property errors --only house");
    assert_eq!(nothing.status, 0, "{}", nothing.err);
}

#[test]
fn an_unknown_name_is_an_error_with_the_nearest_one() {
    for (names, told) in [
        ("postmann", "; did you mean `postman`?"),
        ("sender(card),stemps", "; did you mean `stamps`?"),
        ("sent[2]", " of that name"),
        ("sender(parcel)", "there is no instance"),
        ("sender.held", "there is no instance"),
        ("postman,,box", "has an empty name"),
    ] {
        let ran = mail().run(&format!("check mail.stb --only {names}"));
        assert_eq!((ran.status, &*ran.out), (3, ""), "{names}");
        assert!(ran.err.contains(told), "{}", ran.err);
        let (status, object) = mail().json(&format!("check mail.stb --only {names}"));
        assert_eq!(status, 3);
        let problem = &object["problems"][0];
        assert!(
            problem["message"]
                .as_str()
                .is_some_and(|message| message.contains(told))
        );
        assert_eq!(object["properties"], serde_json::json!([]));
    }
    for names in [
        "sender",
        "sender(letter)",
        "sender.tries",
        "tries",
        "postman.held",
        "box",
        "sent",
        "sent[card]",
    ] {
        let ran = mail().run(&format!("check mail.stb --property errors --only {names}"));
        assert_eq!((ran.status, &*ran.err), (0, ""), "{names}");
    }
}

#[test]
fn a_step_in_json_has_its_text_and_the_outcome_of_a_test_and_no_name_changes_it() {
    let asked = "check mail.stb --property at_most_one";
    let (_, whole) = mail().json(asked);
    let trace = &property(&whole, "at_most_one")["trace"];
    let test = trace["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .find(|step| !step["outcome"].is_null());
    let test = test.expect("a test");
    assert_eq!(test["text"], "if sent[k] < 3");
    assert_eq!(test["outcome"], true);
    let (_, other) = mail().json(&format!("{asked} --only house --trace chart"));
    assert_eq!(property(&other, "at_most_one")["trace"], *trace);
}

#[test]
fn a_tester_is_a_participant_and_may_be_named() {
    let text = "\
        use \"mail.stb\"\n\
        tester impatient {\n\
            initial state calm { on ring(letter) -> calm  on ring(card) -> glad  on tau -> cross }\n\
            state cross { on ring(letter) -> furious }\n\
            reject state furious\n\
            state glad { on ring(card) -> glad }\n\
        }\n";
    let folder = mail().and("mail.tester", text);
    let ran = folder.run("check mail.tester --property impatient --trace lanes --only impatient");
    let (_, told) = ran.out.split_at(ran.out.find("  step").expect("a run"));
    let (told, _) = told.split_once("\n1 property").expect("a summary");
    expect![[r#"
        step │ impatient
           1 │ on tau
             │ → cross
           6 │ ring(letter)
             │ → furious

        4 of 6 steps are not shown: `--only` names nothing in them.

        mail.tester
        impatient  violated
    "#]]
    .assert_eq(&unindented(told));
}

/// So many processes, all of which move before a violation shows.
fn crowd(count: usize) -> String {
    format!(
        "var n: 0..{count}\nprocess p(i in 1..{count}) {{ n = n + 1 }}\n\
         invariant few: n < {count}\n"
    )
}

#[test]
fn many_lanes_share_the_last_column() {
    let ran =
        Folder::with("crowd.stb", &crowd(9)).run("check crowd.stb --property few --trace lanes");
    expect![[r#"
        step │ p(1)      │ p(2)      │ p(3)      │ p(4)      │ others
           1 │ n = n + 1 │           │           │           │
             │ → end     │           │           │           │
             │ n = 1     │           │           │           │
           2 │           │ n = n + 1 │           │           │
             │           │ → end     │           │           │
             │           │ n = 2     │           │           │
           3 │           │           │ n = n + 1 │           │
             │           │           │ → end     │           │
             │           │           │ n = 3     │           │
           4 │           │           │           │ n = n + 1 │
             │           │           │           │ → end     │
             │           │           │           │ n = 4     │
           5 │           │           │           │           │ p(5): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 5
           6 │           │           │           │           │ p(6): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 6
           7 │           │           │           │           │ p(7): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 7
           8 │           │           │           │           │ p(8): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 8
           9 │           │           │           │           │ p(9): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 9

        crowd.stb
        few  violated
    "#]]
    .assert_eq(&run(&ran));
}

#[test]
fn what_all_of_very_many_do_at_once_is_told_in_few_words() {
    let text = "\
        action go\n\
        process p(i in 1..400) { on go; on go }\n\
        invariant early: not p(1)@end\n";
    let folder = Folder::with("march.stb", text);
    for (form, lines, says) in [
        ("lanes", 60, "and 3"),
        ("mermaid", 420, "1. go, by 400 participants"),
        ("chart", 420, "1. go, by 400 participants"),
    ] {
        let ran = folder.run(&format!("check march.stb --property early --trace {form}"));
        assert_eq!(ran.status, 1, "{}", ran.err);
        let run = run(&ran);
        assert!(run.contains(says), "{run}");
        assert!(
            run.lines().count() < lines,
            "{form}: {} lines",
            run.lines().count()
        );
    }
}

#[test]
fn the_ends_of_what_is_named_are_shown_of_a_long_run() {
    let text = "\
        var t: 0..3000\n\
        process p { while t < 2000 { t = t + 1 } }\n\
        process q { await t == 1000; await t == 1999 }\n\
        invariant low: t < 2000 or not q@end\n";
    let folder = Folder::with("long.stb", text);
    let asked = "check long.stb --property low --only";
    let ran = folder.run(&format!("{asked} q"));
    expect![[r#"
        step  who  from → to            statement        what changed
        2002  q    line 3 → line 3 (2)  await t == 1000
        4001  q    line 3 (2) → end     await t == 1999

        4,000 of 4,002 steps are not shown: `--only` names nothing in them.

        long.stb
        low  violated
    "#]]
    .assert_eq(&run(&ran));
    for form in ["table", "lanes", "mermaid", "chart"] {
        let ran = folder.run(&format!("{asked} t --trace {form}"));
        let run = run(&ran);
        let left_out = if form == "mermaid" || form == "chart" {
            "1,800 steps left out"
        } else {
            "1,800 steps left out;"
        };
        assert!(run.contains(left_out), "{form}: {run}");
        assert!(
            run.contains("2,002 of 4,002 steps are not shown"),
            "{form}: {run}"
        );
    }
}
