//! Warnings about items that never occur ([`stubborn_report::never`]): states, statements and steps
//! that no run reaches are shown faded, as unused code is.

use std::sync::Arc;

use stubborn_report::never;

use super::message::{Message, Messages, Roots, Severity};
use crate::database::{Db, SourceFile, analyzed, coverage_of_root, whole};

/// Warnings in the root's own file and in those that are no roots.
pub fn of_unreached(db: &dyn Db, root: SourceFile, roots: &Roots) -> Messages {
    let mut messages = Messages::new();
    for (path, found) in unreached(db, root).iter() {
        if **path == **root.path(db) || !roots.has(path) {
            messages.insert(Arc::clone(path), found.clone());
        }
    }
    messages
}

/// The same in all files of the root.
#[salsa::tracked(returns(clone))]
fn unreached(db: &dyn Db, root: SourceFile) -> Arc<Messages> {
    let (Some(whole), Some(analysis), Some(coverage)) = (
        whole(db, root),
        analyzed(db, root),
        coverage_of_root(db, root),
    ) else {
        return Arc::default();
    };
    let on_the_way = || db.unwind_if_revision_cancelled();
    let mut messages = Messages::new();
    for one in never(&analysis, &coverage, &whole.program, &on_the_way) {
        let path = whole.program.file(one.span.file).path.as_str();
        messages.entry(path.into()).or_default().push(Message {
            severity: Severity::Warning,
            code: "never-reached",
            text: one.sentence(),
            bytes: one.span.start as usize..one.span.end as usize,
            unnecessary: one.kind.is_unused(),
            related: Vec::new(),
        });
    }
    Arc::new(messages)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{checked, checked_files};
    use super::*;

    /// The text with what is faded in angle brackets and what is not in thin ones, and the
    /// messages.
    fn faded(text: &str) -> (String, Vec<String>) {
        let (db, file) = checked(text);
        let messages = of_unreached(&db, file, &Roots::default());
        let found: Vec<Message> = messages.into_values().flatten().collect();
        let mut shown = text.to_owned();
        for message in found.iter().rev() {
            assert_eq!(message.severity, Severity::Warning);
            let (opens, closes) = match message.unnecessary {
                true => ('⟨', '⟩'),
                false => ('‹', '›'),
            };
            shown.insert(message.bytes.end, closes);
            shown.insert(message.bytes.start, opens);
        }
        let said = found.into_iter().map(|message| message.text);
        (shown, said.collect())
    }

    /// What is said of a text whose brackets are taken out first, which must come back.
    fn said(text: &str) -> Vec<String> {
        let (shown, said) = faded(&text.replace(['⟨', '⟩', '‹', '›'], ""));
        assert_eq!(shown, text);
        said
    }

    #[test]
    fn a_state_that_no_run_reaches_is_faded() {
        let said = said(
            "var n: 0..3\nprocess p {\n    initial state one { when n < 3 do n = n + 1 -> one\n        \
             ‹when n > 5 -> two› }\n    ⟨state two { -> one }⟩\n}\ndeadlock ignored\n",
        );
        assert_eq!(
            said,
            [
                "no run takes this step; 4 states were searched",
                "no run reaches this state; 4 states were searched"
            ]
        );
    }

    #[test]
    fn statements_that_no_run_comes_to_are_faded_together_with_their_label() {
        let said = said(
            "var n: 0..3\nprocess p {\n    if n > 2 { ⟨here: n = 1\n n = 2⟩ } else { n = 1 }\n    \
             either { await n == 1 } or { ‹await n == 0›; ⟨skip; if n == 0 { n = 3 }⟩ }\n    \
             loop { n = 0; ‹await n > 0›; ⟨n = 2⟩ }\n}\ndeadlock ignored\n",
        );
        let (here, step) = ("no run comes here", "no run takes this step");
        let said: Vec<&str> = said
            .iter()
            .filter_map(|one| Some(one.split_once(';')?.0))
            .collect();
        assert_eq!(said, [here, step, here, step, here]);
    }

    #[test]
    fn a_test_that_always_comes_out_the_same_is_told_where_nothing_is_faded() {
        let said = said(
            "var n: 0..3\nprocess p {\n    ‹if n < 3› { n = n + 1 }\n    if n < 3 { n = n + 1 } else { ⟨skip⟩ }\n    \
             ‹if n == 0› { } else { n = 3 }\n    while n > 3 { ⟨n = 0⟩ }\n}\n",
        );
        let said: Vec<&str> = said
            .iter()
            .filter_map(|one| Some(one.split_once(';')?.0))
            .collect();
        let here = "no run comes here";
        assert_eq!(
            said,
            ["this is never false", here, "this is never true", here]
        );
    }

    #[test]
    fn a_branch_of_effects_that_no_run_goes_into_is_faded_and_a_test_without_one_is_not() {
        let said = said(
            "var n: 0..2\nmacro back() { if n > 1 { n = 0 } else { ⟨n = 1⟩ } }\nprocess p {\n    initial state one {\n        \
             when n < 2 do { if n > 1 { ⟨n = 0; if n == 0 { n = 1 }⟩ } else { n = n + 1 } } -> one\n        \
             when n == 2 do { back(); ‹if n == 0› { n = 0 } ‹if n == 1› { } else { n = 0 } } -> one\n    }\n}\ndeadlock ignored\n",
        );
        let (branch, always) = ("no run goes into this branch", "this is never false");
        let said: Vec<&str> = said
            .iter()
            .filter_map(|one| Some(one.split_once(';')?.0))
            .collect();
        assert_eq!(said, [branch, branch, always, "this is never true"]);
    }

    #[test]
    fn a_label_without_a_step_that_no_run_reaches_is_faded() {
        let said =
            said("var n: 0..3\nprocess p { loop { n = n / 2; ‹if n > 1› { ⟨out⟩: break } } }\n");
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[1].starts_with("no run reaches this label"), "{said:?}");
    }

    #[test]
    fn values_of_an_enumeration_that_a_variable_never_has_are_told_at_its_name() {
        let said = said(
            "enum colour { red, green, blue }\nvar ‹lamp›: array[0..1] of colour\nvar other: colour\n\
             process p(i in 0..1) { lamp[i] = green; other = any colour }\n\
             invariant dark: lamp[0] != blue and lamp[1] != blue and other in {red, green, blue}\n",
        );
        let [said] = said.as_slice() else {
            panic!("{said:?}")
        };
        assert!(said.starts_with("`lamp[…]` is never `blue`; "), "{said}");
    }

    #[test]
    fn what_depends_on_several_is_told_where_every_step_was_taken() {
        let said = said(
            "enum colour { red, green, blue }\nvar ‹lamp›: colour\nvar x, y: 0..4\n\
             process q { while x < 4 { x = x + 1 } }\nprocess r { while y < 4 { y = y + 1 } }\n\
             process p(i in 0..1) { await x == 4 and y == 4 and lamp != blue\n    \
             await x == 4; do { if lamp == blue { ⟨lamp = red⟩ } else { lamp = green } } }\n",
        );
        let said: Vec<&str> = said
            .iter()
            .filter_map(|one| Some(one.split_once(';')?.0))
            .collect();
        assert_eq!(
            said,
            ["`lamp` is never `blue`", "no run goes into this branch"]
        );
    }

    #[test]
    fn what_one_instance_reaches_is_not_faded() {
        said(
            "process p(i in 0..2) { if i == 1 { skip } }\nprocess q(i in 0..1) { ‹await i > 1›; ⟨skip⟩ }\n\
             deadlock ignored\n",
        );
    }

    #[test]
    fn a_search_that_has_ended_early_fades_nothing() {
        let text = "var n: 0..3\nprocess p { n = n + 1; n = n + 3; await n < 0; skip }\n\
                    deadlock ignored\ntermination not required\n";
        assert_eq!(faded(text).0, text);
    }

    #[test]
    fn what_the_text_alone_keeps_from_being_reached_is_told_once() {
        let text = "process p { stop\n skip }\n";
        assert_eq!(faded(text).0, text);
    }

    #[test]
    fn what_a_used_file_has_is_told_of_that_file_itself() {
        let model = "var n: 0..1\nprocess p { await n > 0; skip }\ndeadlock ignored\n";
        let texts = [
            ("/m.stb", model),
            ("/t.tester", "use \"m.stb\"\ninvariant i: n == 0\n"),
        ];
        let (db, file) = checked_files(&texts);
        let count = |roots: &Roots| {
            let messages = of_unreached(&db, file, roots);
            messages.get("/m.stb").map_or(0, Vec::len)
        };
        assert_eq!(count(&Roots::default()), 2);
        let mut roots = Roots::default();
        roots.add(&db, db.file("/m.stb"));
        assert_eq!(count(&roots), 0);
    }
}
