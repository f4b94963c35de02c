//! Warnings about properties that hold vacuously ([`stubborn_report::Vacuous`]), at the premises
//! that never occur.

use std::sync::Arc;

use stubborn_report::list;

use super::Location;
use super::message::{Message, Messages, Severity};
use crate::database::{Db, SourceFile, analyzed, idle, texts};

/// Warnings about the premises of the root's own properties, as far as they are decided.
pub fn of_vacuous(db: &dyn Db, root: SourceFile) -> Messages {
    let mut messages = Messages::new();
    let all = idle(db, root);
    if all.is_empty() {
        return messages;
    }
    let Some(texts) = texts(db, root) else {
        return messages;
    };
    let analysis = analyzed(db, root);
    let model = analysis.as_ref().and_then(|one| one.model.as_ref());
    for one in all.iter() {
        let Some(named) = model.and_then(|model| model.properties.get(one.first)) else {
            continue;
        };
        let path = root.path(db);
        // What stands in a file that is used is told where it is used.
        let place = match one.vacuous.place.file == *path {
            true => Location::from(&one.vacuous.place),
            false => Location::from(&texts.place(named.span)),
        };
        let names: Vec<&str> = one.only_in.iter().map(String::as_str).collect();
        let who = match names.is_empty() {
            true => named.base.clone(),
            false => list(&names),
        };
        messages.entry(Arc::clone(path)).or_default().push(Message {
            bytes: place.bytes,
            severity: Severity::Warning,
            code: "vacuous",
            text: format!("{who}: {}", one.vacuous.sentence),
            unnecessary: false,
            related: Vec::new(),
        });
    }
    messages
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::{checked, checked_files};
    use super::*;
    use crate::database::Database;

    fn shown((db, file): (Database, SourceFile), text: &str, expected: Expect) {
        let messages = of_vacuous(&db, file);
        let shown = messages.values().flatten().map(|message| {
            assert_eq!(message.severity, Severity::Warning);
            format!("`{}`: {}\n", &text[message.bytes.clone()], message.text)
        });
        expected.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn a_left_side_that_is_never_true_is_told_where_it_stands() {
        let text = "var n: 0..5\nprocess p { while n < 3 { n = n + 1 } }\n\
                    invariant both: (n > 4 implies n > 3) and (n > 2 implies n < 4)\n\
                    invariant fails: n == 5 implies n > 0 and n < 2\ninvariant broken: (n == 5 implies n > 0) and n < 2\n";
        shown(
            checked(text),
            text,
            expect![[r#"
            `n > 4`: both: `n > 4` is never true, so that nothing is asked of what it implies
            `n == 5`: fails: `n == 5` is never true, so that nothing is asked of what it implies
        "#]],
        );
    }

    #[test]
    fn of_a_family_those_are_named_in_which_nothing_happens_unless_it_is_so_in_all() {
        let text = "var n: 0..5\nprocess p { while n < 3 { n = n + 1 } }\n\
                    invariant some(k in 0..5): n == k implies n < 4\ninvariant all(k in 4..5): n == k implies n < 4\n";
        shown(
            checked(text),
            text,
            expect![[r#"
            `n == k`: some(4) and some(5): `n == k` is never true, so that nothing is asked of what it implies
            `n == k`: all: `n == k` is never true, so that nothing is asked of what it implies
        "#]],
        );
    }

    #[test]
    fn what_stands_in_a_used_file_is_told_at_the_property_and_a_used_file_s_properties_by_that_file()
     {
        let model = "var n: 0..5\nprocess p { while n < 3 { n = n + 1 } }\n\
                     invariant own: n > 4 implies n > 3\ndef late: n > 4 implies n > 3\n";
        let tester = "use \"m.stb\"\ninvariant i: late\nbuchi b { observe q = n > 4\n initial reject state s when q }\n";
        let texts = [("/m.stb", model), ("/t.tester", tester)];
        shown(
            checked_files(&texts),
            tester,
            expect![[r#"
            `q`: b: `q`, which it observes, never changes
            `i`: i: `n > 4` is never true, so that nothing is asked of what it implies
        "#]],
        );
    }
}
