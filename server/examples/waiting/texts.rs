//! The texts that are measured: the examples, many lines of each kind of item, many instances.

/// A text, and how a person goes on with it.
pub struct Text {
    pub name: String,
    /// The file that is typed in, and whose verdicts are waited for.
    pub typed: File,
    /// The model that it uses, if it uses one.
    pub used: Option<File>,
    /// What a save changes, in the model if there is one: a place, and what is written there instead,
    /// with a number for each `#`. It means as much as before, and every number is another System or
    /// another property.
    pub saved: (&'static str, &'static str),
    /// It is as long, or has as many instances, as the bounds on analysis are meant for.
    pub is_large: bool,
}

pub struct File {
    pub name: String,
    pub text: String,
}

impl File {
    fn new(name: &str, text: impl Into<String>) -> File {
        File {
            name: name.to_owned(),
            text: text.into(),
        }
    }
}

/// What makes a search of any model take long, and another System of it for every `#`. It ends, so
/// that no run goes round in it.
pub const FAR: &str = "
var far, away: 0..99999
process wanderer {
    while far < 9000 + # {
        either { far = far + 1 }
        or { await away < 9000 do away = away + 1 }
    }
}
invariant near: far + away < 200000
";

const WIDER_GATE: (&str, &str) = ("gate: array[Id] of 0..N-1", "gate: array[Id] of 0..N-1 + #");

macro_rules! examples {
    ($($name:literal $(uses $used:literal)?, $saved:expr;)*) => {
        [$(Text {
            name: $name.to_owned(),
            typed: File::new($name, include_str!(concat!("../../../examples/", $name))),
            used: None$(.or(Some(File::new(
                $used,
                include_str!(concat!("../../../examples/", $used)),
            ))))?,
            saved: $saved,
            is_large: false,
        }),*]
    };
}

/// The examples that are checked within seconds: all but token_ring_broken.tester.
pub fn examples() -> impl Iterator<Item = Text> {
    // Where there is no range to widen, a guard is written in another way.
    let fork = ("when fork[i] do", "when (if fork[i] then # else 0) > 0 do");
    let coin = (
        "on coin          ->",
        "on coin when (if machine@idle then # else 0) > 0 ->",
    );
    let token = ("when has_token  ", "when (if has_token then # else 0) > 0 ");
    let server = ("var x: 0..N", "var x: 0..N + #");
    let owner = ("var owner: 0..CACHES", "var owner: 0..CACHES + #");
    let left = ("var left: 0..SWAPS", "var left: 0..SWAPS + #");
    let texts = examples! {
        "alternating_bit.stb", ("var bit: Bit", "var bit: 0..1 + #");
        "bounded_buffer.stb", ("var free: 0..SIZE", "var free: 0..SIZE + #");
        "cache_coherence.stb", owner;
        "fischer.stb", server;
        "graf_steffen_ring.stb", ("var user: Id", "var user: 0..N-1 + #");
        "leader_election.stb", ("var seen: Id", "var seen: 0..N-1 + #");
        "lease.stb", ("var met: Number", "var met: 0..LEASES + #");
        "lock_free_stack.stb", left;
        "lost_wakeup.stb", ("var filled: 0..SIZE", "var filled: 0..SIZE + #");
        "peterson.stb", WIDER_GATE;
        "peterson_correct.stb", WIDER_GATE;
        "peterson_mutex_violating.stb", WIDER_GATE;
        "peterson_not_revealing.stb", WIDER_GATE;
        "peterson_revealing.stb", WIDER_GATE;
        "philosophers.stb", fork;
        "philosophers_polite.stb", (
            "await fork[min(i, (i + 1) % N)]",
            "await (if fork[min(i, (i + 1) % N)] then # else 0) > 0",
        );
        "readers_writers.stb", ("var readers: 0..READERS", "var readers: 0..READERS + #");
        "replicated_log.stb", (
            "var copied: array[Server] of 0..SLOTS",
            "var copied: array[Server] of 0..SLOTS + #",
        );
        "sliding_window.stb", ("var next: Count", "var next: 0..MESSAGES + #");
        "token_ring.stb", token;
        "token_ring_broken.stb", (
            "on start when i == 0 ",
            "on start when (if server(i)@beginning then # else 0) > 0 and i == 0 ",
        );
        "two_phase_commit.stb", ("var votes: 0..PARTICIPANTS", "var votes: 0..PARTICIPANTS + #");
        "vending.stb", coin;
        "work_stealing.stb", ("array[Task] of 0..THIEVES + 2", "array[Task] of 0..THIEVES + 2 + #");
        "cache_coherence.tester" uses "cache_coherence.stb", owner;
        "fischer.tester" uses "fischer.stb", server;
        "lock_free_stack.tester" uses "lock_free_stack.stb", left;
        "peterson.tester" uses "peterson.stb", WIDER_GATE;
        "philosophers.tester" uses "philosophers.stb", fork;
        "token_ring.tester" uses "token_ring.stb", token;
        "vending.tester" uses "vending.stb", coin;
    };
    texts.into_iter()
}

