//! The words of the language: what each means, with an example of a line.

use stubborn_syntax::{SyntaxKind, SyntaxToken, TokenClass, classify};

/// A word where it stands in one of these forms (anywhere, if none is named), what it means there,
/// and an example.
struct Word {
    word: &'static str,
    within: &'static [SyntaxKind],
    meaning: &'static str,
    example: &'static str,
}

/// What a word means where it stands.
pub fn told(token: &SyntaxToken) -> Option<String> {
    let is_name = match classify(token) {
        TokenClass::Keyword => false,
        // The language's own names look like those that a person gives.
        TokenClass::Name => true,
        _ => return None,
    };
    let parent = token.parent()?;
    let around = parent.parent().map(|node| node.kind());
    let stands_in = |within: &[SyntaxKind]| {
        // A name that is declared is the person's own.
        let is_used = parent.kind() != NAME;
        let is_around = is_used && around.is_some_and(|kind| within.contains(&kind));
        is_around || !is_name && within.contains(&parent.kind())
    };
    let mut words = WORDS.iter().filter(|one| one.word == token.text());
    let word = words.find(|one| match one.within {
        [] => !is_name,
        within => stands_in(within),
    })?;
    Some(format!(
        "{}\n\n```stubborn\n{}\n```",
        word.meaning, word.example
    ))
}

const fn word(word: &'static str, meaning: &'static str, example: &'static str) -> Word {
    within(word, &[], meaning, example)
}

const fn within(
    word: &'static str,
    within: &'static [SyntaxKind],
    meaning: &'static str,
    example: &'static str,
) -> Word {
    Word {
        word,
        within,
        meaning,
        example,
    }
}

use SyntaxKind::*;

