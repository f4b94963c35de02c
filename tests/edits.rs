//! What each kind of edit costs, for each kind of property: the states that are explored again for that
//! property alone, 0 where nothing has changed for it.
//!
//! An edit is one of a model or of its tester file. Each property is decided in the text before, by a
//! job table of its own, and wanted again in the text after.

use std::collections::HashSet;
use std::sync::mpsc::channel;

use stubborn_ide::database::{Contents, Database, Db, fingerprint, properties, system};
use stubborn_ide::jobs::{JobTable, News, Purpose, Sliced, Wanted};

/// Where the table stands.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/edits.md");

/// A shop with two customers, somebody who cleans, and a lamp that nobody looks at.
const MODEL: &str = "\
// A shop.
param N: 1..4 = 2
type Id = 0..N-1
enum Good { bread, milk }

action enter(Id)
action buy(Id, Good)
action sweep

var inside: 0..N = 0
var seen: 0..3
var lamp: bool

process customer(i in Id) {
    var wish: Good
    initial final state away {
        on enter(i) when inside < N do inside = inside + 1, wish = any Good -> choosing
        -> gone
    }
    state choosing { on buy(i, wish) do inside = inside - 1 -> away }
    final state gone
}

process shop {
    initial final state ready { on buy(*, *) do seen = (seen + 1) % 4 -> ready }
}

process cleaner {
    initial final state idle { on sweep -> idle  -> home }
    final state home
}

process switch {
    initial final state here { do lamp = not lamp -> here  -> off }
    final state off
}

invariant full: inside <= N
progress empty: may inside == 0
progress leaves: must inside == 0
recurrence comes_back: infinitely enter(0) implies infinitely buy(0, *)
";

const SHOP: &str = "\
process shop {
    initial final state ready { on buy(*, *) do seen = (seen + 1) % 4 -> ready }
}
";

const MOVED_SHOP: &str = "\
process shop {
    initial final state ready { on buy(*, *) do seen = (seen + 1) % 4 -> ready }
}

process switch";

const TESTER: &str = "\
use \"shop.stb\"

tester in_turn {
    initial state out { on enter(0) -> within  on buy(0, *) -> wrong }
    state within { on buy(0, *) -> out  on enter(0) -> wrong }
    reject state wrong
}

tester pays {
    initial state out { on enter(0) -> within }
    deadlock state within { on buy(0, *) -> out }
}

buchi stays {
    observe busy = inside > 0
    initial state before { -> before -> after }
    infinite state after when busy { -> after }
}

testing stays_too {
    observe busy = inside > 0
    initial state free when not busy { change busy -> taken }
    livelock state taken { change busy -> free }
}

ltl again: always eventually inside == 0

specification polite {
    initial state out { on enter(0) -> within }
    state within { on buy(0, *) -> out }
}

refines polite in traces
";

/// The kinds of property, each by the one of that kind.
const KINDS: [(&str, &str); 13] = [
    ("errors", "errors"),
    ("deadlock", "deadlock"),
    ("termination", "termination"),
    ("invariant", "full"),
    ("may", "empty"),
    ("must", "leaves"),
    ("recurrence", "comes_back"),
    ("tester: reject", "in_turn"),
    ("tester: deadlock", "pays"),
    ("buchi", "stays"),
    ("testing", "stays_too"),
    ("ltl", "again"),
    ("refines", "refines polite in traces"),
];

/// What is edited: the model or its tester file, what stands there, and what then stands there.
type Edit = (&'static str, In, &'static [(&'static str, &'static str)]);

#[derive(Clone, Copy)]
enum In {
    Model,
    Tester,
}

const EDITS: &[Edit] = &[
    ("nothing: it is only checked once more", In::Model, &[]),
    (
        "a comment, white space",
        In::Model,
        &[
            ("// A shop.", "/* A\n shop. */\n"),
            ("var seen", "\n    var  seen"),
        ],
    ),
    (
        "a name: of a variable, a process, a state, an action",
        In::Model,
        &[
            ("seen", "noticed"),
            ("process cleaner", "process charlady"),
            ("gone", "left"),
            ("sweep", "mop"),
        ],
    ),
    (
        "a constant, a definition, a type that nobody uses",
        In::Model,
        &[(
            "type Id",
            "const K = 7\ntype Small = 0..1\ndef plus(a: Id) = a + 1\ntype Id",
        )],
    ),
    (
        "an action that nobody takes",
        In::Model,
        &[("action enter", "action ring(Id)\naction enter")],
    ),
    (
        "another property is new",
        In::Model,
        &[("invariant full", "invariant low: seen < 3\ninvariant full")],
    ),
    (
        "another property of the tester file is new",
        In::Tester,
        &[("ltl again", "ltl never: always inside < 2\nltl again")],
    ),
    (
        "a tester's states have other names",
        In::Tester,
        &[("within", "in_the_shop"), ("out", "outside")],
    ),
    (
        "a property stands elsewhere",
        In::Model,
        &[
            ("invariant full: inside <= N\n", ""),
            (
                "process cleaner",
                "invariant full: inside <= N\nprocess cleaner",
            ),
        ],
    ),
    (
        "two variables stand the other way round",
        In::Model,
        &[
            ("var inside: 0..N = 0\n", ""),
            ("var lamp", "var inside: 0..N = 0\nvar lamp"),
        ],
    ),
    (
        "two processes stand the other way round",
        In::Model,
        &[(SHOP, ""), ("process switch", MOVED_SHOP)],
    ),
    (
        "a variable that nobody uses is new",
        In::Model,
        &[("var inside", "var spare: 0..9\nvar inside")],
    ),
    (
        "a variable that nobody reads has more values",
        In::Model,
        &[("seen: 0..3", "seen: 0..7"), ("% 4", "% 8")],
    ),
    (
        "a process with nothing in common is new",
        In::Model,
        &[(
            "process shop",
            "process bird { initial final state here { -> there } state there { -> here } }\nprocess shop",
        )],
    ),
    (
        "a process with nothing in common does more",
        In::Model,
        &[
            ("-> home", "-> home  -> resting"),
            (
                "final state home",
                "state resting { -> home }\n    final state home",
            ),
        ],
    ),
    (
        "a process that takes part does more",
        In::Model,
        &[
            ("        -> gone", "        -> gone  -> near"),
            (
                "    final state gone",
                "    state near { -> away }\n    final state gone",
            ),
        ],
    ),
    (
        "a variable that is read has more values",
        In::Model,
        &[("inside: 0..N", "inside: 0..N+1")],
    ),
    (
        "the tester says something else",
        In::Tester,
        &[("deadlock state within", "livelock state within")],
    ),
    (
        "the specification allows more",
        In::Tester,
        &[(
            "state within { on buy(0, *) -> out }\n}\n\nrefines",
            "state within { on buy(0, *) -> out  on enter(0) -> within }\n}\n\nrefines",
        )],
    ),
];

