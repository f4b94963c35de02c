//! What leads through a text, at places of texts that are broken: nothing fails, and whatever is found
//! is a piece of a text.

use std::ops::Range;

use super::fixture::files;
use super::{
    Lead, call_hierarchy, definition, folding, highlights, implementation, links, selection,
    symbols, type_definition, workspace_symbols,
};
use crate::database::{Contents, Database, Db, SourceFile};

const MODEL: &str = include_str!("../../../../examples/alternating_bit.stb");
const SMALL: &str = "\
// Größe: 𝔸\r
/// Doc
enum Color { red, green } action go(Color)
type Cell = record { colour: Color, n: 0..3 }
var cells, others: array[0..1] of Cell
channel c[0..1]: queue[2] of Color = [red]
macro paint(x in Color) { on go(x) when cells[0].colour == x do others[1].n = 3 }
process p(i in 0..1) { var own: Cell
    alphabet go(red)
    one: loop { either { paint(green); send c[i](red) } or { receive c[i](?own.colour) } or { break } }
    final two: stop
}
invariant some: exists k in 0..1: p(k)@{one, end} or p(k).own.n == 0 /* a
 comment */
recurrence r: infinitely {go(*), p(0)@two} implies infinitely {}
fair process again { loop { skip } }
fair served(k in 0..1): {go(*), p(k), p(0)@two, again}
";
const TESTER: &str = "\
use \"m.stb\"
tester t(k in 0..1) { visible go(*) initial state s { on go(green) -> s on tau -> u } reject state u }
specification spec { initial state s { on go(*) -> s } }
refines spec in infinite traces
strongly fair lucky: p(1)
buchi b { observe q = p(0)@one initial infinite state s when q { -> s } }
";

/// The text as somebody might leave it who is writing: without a piece of it.
fn broken(text: &str) -> Vec<String> {
    let mut broken = vec![text.to_owned()];
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for (nth, at) in ends.iter().step_by(ends.len() / 12 + 1).enumerate() {
        broken.push(text[..*at].to_owned());
        let behind = ends
            .get(nth * 7 % ends.len())
            .copied()
            .unwrap_or(0)
            .max(*at);
        broken.push(format!("{}{}", &text[..*at], &text[behind..]));
    }
    broken
}

struct Looked<'a> {
    db: &'a Database,
    own: SourceFile,
}

impl Looked<'_> {
    fn is_piece(&self, path: &str, bytes: &Range<usize>) {
        let Contents::Text(text) = self.db.file(path).contents(self.db) else {
            panic!("{path} has no text");
        };
        assert!(text.get(bytes.clone()).is_some(), "{path} {bytes:?}");
    }

    fn is_own(&self, bytes: &Range<usize>) {
        self.is_piece(self.own.path(self.db), bytes);
    }

    fn lead(&self, lead: Option<Lead>) {
        let Some(lead) = lead else { return };
        self.is_own(&lead.from);
        for target in lead.to {
            self.is_piece(&target.name.path, &target.name.bytes);
            self.is_piece(&target.name.path, &target.whole);
            assert!(target.whole.start <= target.name.bytes.start);
            assert!(target.name.bytes.end <= target.whole.end);
        }
    }

    fn calls(&self, calls: Option<Vec<call_hierarchy::Call>>, caller: Option<&str>) {
        for call in calls.into_iter().flatten() {
            self.is_piece(&call.item.path, &call.item.declared.whole);
            let caller = caller.unwrap_or(&call.item.path);
            call.places
                .iter()
                .for_each(|place| self.is_piece(caller, place));
        }
    }

    fn declared(&self, all: &[symbols::Declared]) {
        for one in all {
            assert!(!one.name.trim().is_empty());
            assert!(one.whole.start <= one.bytes.start && one.bytes.end <= one.whole.end);
            self.is_own(&one.whole);
            self.declared(&one.children);
        }
    }

    /// At so many places of a text of this length.
    fn everywhere(&self, roots: &[SourceFile], length: usize, places: usize) {
        let (db, file) = (self.db, self.own);
        self.declared(&symbols::symbols(db, file));
        folding::folds(db, file)
            .iter()
            .for_each(|one| self.is_own(&one.bytes));
        links::links(db, file)
            .iter()
            .for_each(|one| self.is_own(&one.bytes));
        for one in workspace_symbols::workspace_symbols(db, roots, "o") {
            self.is_piece(&one.path, &one.declared.bytes);
        }
        for offset in (0..length + 3).step_by(length / places + 1) {
            self.lead(definition::definition(db, file, offset));
            self.lead(type_definition::type_definition(db, file, offset));
            self.lead(implementation::implementation(db, roots, file, offset));
            for one in highlights::highlights(db, file, offset).unwrap_or_default() {
                self.is_own(&one.bytes);
            }
            let pieces = selection::selections(db, file, offset);
            pieces.iter().for_each(|piece| self.is_own(piece));
            self.calls(call_hierarchy::incoming(db, roots, file, offset), None);
            if let Some(item) = call_hierarchy::prepare(db, file, offset) {
                let calls = call_hierarchy::outgoing(db, roots, file, offset);
                self.calls(calls, Some(&item.path));
            }
        }
    }
}

#[test]
fn whatever_is_missing_what_is_found_is_a_piece_of_a_text() {
    for text in broken(SMALL).into_iter().chain([MODEL.to_owned()]) {
        let (db, tester) = files(&[("/m.stb", &text), ("/t.tester", TESTER)]);
        let own = db.file("/m.stb");
        Looked { db: &db, own }.everywhere(&[own, tester], text.len(), 40);
    }
}

#[test]
fn whatever_a_tester_misses_what_is_found_is_a_piece_of_a_text() {
    for text in broken(TESTER) {
        let (db, own) = files(&[("/m.stb", SMALL), ("/t.tester", &text)]);
        Looked { db: &db, own }.everywhere(&[db.file("/m.stb"), own], text.len(), 40);
    }
}

#[test]
fn a_text_may_be_as_deep_as_a_text_can_be() {
    let deep = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(300), close.repeat(300))
    };
    let texts = [
        format!("process p {{ {} }}", deep("a: loop { ", "on go", " }")),
        format!(
            "process p {{ {} }}",
            deep("if true { ", "x.f = {f: 1}", " }")
        ),
        format!("type T = {}", deep("record { f: ", "bool", " }")),
        format!("var r: {}", deep("array[0..1] of ", "bool", "")),
        format!("invariant i: {}", deep("(r", ".f", ").f")),
        format!("invariant i: {}", deep("r[", "0", "].f")),
        format!("const c: bool = {}", deep("{f: ", "0", "}")),
        format!("const c: bool = {}", deep("[", "{f: 1}", "]")),
        format!("invariant i: r{}", ".f".repeat(3000)),
        format!("invariant i: r{}", "[0]".repeat(3000)),
        deep("{ ", "x\n", ""),
    ];
    for text in texts {
        let text = format!("action go\nvar r: record {{ f: bool }}\n{text}\n");
        let (db, own) = files(&[("/m.stb", &text)]);
        Looked { db: &db, own }.everywhere(&[own], text.len(), 7);
    }
}