/// Of a word with several meanings the one that stands first and fits.
const WORDS: &[Word] = &[
    // Declarations.
    word(
        "use",
        "Brings what another file declares, each file once. The path is relative to this file.",
        "use \"peterson.stb\"",
    ),
    word(
        "const",
        "A name for a value that never changes.",
        "const LAST = 3",
    ),
    word(
        "param",
        "A constant that can be set from outside, within its range: `-D N=4`.",
        "param N: 2..6 = 3",
    ),
    word("type", "Another name for a type.", "type Id = 0..3"),
    word(
        "enum",
        "A type whose values are these names, in this order.",
        "enum Colour { red, green }",
    ),
    word(
        "var",
        "Variables; in a process they are each instance's own. Without `= e` they begin with the least value of their type.",
        "var turn: 0..3 = 1",
    ),
    word(
        "channel",
        "Carries messages from those who `send` to those who `receive`. How many it holds is bounded.",
        "channel line: queue[2] of 0..3",
    ),
    within(
        "queue",
        &[CHANNEL_DECL],
        "The messages come out in the order in which they went in.",
        "channel line: queue[2] of 0..3",
    ),
    within(
        "bag",
        &[CHANNEL_DECL],
        "The messages come out in any order.",
        "channel letters: bag[2] of 0..3",
    ),
    word(
        "action",
        "Something that processes do together: it occurs when all who have it in their alphabet can take part, in one step of them all.",
        "action enter(0..3)",
    ),
    word(
        "def",
        "A name for an expression, with parameters if it likes.",
        "def low(k in 0..3): k < 2",
    ),
    word(
        "macro",
        "A name for statements or effects, which stand where it is called as if they were written there.",
        "macro put(k in 0..3) { skip }",
    ),
    word(
        "process",
        "What runs beside the others: one instance for each value of its parameters. Its body is written as states or as statements.",
        "process p(i in 0..2) { skip }",
    ),
    word(
        "tester",
        "Watches for behaviour that the model must not have. It takes part in the actions that it mentions, and its marked states say what is wrong.",
        "tester t { initial state s { on a -> bad } reject state bad }",
    ),
    word(
        "specification",
        "A process whose behaviour is all that is allowed. `refines` compares the model with it.",
        "specification s { loop { on a } }",
    ),
    within(
        "traces",
        &[REFINES_DECL],
        "Compared are the sequences of actions that can occur.",
        "refines s in traces",
    ),
    within(
        "failures",
        &[REFINES_DECL],
        "Compared are the sequences of actions, and what can be refused after them where nothing invisible can happen.",
        "refines s in failures",
    ),
    within(
        "divergences",
        &[REFINES_DECL],
        "Compared is after which sequences of actions the model can run for ever without any of them.",
        "refines s in divergences",
    ),
    within(
        "infinite",
        &[REFINES_DECL],
        "Compared are the sequences of actions that go on for ever.",
        "refines s in infinite traces",
    ),
    within(
        "cffd",
        &[REFINES_DECL],
        "Compared are stable failures, divergences and infinite traces.",
        "refines s in cffd",
    ),
    word(
        "refines",
        "The model, seen through the alphabet of a specification, does nothing that this cannot do.",
        "refines s in traces",
    ),
    word(
        "buchi",
        "A Büchi automaton that reads the states of a run and accepts what must not happen.",
        "buchi b { observe p = x initial state s { -> s } }",
    ),
    word(
        "testing",
        "A testing automaton: it moves when what it observes changes, and accepts what must not happen.",
        "testing a { observe p = x initial state s when p { change p -> t } livelock state t }",
    ),
    word(
        "observe",
        "A name for what an automaton sees of a state.",
        "buchi b { observe p = x initial state s { -> s } }",
    ),
    word(
        "change",
        "The step is taken when just these observed values change.",
        "testing a { observe p = x initial state s when p { change p -> t } livelock state t }",
    ),
    // Bodies.
    word(
        "alphabet",
        "Actions that the process takes part in though its steps do not mention them: it keeps them from occurring where it has no step for them.",
        "alphabet enter(*)",
    ),
    word(
        "visible",
        "Actions that the tester sees though its steps do not mention them: they cannot occur where it has no step for them.",
        "visible enter(*)",
    ),
    word(
        "state",
        "A place where a process can be, with the steps that lead on from it.",
        "initial state idle { when x -> idle }",
    ),
    within(
        "initial",
        &[MODIFIER],
        "Here it begins.",
        "initial state idle { when x -> idle }",
    ),
    within(
        "final",
        &[MODIFIER, LABEL],
        "It is right to stay here for ever: nobody who is here is stuck.",
        "final state stopped",
    ),
    within(
        "reject",
        &[MODIFIER],
        "Coming here is wrong: what has happened so far must not happen.",
        "reject state bad",
    ),
    within(
        "deadlock",
        &[MODIFIER],
        "It is wrong if nothing can happen any more while it is here.",
        "deadlock state waiting",
    ),
    within(
        "livelock",
        &[MODIFIER],
        "It is wrong if things go on for ever that it does not see while it is here.",
        "livelock state waiting",
    ),
    within(
        "infinite",
        &[MODIFIER],
        "It is wrong if it comes here again and again for ever.",
        "infinite state again",
    ),
    word(
        "if",
        "Tests a condition. Among statements the test is one step; among effects it belongs to its step; in an expression it chooses a value and has an `else`.",
        "if x { skip } else { skip }",
    ),
    word(
        "then",
        "What an `if` is where its condition is true.",
        "if x then 1 else 0",
    ),
    word(
        "else",
        "What happens, or which value it is, where the condition of the `if` is false.",
        "if x { skip } else { skip }",
    ),
    within(
        "with",
        &[WITH_EXPR],
        "The record before it with other values in some of its fields.",
        "x = r with { f: 1 }",
    ),
    word(
        "while",
        "Does its block again as long as the condition is true. Each test is one step.",
        "while x { skip }",
    ),
    word(
        "loop",
        "Does its block again and again, until a `break` or a `stop`. Going round costs no step.",
        "loop { on a }",
    ),
    word(
        "either",
        "Goes on with one of the branches. The choice is made by the first step that is taken.",
        "either { on a } or { stop }",
    ),
    within(
        "or",
        &[EITHER_STMT, BRANCH],
        "Another branch of the `either`.",
        "either { on a } or { stop }",
    ),
    word(
        "break",
        "Leaves the loop around it. It costs no step.",
        "loop { either { on a } or { break } }",
    ),
    word(
        "stop",
        "One step to the end of the process, for good. Who need not ask again should be able to: a model in which all must ask again hides who waits for it.",
        "either { stop } or { on a }",
    ),
    word(
        "skip",
        "One step that changes nothing but where the process is.",
        "skip",
    ),
    word(
        "await",
        "Waits until the condition is true; that and the `do` behind it are one step.",
        "await x do x = false",
    ),
    word(
        "assert",
        "Fails where the condition is false, which violates `errors`.",
        "assert x",
    ),
    // Steps.
    within(
        "for",
        &[FOR_EFFECT],
        "The effects for each of the values, one after the other, in one step.",
        "do { for k in 0..2 { x = k } }",
    ),
    word(
        "for",
        "One such step, or branch, for each of the values.",
        "either for k in 0..2 { on a(k) } or { stop }",
    ),
    word(
        "on",
        "The step is a part of this action, which all who have it in their alphabet take together. `?x` takes a value over, `*` takes any.",
        "on enter(1) when x",
    ),
    within(
        "tau",
        &[ON_CLAUSE],
        "A move of the tester's own, which nobody sees.",
        "on tau -> s",
    ),
    word(
        "send",
        "Puts a message into a channel; waits while it is full. Behind a `receive` it is the same step: the message is taken and the other sent, or neither.",
        "send line(1)",
    ),
    word(
        "receive",
        "Takes a message out of a channel; waits while none is there that matches. `?x` takes a value over, `*` takes any.",
        "receive line(?x)",
    ),
    within(
        "when",
        &[EXPECT_SETTING],
        "These properties are there to fail only where this is true, a constant expression: where a parameter turns a bug on.",
        "expect violated: deadlock when 1 == 1",
    ),
    within(
        "when",
        &[STATE],
        "The automaton is in this state only while this is true of what it observes.",
        "initial state s when p { -> s }",
    ),
    word(
        "when",
        "The guard: the step can be taken only where it is true.",
        "when x do x = false",
    ),
    word(
        "do",
        "What the step changes, one effect after the other, all in one step.",
        "do x = 1, y = 2",
    ),
    word(
        "any",
        "Any value of the type: one step for each.",
        "x = any 0..3",
    ),
    // Types and expressions.
    word(
        "bool",
        "The truth values, `false` and `true`.",
        "var x: bool",
    ),
    word(
        "array",
        "A value for each index of a scalar type.",
        "var gate: array[0..3] of bool",
    ),
    within(
        "of",
        &[ARRAY_TYPE],
        "The type of each cell.",
        "var gate: array[0..3] of bool",
    ),
    within(
        "set",
        &[SET_TYPE],
        "Some of the values of a scalar type. `e in s` asks for one, `s + {e}` and `s - {e}` put it in and take it out.",
        "var seen: set of 0..3",
    ),
    within(
        "list",
        &[LIST_TYPE],
        "Up to so many values of a scalar type, one behind the other: `l + [e]`, `l[0]`, `len(l)`, `l[1..len(l)-1]`.",
        "var log: list[4] of 0..3",
    ),
    within(
        "of",
        &[SET_TYPE, LIST_TYPE],
        "The type of each element.",
        "var seen: set of 0..3",
    ),
    within(
        "of",
        &[CHANNEL_DECL, MESSAGE],
        "What a message consists of.",
        "channel line: queue[2] of 0..3",
    ),
    word(
        "record",
        "A value that has these fields.",
        "type Point = record { x: 0..3, y: 0..3 }",
    ),
    word("true", "One of the two truth values.", "var x: bool = true"),
    word(
        "false",
        "One of the two truth values, and the one with which variables begin.",
        "var x: bool = false",
    ),
    word(
        "forall",
        "True if the expression is true for all of the values.",
        "forall k in 0..2: k < 3",
    ),
    word(
        "exists",
        "True if the expression is true for one of the values at least.",
        "exists k in 0..2: k == 1",
    ),
    word(
        "and",
        "True if both are; where the first is false the second is not evaluated.",
        "x and y",
    ),
    word(
        "or",
        "True if one of the two is; where the first is true the second is not evaluated.",
        "x or y",
    ),
    within(
        "not",
        &[TERMINATION_SETTING],
        "`termination not required`: the model may go on for ever, and `termination` is not checked.",
        "termination not required",
    ),
    word("not", "True if the other is false.", "not x"),
    word(
        "implies",
        "False only if the first is true and the second is false; where the first is false the second is not evaluated.",
        "x implies y",
    ),
    within(
        "in",
        &[IN_EXPR],
        "True if the value is one of these.",
        "x in {1, 2}",
    ),
    within(
        "in",
        &[REFINES_DECL],
        "In which sense the model refines the specification.",
        "refines s in traces",
    ),
    word(
        "in",
        "The values that a name stands for, one after the other.",
        "forall k in 0..2: k < 3",
    ),
    within(
        "end",
        &[AT_EXPR],
        "The end of a process's body. Whoever is there stays there, which is right.",
        "p@end",
    ),
    within(
        "count",
        &[AGGREGATE_EXPR],
        "For how many of the values the expression is true.",
        "count(k in 0..2: k > 0)",
    ),
    within(
        "sum",
        &[AGGREGATE_EXPR],
        "The sum of the expression over all of the values.",
        "sum(k in 0..2: k)",
    ),
    within(
        "min",
        &[AGGREGATE_EXPR, CALL_EXPR],
        "The least of these.",
        "min(x, 3)",
    ),
    within(
        "max",
        &[AGGREGATE_EXPR, CALL_EXPR],
        "The greatest of these.",
        "max(x, 3)",
    ),
    within(
        "len",
        &[CALL_EXPR],
        "How many messages a channel holds.",
        "len(line)",
    ),
    within(
        "empty",
        &[CALL_EXPR],
        "Whether a channel holds no message.",
        "empty(line)",
    ),
    within(
        "full",
        &[CALL_EXPR],
        "Whether a channel has no room for another message.",
        "full(line)",
    ),
    within(
        "bit_and",
        &[CALL_EXPR],
        "The bits that both have, of 64.",
        "bit_and(x, 3)",
    ),
    within(
        "bit_or",
        &[CALL_EXPR],
        "The bits that one of the two has, of 64.",
        "bit_or(x, 3)",
    ),
    within(
        "bit_xor",
        &[CALL_EXPR],
        "The bits that just one of the two has, of 64.",
        "bit_xor(x, 3)",
    ),
    within(
        "bit_not",
        &[CALL_EXPR],
        "The bits that it has not, of 64.",
        "bit_not(x)",
    ),
    within(
        "shift_left",
        &[CALL_EXPR],
        "The bits moved up by 0 to 63 places; what is pushed out is lost.",
        "shift_left(x, 2)",
    ),
    within(
        "shift_right",
        &[CALL_EXPR],
        "The bits moved down by 0 to 63 places; the sign stays.",
        "shift_right(x, 2)",
    ),
    // Properties.
    word(
        "invariant",
        "Holds if this is true in every state that can be reached.",
        "invariant low: x <= 1",
    ),
    word(
        "progress",
        "What is to remain possible (`may`), or to come sooner or later (`must`), from every state that can be reached.",
        "progress served: may x",
    ),
    word(
        "may",
        "From every state that can be reached a state with this can be reached (AG EF).",
        "progress served: may x",
    ),
    word(
        "must",
        "From every state that can be reached every run meets a state with this (AG AF): every fair one, where fairness is assumed.",
        "progress served: must x",
    ),
    word(
        "ltl",
        "Every run satisfies the formula. A run that ends repeats its last state for ever.",
        "ltl answered: always (x implies eventually y)",
    ),
    within(
        "always",
        &[],
        "In all states from here on.",
        "ltl stays: always x",
    ),
    within(
        "eventually",
        &[],
        "In some state from here on.",
        "ltl comes: eventually x",
    ),
    within(
        "until",
        &[],
        "The second comes, and the first holds until then.",
        "ltl waits: x until y",
    ),
    within(
        "weak_until",
        &[],
        "The first holds until the second comes, which it need not.",
        "ltl waits: x weak_until y",
    ),
    within(
        "release",
        &[],
        "The second holds until and when the first comes, which it need not.",
        "ltl holds: x release y",
    ),
    within(
        "U",
        &[],
        "The second comes, and the first holds until then.",
        "ltl waits: x U y",
    ),
    within(
        "W",
        &[],
        "The first holds until the second comes, which it need not.",
        "ltl waits: x W y",
    ),
    within(
        "R",
        &[],
        "The second holds until and when the first comes, which it need not.",
        "ltl holds: x R y",
    ),
    within(
        "reachable",
        &[REACHABLE_DECL],
        "Some reachable state is such a one (EF). It holds with a witness, the shortest run to one.",
        "reachable full: x == 3",
    ),
    within(
        "expect",
        &[EXPECT_SETTING],
        "Says which properties are there to fail.",
        "expect violated: deadlock",
    ),
    within(
        "violated",
        &[EXPECT_SETTING],
        "These properties are there to fail: one that holds is what is wrong then.",
        "expect violated: deadlock",
    ),
    word(
        "recurrence",
        "Every run in which the first happens infinitely often has the second infinitely often too.",
        "recurrence fair: infinitely ask(*) implies infinitely enter(*)",
    ),
    within(
        "where",
        &[WHERE_CLAUSE],
        "Of the values of these parameters there are those for which this is true, a constant expression over them.",
        "invariant free(i in Id, j in Id where i < j): owner[i] != owner[j]",
    ),
    within(
        "infinitely",
        &[RECURRENCE_DECL],
        "Again and again, for ever.",
        "recurrence fair: infinitely ask(*) implies infinitely enter(*)",
    ),
    within(
        "fair",
        &[PROCESS_DECL],
        "Runs are asked about alone in which no instance of it is put off for ever: one that can take a step in every state \
         from some point on takes steps again and again. `ltl`, `must`, `recurrence`, `buchi` and `testing` have this.",
        "fair process p { loop { skip } }",
    ),
    within(
        "fair",
        &[FAIR_DECL],
        "Runs are asked about alone in which these steps are not put off for ever: if one of them can be taken in every state \
         from some point on, or `strongly fair` in states again and again, then one is taken again and again. `ltl`, `must`, \
         `recurrence`, `buchi` and `testing` have this.",
        "fair served(i in 0..1): enter(i)",
    ),
    within(
        "strongly",
        &[FAIR_DECL],
        "It is enough that one of the steps can be taken again and again: it need not be possible all the time.",
        "strongly fair served(i in 0..1): enter(i)",
    ),
    within(
        "deadlock",
        &[DEADLOCK_SETTING],
        "Which states in which nothing can happen are right besides those where everybody is at a final place.",
        "deadlock allowed when x == 0",
    ),
    within(
        "allowed",
        &[DEADLOCK_SETTING],
        "A state in which nothing can happen is right where this is true of it.",
        "deadlock allowed when x == 0",
    ),
    within(
        "ignored",
        &[DEADLOCK_SETTING],
        "`deadlock` is not checked.",
        "deadlock ignored",
    ),
    within(
        "termination",
        &[TERMINATION_SETTING],
        "Whether from every state that can be reached one can be reached in which nothing can happen any more (AG EF). It is checked unless the model goes on for ever by its nature.",
        "termination not required",
    ),
    within(
        "required",
        &[TERMINATION_SETTING],
        "`termination not required`: the model may go on for ever, and `termination` is not checked.",
        "termination not required",
    ),
];

