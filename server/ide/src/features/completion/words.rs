//! The words of the language, by where they can stand, and the texts that they may stand for.

use super::around::{Begin, Owner};

/// A text with places to fill in, in the syntax of snippets.
pub struct Snippet {
    pub label: &'static str,
    pub detail: &'static str,
    pub text: &'static str,
}

/// The words before `state`.
pub fn modifiers(owner: Owner) -> &'static [&'static str] {
    match owner {
        Owner::Process | Owner::Specification => &["initial", "final"],
        Owner::Macro => &[],
        Owner::Tester | Owner::Testing => {
            &["initial", "reject", "deadlock", "livelock", "infinite"]
        }
        Owner::Buchi => &["initial", "reject", "deadlock", "infinite"],
    }
}

/// The clauses of a step, with their places in its order.
pub fn clauses(owner: Option<Owner>, in_state: bool) -> Vec<(u8, &'static str)> {
    let mut clauses: Vec<(u8, &'static str)> = match owner {
        Some(Owner::Tester) => vec![(1, "for"), (2, "on")],
        Some(Owner::Specification) => {
            vec![(1, "for"), (2, "on"), (4, "when"), (5, "do")]
        }
        Some(Owner::Buchi) => Vec::new(),
        Some(Owner::Testing) => vec![(3, "change")],
        Some(Owner::Process | Owner::Macro) | None => vec![
            (1, "for"),
            (2, "on"),
            (2, "send"),
            (2, "receive"),
            (4, "when"),
            (5, "do"),
        ],
    };
    if in_state {
        clauses.push((6, "->"));
    }
    clauses
}

/// The words that begin something.
pub fn beginning(begin: Begin, owner: Option<Owner>, is_tester: bool) -> Vec<&'static str> {
    match begin {
        Begin::Item if is_tester => [MODEL_AND_TESTER, TESTER].concat(),
        Begin::Item => [MODEL_AND_TESTER, MODEL].concat(),
        Begin::Step => clauses(owner, true).iter().map(|(_, word)| *word).collect(),
        Begin::Statement => statements(owner),
        Begin::Effect => vec!["if", "for", "assert"],
        Begin::Body {
            is_first,
            states,
            statements,
        } => body(owner, is_first, states, statements),
    }
}

fn body(
    owner: Option<Owner>,
    is_first: bool,
    states: bool,
    has_statements: bool,
) -> Vec<&'static str> {
    let mut words = Vec::new();
    let Some(owner) = owner else {
        return words;
    };
    if is_first {
        words.extend(match owner {
            Owner::Process | Owner::Specification => &["var", "alphabet", "macro"][..],
            Owner::Tester => &["visible"],
            Owner::Buchi | Owner::Testing => &["observe"],
            Owner::Macro => &[],
        });
    }
    if !has_statements && matches!(owner, Owner::Process | Owner::Specification) {
        words.push("in any");
    }
    if !has_statements {
        words.push("state");
        words.extend(modifiers(owner));
    }
    if !states && matches!(owner, Owner::Process | Owner::Specification | Owner::Macro) {
        let more = statements(Some(owner)).into_iter();
        words.extend(more.filter(|word| *word != "final" || has_statements));
    }
    words
}

fn statements(owner: Option<Owner>) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = clauses(owner, false)
        .iter()
        .map(|(_, word)| *word)
        .collect();
    words.extend([
        "await", "assert", "if", "while", "loop", "either", "skip", "break", "continue", "goto",
        "stop", "final",
    ]);
    words
}

const MODEL_AND_TESTER: &[&str] = &[
    "use",
    "const",
    "type",
    "def",
    "invariant",
    "progress",
    "reachable",
    "ltl",
    "recurrence",
    "fair",
    "strongly fair",
    "expect",
];

const MODEL: &[&str] = &[
    "bound",
    "param",
    "enum",
    "var",
    "channel",
    "action",
    "macro",
    "process",
    "deadlock",
    "termination",
];

const TESTER: &[&str] = &["tester", "specification", "refines", "buchi", "testing"];

