//! Every limit on what a text may grow to, one before it, at it and one behind it: what the limit
//! allows has no error, and what it does not allow has a message.

use std::sync::Arc;

use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_model::{Analysis, analyze};

const MODEL: &str = "var x: 0..3\nprocess model { x = 1; await x == 1 }\n";

fn analysis(path: &str, text: &str) -> Analysis {
    let root = Arc::new(ParsedFile::new(path, text));
    let program = Program::assemble(root, &mut |used| {
        let text = if used == "model.stb" { MODEL } else { "" };
        Some(Arc::new(ParsedFile::new(used, text)))
    });
    analyze(&program, &Settings::default())
}

fn holds_at(most: usize, path: &str, text: impl Fn(usize) -> String) {
    for number in [most - 1, most, most + 1] {
        let analysis = analysis(path, &text(number));
        let errors: Vec<&str> = analysis
            .problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
            .map(|problem| problem.message.as_str())
            .collect();
        if number > most {
            assert!(
                !errors.is_empty(),
                "{number} are told though {most} is the most"
            );
            continue;
        }
        assert_eq!(errors, [""; 0], "{number} are allowed");
        let model = analysis.model.expect("a text without errors is a model");
        for instance in &model.system.instances {
            assert!((instance.initial as usize) < instance.locations.len());
        }
    }
}

fn lines(number: usize, line: impl Fn(usize) -> String) -> String {
    (0..number).map(line).collect()
}

#[test]
fn ten_thousand_instances() {
    holds_at(10_000, "model.stb", |number| {
        format!("process p(i in 1..{number}) {{ initial state s }}")
    });
}

#[test]
fn two_hundred_thousand_states_and_steps() {
    holds_at(200_000, "model.stb", |number| {
        let states = lines(1_989, |at| format!("state s{at}\n"));
        let others = lines(number - 199_001, |at| format!("state s{at}\n"));
        format!(
            "process p(i in 1..100) {{ initial state t\n{states} }}
            process q {{ initial state t\n{others} }}"
        )
    });
}

#[test]
fn two_hundred_thousand_steps_with_every_value() {
    holds_at(200_000, "model.stb", |number| {
        format!(
            "var x: 0..3\nprocess p {{ initial state s {{ for k in 1..100_000 when x == 0 -> s
            for k in 1..50_000 when x == 0 -> s
            for k in 1..{} when x == 0 -> s }} }}",
            number - 150_000
        )
    });
}

#[test]
fn a_hundred_thousand_values_of_one_for() {
    holds_at(100_000, "model.stb", |number| {
        format!(
            "var x: 0..3\nprocess p {{ initial state s {{ for k in 1..{number} when x == 0 -> s }} }}"
        )
    });
}

#[test]
fn twenty_thousand_effects_of_a_step() {
    holds_at(20_000, "model.stb", |number| {
        let inner = number - 1;
        format!("var x: 0..3\nprocess p {{ do {{ for k in 1..{inner} {{ x = 1 }} }} }}")
    });
}

#[test]
fn a_hundred_macros_in_each_other() {
    holds_at(100, "model.stb", |number| {
        let macros = lines(number - 1, |at| {
            format!("macro m{} {{ m{at}() }}\n", at + 1)
        });
        let last = number - 1;
        format!("macro m0 {{ skip }}\n{macros}process p {{ m{last}() }}")
    });
}

#[test]
fn two_hundred_definitions_in_each_other() {
    holds_at(200, "model.stb", |number| {
        let definitions = lines(number - 1, |at| format!("def d{}: d{at}\n", at + 1));
        let last = number - 1;
        format!("var x: 0..3\ndef d0: x == 0\n{definitions}process p {{ await d{last} }}")
    });
}

#[test]
fn ten_thousand_channels_of_an_array() {
    holds_at(10_000, "model.stb", |number| {
        format!("channel c[1..{number}]: queue[1] of bool\nprocess p {{ send c[1](true) }}")
    });
}

#[test]
fn a_million_messages_of_a_channel() {
    holds_at(1_000_000, "model.stb", |number| {
        format!("channel c: queue[{number}] of bool\nprocess p {{ send c(true) }}")
    });
}

#[test]
fn a_million_cells_of_an_array() {
    holds_at(1_000_000, "model.stb", |number| {
        format!("var x: array[1..{number}] of bool\nprocess p {{ await x[1] }}")
    });
}

#[test]
fn ten_thousand_properties_of_one_name() {
    holds_at(10_000, "model.stb", |number| {
        format!("process p {{ skip }}\ninvariant i(k in 1..{number}): k > 0")
    });
}