/// What is known of the properties of the tester file and its model: by their names.
struct Checked {
    wanted: Wanted,
    names: Vec<String>,
}

fn checked(model: &str, tester: &str) -> Checked {
    let mut db = Database::default();
    for (path, text) in [("/shop.stb", model), ("/shop.tester", tester)] {
        db.set_contents(path, Contents::Text(text.into()));
    }
    let root = db.file("/shop.tester");
    let analysis = stubborn_ide::database::analyzed(&db, root).expect("a text");
    let model = analysis.model.as_ref();
    let model = model.unwrap_or_else(|| panic!("{:#?}", analysis.problems));
    Checked {
        wanted: Wanted {
            name: "shop.tester".into(),
            fingerprint: fingerprint(&db, root).expect("a meaning"),
            system: system(&db, root).expect("a meaning"),
            properties: properties(&db, root).to_vec(),
            likely: HashSet::new(),
            slow: Default::default(),
            purpose: Purpose::Verdicts,
        },
        names: model
            .properties
            .iter()
            .map(|one| one.name.clone())
            .collect(),
    }
}

impl Checked {
    /// The property of this name alone.
    fn alone(&self, name: &str) -> Wanted {
        let named = self.names.iter().zip(&self.wanted.properties);
        let own = named
            .filter(|(own, _)| *own == name)
            .map(|(_, one)| one.clone());
        let properties: Vec<Sliced> = own.collect();
        assert_eq!(properties.len(), 1, "{name} of {:?}", self.names);
        Wanted {
            properties,
            ..self.wanted.clone()
        }
    }
}

/// How many states each of these costs, wanted one after the other.
fn costs(wanted: &[Wanted]) -> Vec<u64> {
    let (sender, news) = channel();
    let mut table = JobTable::new(move |job, told| drop(sender.send((job, told))));
    let mut cost = |wanted: &Wanted| {
        let before = table.statistics().states;
        if table.require(wanted, None).is_some() {
            let mut is_over = false;
            while !is_over {
                let (job, told) = news.recv().expect("the search ends");
                is_over = matches!(told, News::Finished { .. });
                table.receive(job, told);
            }
        }
        table.statistics().states - before
    };
    wanted.iter().map(&mut cost).collect()
}

fn edited(text: &str, replaced: &[(&str, &str)]) -> String {
    let edit = |text: String, (old, new): &(&str, &str)| {
        assert!(text.contains(old), "{old} is not in the text");
        text.replace(old, new)
    };
    replaced.iter().fold(text.to_owned(), edit)
}

/// A line for each edit, a column for each kind of property.
fn table() -> String {
    let before = checked(MODEL, TESTER);
    let kinds = KINDS.map(|(kind, _)| kind).join(" | ");
    let mut lines = vec![
        format!("| edit | {kinds} |"),
        format!("|---|{}", "--:|".repeat(KINDS.len())),
    ];
    let first = KINDS.map(|(_, name)| costs(&[before.alone(name)])[0].to_string());
    lines.push(format!("| *the first check* | {} |", first.join(" | ")));
    for (what, place, replaced) in EDITS {
        let after = match place {
            In::Model => checked(&edited(MODEL, replaced), TESTER),
            In::Tester => checked(MODEL, &edited(TESTER, replaced)),
        };
        let again =
            KINDS.map(|(_, name)| costs(&[before.alone(name), after.alone(name)])[1].to_string());
        lines.push(format!("| {what} | {} |", again.join(" | ")));
    }
    lines.join("\n")
}

#[test]
fn an_edit_costs_what_it_changes_for_a_property() {
    let page = std::fs::read_to_string(PAGE).expect("a page");
    let table = table();
    assert!(
        page.contains(&table),
        "{PAGE} should have this table:\n{table}"
    );
}