/// What an operand may begin with, and the type of what it then is.
pub const OPERANDS: &[(&str, Operand)] = &[
    ("true", Operand::Bool),
    ("false", Operand::Bool),
    ("not", Operand::Bool),
    ("forall", Operand::Bool),
    ("exists", Operand::Bool),
    ("if", Operand::Any),
    ("count", Operand::Int),
    ("sum", Operand::Int),
    ("min", Operand::Int),
    ("max", Operand::Int),
    ("len", Operand::Int),
    ("empty", Operand::Bool),
    ("full", Operand::Bool),
    ("bit_and", Operand::Int),
    ("bit_or", Operand::Int),
    ("bit_xor", Operand::Int),
    ("bit_not", Operand::Int),
    ("shift_left", Operand::Int),
    ("shift_right", Operand::Int),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Bool,
    Int,
    Any,
}

/// What may stand before an operand of a formula.
pub const TEMPORAL: &[&str] = &["always", "eventually"];

/// What a type is made of; the first is a type of single values.
pub const TYPES: &[&str] = &["bool", "array", "record", "set of", "list"];

/// What somebody may want to have written where an item begins.
pub fn snippets(is_tester: bool) -> Vec<Snippet> {
    let mut snippets = Vec::new();
    if is_tester {
        snippets.extend(OF_TESTERS);
    } else {
        snippets.extend(OF_MODELS);
    }
    snippets.extend(OF_PROPERTIES);
    snippets
}

const OF_MODELS: [Snippet; 3] = [
    Snippet {
        label: "process of statements",
        detail: "statements one after the other, for ever",
        text: "process ${1:name}(${2:i in 0..1}) {\n    loop {\n        $0\n    }\n}",
    },
    Snippet {
        label: "process of states",
        detail: "states joined by steps",
        text: "process ${1:name}(${2:i in 0..1}) {\n    initial state ${3:idle} {\n        $0\n    }\n}",
    },
    Snippet {
        label: "channel",
        detail: "messages in their order",
        text: "channel ${1:name}: queue[${2:1}] of ${0:bool}",
    },
];

const OF_TESTERS: [Snippet; 3] = [
    Snippet {
        label: "tester",
        detail: "behaviour that must not occur",
        text: "tester ${1:name} {\n    initial state ${2:start} {\n        on ${3:something} -> ${4:wrong}\n    }\n    reject state ${4:wrong}\n}",
    },
    Snippet {
        label: "specification",
        detail: "all behaviour that is allowed",
        text: "specification ${1:name} {\n    initial state ${2:start} {\n        on ${3:something} -> ${2:start}\n    }\n}\n\nrefines ${1:name} in ${4:traces}",
    },
    Snippet {
        label: "buchi",
        detail: "an automaton that accepts what must not occur",
        text: "buchi ${1:name} {\n    observe ${2:p} = ${3:true}\n    initial state ${4:start} { -> ${4:start}   -> ${5:stuck} }\n    infinite state ${5:stuck} when not ${2:p} { -> ${5:stuck} }\n}",
    },
];

const OF_PROPERTIES: [Snippet; 9] = [
    Snippet {
        label: "invariant",
        detail: "true in every reachable state",
        text: "invariant ${1:name}: ${0:true}",
    },
    Snippet {
        label: "progress may",
        detail: "can be reached from every reachable state",
        text: "progress ${1:name}: may ${0:true}",
    },
    Snippet {
        label: "progress must",
        detail: "is reached on every path from every reachable state",
        text: "progress ${1:name}: must ${0:true}",
    },
    Snippet {
        label: "reachable",
        detail: "true in some reachable state, with a run to it",
        text: "reachable ${1:name}: ${0:true}",
    },
    Snippet {
        label: "expect violated",
        detail: "these properties are there to fail",
        text: "expect violated: ${0:name}",
    },
    Snippet {
        label: "ltl",
        detail: "every run satisfies the formula",
        text: "ltl ${1:name}: always (${2:true} implies eventually ${0:true})",
    },
    Snippet {
        label: "recurrence",
        detail: "what occurs for ever makes something else occur for ever",
        text: "recurrence ${1:name}: infinitely ${2:a} implies infinitely ${0:b}",
    },
    Snippet {
        label: "fair",
        detail: "what can be done all the time is done again and again",
        text: "fair ${1:name}: ${0:a}",
    },
    Snippet {
        label: "strongly fair",
        detail: "what can be done again and again is done again and again",
        text: "strongly fair ${1:name}: ${0:a}",
    },
];