/// What stands in each text that is made: somebody who climbs, and a property of it.
const CLIMBER: &str = "
var level: 0..3
action up
action down
process climber {
    initial final state low { on up do level = 1 -> high }
    final state high { on down do level = 0 -> low }
}
invariant kept: (if climber@high then 1 else 0) >= level
termination not required
";
const KEPT: (&str, &str) = ("high then 1 else", "high then # else");

/// About so many lines of each kind of item.
pub fn items(lines: usize) -> Vec<Text> {
    let half = lines / 2;
    let each = |count: usize, item: &dyn Fn(usize) -> String| -> String {
        (0..count).map(|at| item(at) + "\n").collect()
    };
    let definitions = each(lines, &|at| {
        format!("def d{at}(i in 0..3): i == level or level <= {at}")
    });
    let constants = each(lines, &|at| format!("const c{at} = first + {at}"));
    let variables = each(half, &|at| format!("var v{at}: Small"));
    let assignments = each(half, &|at| format!("    v{at} = v{}", (at + 1) % half));
    let processes = each(lines / 4, &|at| {
        let after = (at + 1) % (lines / 4);
        format!(
            "process p{at} {{\n    initial final state waits {{ when turn == {at} do turn = {after} \
             -> over }}\n    final state over\n}}"
        )
    });
    let macros = each(lines / 4, &|at| {
        let add = at % 4;
        format!("macro m{at}(i in 0..3) {{\n    await spent >= i\n    spent = (i + {add}) % 4\n}}")
    });
    let invariants = each(lines, &|at| format!("invariant i{at}: level <= 3 + {at}"));
    let actions = each(half, &|at| format!("action a{at}(0..3)"));
    let steps = each(half, &|at| format!("        on a{at}(1) -> asks"));
    let formulas = each(lines, &|at| format!("ltl f{at}: always level <= 3 + {at}"));
    let testers = each(lines / 5, &|at| {
        format!(
            "tester t{at} {{\n    initial state low {{ on up -> high on down -> wrong }}\n    \
             state high {{ on down -> low on up -> wrong }}\n    reject state wrong\n}}"
        )
    });
    let texts = [
        ("definitions", definitions),
        ("constants", format!("const first = 1\n{constants}")),
        (
            "variables",
            format!("type Small = 0..3\n{variables}process writer {{\n{assignments}}}\n"),
        ),
        ("processes", format!("var turn: 0..{lines}\n{processes}")),
        (
            "macros",
            format!("var spent: 0..3\n{macros}process caller {{ m0(0) }}\n"),
        ),
        ("invariants", invariants),
        (
            "actions",
            format!(
                "{actions}process asker {{\n    initial final state asks {{\n{steps}    }}\n}}\n"
            ),
        ),
        ("formulas", formulas),
    ];
    let texts = texts.into_iter().map(|(kind, text)| {
        let name = format!("{lines} lines of {kind}");
        made(
            name,
            File::new("text.stb", CLIMBER.to_owned() + &text),
            None,
        )
    });
    let used = File::new("climber.stb", CLIMBER);
    let testers = File::new("text.tester", format!("use \"climber.stb\"\n{testers}"));
    let testers = made(format!("{lines} lines of testers"), testers, Some(used));
    texts.chain([testers]).collect()
}

/// So many instances of a small process, which take turns.
pub fn instances(count: usize) -> Text {
    let text = format!(
        "{CLIMBER}
type Id = 1..{count}
var turn: 0..{count} = 1  // 0: everybody had theirs

process member(i in Id) {{
    var left: 0..3

    initial final state waiting {{
        when turn == i do left = i % 4                     -> working
    }}
    state working {{
        when left > 0 do left = left - 1                   -> working
        when left == 0 do turn = (i + 1) % ({count} + 1) -> over
    }}
    final state over
}}

invariant takes_turns: count(i in Id: member(i)@working) <= 1
"
    );
    let text = File::new("text.stb", text);
    made(format!("{count} instances"), text, None)
}

fn made(name: String, typed: File, used: Option<File>) -> Text {
    Text {
        name,
        typed,
        used,
        saved: KEPT,
        is_large: true,
    }
}