#[test]
fn sixty_four_bounds() {
    holds_at(64, "model.stb", |number| {
        let bounds = lines(number, |at| format!("bound b{at}: x != {at}\n"));
        format!("var x: 0..99\nprocess p {{ skip }}\n{bounds}")
    });
}

#[test]
fn sixty_four_observed_names() {
    holds_at(64, "some.tester", |number| {
        let observed = lines(number, |at| format!("observe o{at} = x == {}\n", at % 4));
        format!("use \"model.stb\"\nbuchi b {{ {observed} initial state s when o0 {{ -> s }} }}")
    });
}

#[test]
fn a_thousand_files() {
    holds_at(1_000, "model.stb", |number| {
        let uses = lines(number - 2, |at| format!("use \"f{at}.stb\"\n"));
        format!("{uses}use \"model.stb\"\n").replace("\"model.stb\"", "\"last.stb\"")
    });
}

#[test]
fn a_thousand_parts_in_each_other() {
    holds_at(1_000, "model.stb", |number| {
        // Two for the comparison, one for the name that is awaited, five for each definition.
        let first = format!("def d0: {}x == 0\n", "not ".repeat(number - 953));
        let definitions = lines(190, |at| {
            format!("def d{}: not not not not d{at}\n", at + 1)
        });
        format!("var x: 0..3\n{first}{definitions}process p {{ await d190 }}")
    });
}

/// A macro `m39` with so many blocks around the innermost, and 351 more.
fn blocks(around: usize, innermost: &str) -> String {
    let nested = |depth: usize, inner: &str| {
        let (open, close) = ("if x == 0 { ".repeat(depth), " }".repeat(depth));
        format!("{open}{inner}{close}")
    };
    let macros = lines(39, |at| {
        let body = nested(9, &format!("m{at}()"));
        format!("macro m{} {{ {body} }}\n", at + 1)
    });
    let first = nested(around, innermost);
    format!("var x: 0..3\nmacro m0 {{ {first} }}\n{macros}")
}

#[test]
fn four_hundred_blocks_in_each_other() {
    holds_at(400, "model.stb", |number| {
        format!("{}process p {{ m39() }}", blocks(number - 392, "skip"))
    });
}

#[test]
fn a_million_combinations_of_values() {
    // One value decides it.
    holds_at(1_000_000, "model.stb", |number| {
        format!("process p {{ skip }}\ninvariant i: exists k in 1..{number}: k > 0")
    });
}

#[test]
fn ten_observed_names_compared_with_each_other() {
    holds_at(10, "some.tester", |number| {
        let observed = lines(number, |at| format!("observe o{at} = x == {}\n", at % 4));
        let compared = (1..number).fold("o0".to_owned(), |all, at| format!("({all} == o{at})"));
        format!(
            "use \"model.stb\"\nbuchi b {{ {observed} initial state s when {compared} {{ -> s }} }}"
        )
    });
}

#[test]
fn ten_thousand_instances_of_several_processes() {
    holds_at(10_000, "model.stb", |number| {
        format!(
            "process p(i in 1..5_000) {{ initial state s }}
            process q(i in 1..{}) {{ initial state s }}",
            number - 5_000
        )
    });
}

#[test]
fn a_million_parts_of_a_record() {
    holds_at(1_000_000, "model.stb", |number| {
        format!(
            "var x: record {{ f: array[1..1_000] of array[1..999] of bool, g: array[1..{}] of bool }}
            process p {{ await x.g[1] }}",
            number - 999_000
        )
    });
}

#[test]
fn a_million_combinations_of_the_values_of_several_names() {
    // One value of each decides it.
    holds_at(1_000_000, "model.stb", |number| {
        let (some, others) = match number {
            999_999 => (999, 1_001),
            1_000_000 => (1_000, 1_000),
            _ => (101, 9_901),
        };
        assert_eq!(some * others, number);
        format!(
            "process p {{ skip }}
            invariant i: exists j in 1..{some}, k in 1..{others}: j + k > 0"
        )
    });
}

#[test]
fn two_hundred_thousand_steps_of_specifications() {
    holds_at(200_000, "model.stb", |number| {
        format!(
            "action a(1..100_000)\nprocess p {{ on a(*) }}
            specification s {{ initial state s {{ for k in 1..100_000 on a(k) -> s }} }}
            specification t {{ initial state s {{
                for k in 1..50_000 on a(k) -> s for k in 1..{} on a(k) -> s }} }}
            refines s in traces\nrefines t in traces",
            number - 150_000
        )
    });
}

#[test]
fn four_hundred_blocks_of_effects_in_each_other() {
    holds_at(400, "model.stb", |number| {
        format!(
            "{}process p {{ do {{ m39() }} }}",
            blocks(number - 391, "x = 1")
        )
    });
}