#[cfg(test)]
mod tests {
    use stubborn_syntax::parse;

    use super::*;

    #[test]
    fn every_reserved_word_has_a_meaning() {
        for word in SyntaxKind::RESERVED_WORDS {
            assert!(WORDS.iter().any(|one| one.word == *word), "{word}");
        }
    }

    #[test]
    fn every_example_is_of_the_language_and_shows_its_word() {
        for word in WORDS {
            let around = [
                ("", ""),
                ("process p { ", " }"),
                ("tester t { ", " }"),
                ("tester t { initial state s { ", " } }"),
                ("buchi b { ", " }"),
                ("invariant i: ", ""),
            ];
            let is_told = around.iter().any(|(before, after)| {
                let parse = parse(&format!("{before}{}{after}\n", word.example));
                let tree = parse.syntax();
                let tokens = tree.descendants_with_tokens();
                let mut tokens = tokens.filter_map(|element| element.into_token());
                let says_so = tokens.any(|token| {
                    token.text() == word.word
                        && told(&token).is_some_and(|told| told.starts_with(word.meaning))
                });
                says_so && parse.errors.is_empty()
            });
            assert!(is_told, "`{}` in `{}`", word.word, word.example);
        }
    }

    #[test]
    fn a_name_that_looks_like_a_word_of_the_language_is_a_name() {
        let told_of = |text: &str, word: &str| {
            let tree = parse(text).syntax();
            let tokens = tree.descendants_with_tokens();
            let tokens = tokens.filter_map(|element| element.into_token());
            let tokens = tokens.filter(|token| token.text() == word);
            tokens.filter(|token| told(token).is_some()).count()
        };
        let queue = "var queue: bool\nprocess p { await queue }\n";
        assert_eq!(told_of(queue, "queue"), 0);
        let fair = "fair fair: fair\nprocess fair { skip }\ninvariant fair: fair@end\n";
        assert_eq!(told_of(fair, "fair"), 1);
    }
}
