//! What is said of a specification that is refined.

use expect_test::expect;

use super::folder::Folder;
use super::trace_forms::replayed;

/// What takes orders and may forget them, and what it should be.
const BOX: &str = "\
type Id = 0..1
action put(Id)
action get(Id)
process store {
    var held: Id
    loop { on put(?held)  on get(1 - held) }
}
process users { loop { either { on put(*) } or { on get(*) } } }
termination not required
";

const BOX_TESTER: &str = "\
use \"box.stb\"
specification keeps {
    var held: Id
    initial state empty { on put(?held) -> full  -> closed }
    state full { on get(held) -> empty  -> failed }
    state closed { on put(*) -> closed }
    state failed { on put(0) -> failed }
}
refines keeps in traces
";

#[test]
fn a_specification_is_named_for_what_is_asked_of_it_and_says_where_it_can_do_what() {
    let folder = Folder::with("box.stb", BOX).and("box.tester", BOX_TESTER);
    let (_, object) = folder.json("check box.tester --property keeps");
    let properties = object["properties"].as_array().expect("a list");
    assert_eq!(properties.len(), 1);
    assert_eq!(properties[0]["name"], "refines keeps in traces");
    let why = properties[0]["why"].as_str().expect("a sentence");
    expect!["`get(1)` happens after 1 step, which `keeps` cannot do then: at `full` with held = 0 it can do `get(0)`; at `closed` with held = 0 `put(0)`, `put(1)`; at `failed` with held = 0 `put(0)`"].assert_eq(why);
    let run = replayed(folder, "box.tester", "keeps", "--only keeps");
    let run = run
        .lines()
        .map(str::trim)
        .filter(|line| line.contains("keeps"));
    let run: Vec<&str> = run.collect();
    expect![[r#"
        1  refines keeps in traces: put(0)  {empty, closed} → {full, closed, failed}
        2  refines keeps in traces: get(1)  {full, closed, failed} → none"#]]
    .assert_eq(&run.join("\n"));
}
