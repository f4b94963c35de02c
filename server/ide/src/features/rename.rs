//! Renaming what is declared, in every file that sees it.
//!
//! Whether a new name would be taken, capture another or be captured is not thought about in rules:
//! the edits are applied to the texts in memory, the roots that see the declaration are read again,
//! and every name has to stand for the same declaration as before, every System to be equal, and no
//! problem to be new.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use stubborn_model::Analysis;
use stubborn_model::problem::{Code, Problem, Severity};
use stubborn_model::program::Program;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::lexer::lex;
use stubborn_syntax::{SyntaxKind, SyntaxToken, TokenClass, classify};
use stubborn_system::source::{FileId, Span};

use super::again::{edited, read_again};
use super::references::{Named, Seen};
use super::tree::{span, token_at};
use super::{Edits, Location};
use crate::database::{Db, SourceFile, parsed, whole};

/// Where the name stands, in the order of each file's text.
type Places = BTreeMap<Arc<str>, Vec<Range<usize>>>;

/// Which name would be renamed, or `None` where no name stands.
///
/// # Errors
/// Why the name that stands there cannot be renamed, as a sentence without a full stop.
pub fn prepare(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
    may_change: &dyn Fn(&str) -> bool,
) -> Result<Option<Range<usize>>, String> {
    let Some(named) = Named::at(db, file, offset) else {
        return match name_at(db, file, offset) {
            Some(name) => Err(format!(
                "it is not known what `{name}` stands for, so that it cannot be renamed"
            )),
            None => Ok(None),
        };
    };
    uses(db, roots, file, &named, may_change)?;
    Ok(Some(named.at))
}

/// What to replace by the new name, so that nothing but the name is another.
///
/// # Errors
/// Why it cannot be renamed so, as a sentence without a full stop.
pub fn rename(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
    new: &str,
    may_change: &dyn Fn(&str) -> bool,
) -> Result<Edits, String> {
    must_be_a_name(new)?;
    let Some(named) = Named::at(db, file, offset) else {
        return Err(match name_at(db, file, offset) {
            Some(name) => format!("it is not known what `{name}` stands for"),
            None => "there is no name here".to_owned(),
        });
    };
    if *named.symbol.name == *new {
        return Ok(Edits::new());
    }
    let (seeing, places) = uses(db, roots, file, &named, may_change)?;
    let edits = places.iter().map(|(path, at)| {
        let edits = at.iter().map(|place| (place.clone(), new.to_owned()));
        (Arc::clone(path), edits.collect())
    });
    let edits: Edits = edits.collect();
    let renamed = edited(db, &edits);
    for root in &seeing {
        let trial = Trial {
            root,
            places: &places,
            declared: &named.declared,
            new,
        };
        let again = read_again(db, root.root, &renamed);
        let (program, after) = again.ok_or("the text has changed meanwhile")?;
        trial.changes_names_alone(&program, &after)?;
    }
    no_name_is_unknown(&seeing, &places, new)?;
    Ok(edits)
}

fn must_be_a_name(new: &str) -> Result<(), String> {
    let (tokens, errors) = lex(new);
    let kinds: Vec<SyntaxKind> = tokens
        .iter()
        .map(|token| token.kind)
        .filter(|kind| *kind != SyntaxKind::EOF)
        .collect();
    match kinds.as_slice() {
        [SyntaxKind::IDENT] if errors.is_empty() => Ok(()),
        [kind] if kind.is_reserved_word() => {
            Err(format!("`{new}` is a reserved word of the language"))
        }
        _ => {
            let shown: String = new.chars().take(40).collect();
            Err(format!(
                "`{shown}` is not a name: names have letters, digits and `_`, and do not begin with \
                 a digit"
            ))
        }
    }
}

/// The name that stands at a place, whatever it stands for.
fn name_at(db: &dyn Db, file: SourceFile, offset: usize) -> Option<String> {
    let root = parsed(db, file)?.parse.syntax();
    let name = token_at(&root, offset).filter(|token| classify(token) == TokenClass::Name)?;
    Some(name.text().to_owned())
}

/// The roots that see the declaration, and where its name stands in their files.
fn uses(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    named: &Named,
    may_change: &dyn Fn(&str) -> bool,
) -> Result<(Vec<Seen>, Places), String> {
    let old = &*named.symbol.name;
    // What is not read may lead to the declaration, too.
    for root in std::iter::once(&file).chain(roots) {
        let whole = whole(db, *root);
        if let Some(path) = whole.as_ref().and_then(|whole| whole.unread.first()) {
            return Err(format!(
                "`{path}` may use `{old}` and has not been read yet; try again"
            ));
        }
    }
    let seeing = named.seen_by(db, roots, file);
    let mut places = Places::new();
    let declared = [named.declared.clone()];
    for place in declared.into_iter().chain(named.uses(&seeing)) {
        places.entry(place.path).or_default().push(place.bytes);
    }
    for (path, at) in &mut places {
        at.sort_by_key(|place| place.start);
        at.dedup();
        if !may_change(path) {
            let declares = *path == named.declared.path;
            let does = if declares { "declared" } else { "used" };
            return Err(format!(
                "`{old}` is {does} in `{path}`, which is not to be changed from here: it is neither \
                 open nor in a folder of the workspace, or it may only be read"
            ));
        }
    }
    no_name_is_unknown(&seeing, &places, old)?;
    Ok((seeing, places))
}

/// What stands where errors keep it from being understood may be the one meant, or the one to be.
fn no_name_is_unknown(seeing: &[Seen], places: &Places, name: &str) -> Result<(), String> {
    let mut known: HashSet<(&str, u32)> = HashSet::new();
    let mut met: BTreeMap<(&str, u32), u32> = BTreeMap::new();
    for root in seeing {
        for (number, file) in root.whole.program.files.iter().enumerate() {
            let Ok(number) = u32::try_from(number) else {
                break;
            };
            // A text that has no such name in it at all need not be gone through.
            if !file.text.contains(name) {
                continue;
            }
            let tokens = file.parse.syntax().descendants_with_tokens();
            for token in tokens.filter_map(|element| element.into_token()) {
                if token.text() != name || !must_be_known(&token) {
                    continue;
                }
                let place = span(FileId(number), token.text_range());
                let start = place.start;
                let is_among = |at: &Vec<Range<usize>>| {
                    at.binary_search_by_key(&(start as usize), |place| place.start)
                        .is_ok()
                };
                let is_renamed = places.get(&*file.path).is_some_and(is_among);
                let is_field = || {
                    let used = token.parent().and_then(ast::NameRef::cast);
                    let declared = used.and_then(|used| root.fields().declared(place.file, &used));
                    declared.is_some()
                };
                if is_renamed || root.analysis.symbols.at(place).is_some() || is_field() {
                    known.insert((&file.path, start));
                } else {
                    let line = file.position(start).line;
                    met.insert((&file.path, start), line);
                }
            }
        }
    }
    let unknown = met.iter().find(|(place, _)| !known.contains(*place));
    match unknown {
        Some(((path, _), line)) => Err(format!(
            "it is not known what `{name}` in line {line} of `{path}` stands for"
        )),
        None => Ok(()),
    }
}

/// A name, unless it is the `end` of every process, which nobody declares.
fn must_be_known(token: &SyntaxToken) -> bool {
    let around = token.parent().and_then(|name| name.parent());
    let is_end = token.text() == "end" && around.is_some_and(|of| of.kind() == SyntaxKind::AT_EXPR);
    classify(token) == TokenClass::Name && !is_end
}

/// A root before a renaming, to be compared with what it is afterwards.
struct Trial<'a> {
    root: &'a Seen,
    places: &'a Places,
    declared: &'a Location,
    new: &'a str,
}

impl Trial<'_> {
    fn changes_names_alone(&self, program: &Program, after: &Analysis) -> Result<(), String> {
        let before = &self.root.analysis;
        self.no_problem_is_new(program, after)?;
        self.names_stand_for_the_same(after)?;
        let system = |analysis: &Analysis| analysis.model.as_ref().map(|m| Arc::clone(&m.system));
        if system(before) != system(after) {
            return Err(format!("with `{}` the model would be another", self.new));
        }
        Ok(())
    }

    fn no_problem_is_new(&self, program: &Program, after: &Analysis) -> Result<(), String> {
        let about = |problem: &Problem, span| (problem.code, problem.severity, span);
        let mut before: HashMap<(Code, Severity, Option<Span>), usize> = HashMap::new();
        for problem in &self.root.analysis.problems {
            let span = problem.span.map(|span| self.moved(span));
            *before.entry(about(problem, span)).or_default() += 1;
        }
        for problem in &after.problems {
            match before.get_mut(&about(problem, problem.span)) {
                Some(left) if *left > 0 => *left -= 1,
                _ => {
                    let place = problem.span.map(|span| {
                        let file = program.file(span.file);
                        let line = file.position(span.start).line;
                        format!(" in line {line} of `{}`", file.path)
                    });
                    return Err(format!(
                        "with `{}` something new would be wrong{}: {}",
                        self.new,
                        place.unwrap_or_default(),
                        problem.message
                    ));
                }
            }
        }
        Ok(())
    }

    fn names_stand_for_the_same(&self, after: &Analysis) -> Result<(), String> {
        let before = &self.root.analysis.symbols;
        let renamed = self.root.span(self.declared);
        let mut expected: Vec<_> = before
            .iter()
            .map(|symbol| {
                let is_it = Some(symbol.span) == renamed;
                let name = if is_it { self.new } else { &symbol.name };
                (self.moved(symbol.span), symbol.kind, name)
            })
            .collect();
        let mut declared: Vec<_> = after
            .symbols
            .iter()
            .map(|symbol| (symbol.span, symbol.kind, &*symbol.name))
            .collect();
        expected.sort_unstable();
        declared.sort_unstable();
        let mut expected_uses: Vec<_> = before
            .uses()
            .map(|(used, symbol)| (self.moved(used), self.moved(symbol.span)))
            .collect();
        let uses = after.symbols.uses();
        let mut uses: Vec<_> = uses.map(|(used, symbol)| (used, symbol.span)).collect();
        expected_uses.sort_unstable();
        uses.sort_unstable();
        if expected != declared || expected_uses != uses {
            return Err(format!(
                "`{}` means something else already where one of the two is used, so that a name \
                 would come to stand for another declaration",
                self.new
            ));
        }
        Ok(())
    }

    /// Where a piece of the text stands after the renaming.
    fn moved(&self, span: Span) -> Span {
        let files = &self.root.whole.program.files;
        let path = files.get(span.file.0 as usize).map(|file| &*file.path);
        let Some(places) = path.and_then(|path| self.places.get(path)) else {
            return span;
        };
        let to = |offset: u32| {
            let before = places.partition_point(|place| place.start < offset as usize);
            let old: usize = places.first().map_or(0, ExactSizeIterator::len);
            // Behind a place that it is in the middle of it stands nowhere.
            let moved = (offset as usize + before * self.new.len()).saturating_sub(before * old);
            u32::try_from(moved).unwrap_or(u32::MAX)
        };
        Span {
            start: to(span.start),
            end: to(span.end),
            ..span
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::again::replaced;
    use super::super::fixture::{cursor, files};
    use super::*;
    use crate::database::{Contents, system};

    const MODEL: &str = "\
param N: 1..4 = 2
type Id = 0..N-1
enum Colour { red, green }
type Box = record { f: bool, colour: Colour }
var box: Box = {f: true, colour: red}
channel c: queue[1] of Id
def twice(v in 0..4): v + v
macro put(w in Id) { other = w }
var turn: Id
var other: Id
action go(Id)
process p(i in Id) {
    var j: Id
    loop { either { stop } or { on go(i) when turn == i do j = i, put(j) } }
    here: send c(i)
    receive c(?j) do box = {f: false, colour: box.colour}
}
invariant low: turn <= other + N and (forall k in Id: p(k)@{here, end} implies p(k).j < twice(N))
invariant boxed: box.f or box.colour == red
fair process q { loop { on go(*) } }
fair served(n in Id): {go(n), p(n), p(n)@here, q}
";
    const TESTER: &str = "\
use \"m.stb\"
tester never { initial state s { on go(0) -> t } state t { on go(0) -> t } }
invariant more: turn == turn
";

    /// The files after the renaming of what stands at the `$0` of the last one, which is not asked
    /// about but for that; all of them are roots.
    fn renamed(marked: &[(&str, &str)], new: &str) -> Result<Vec<String>, String> {
        let mut texts = marked.to_vec();
        let at = texts.iter().position(|(_, text)| text.contains("$0"));
        let (path, text) = texts[at.expect("a cursor")];
        let (text, offset) = cursor(text);
        texts[at.expect("a cursor")].1 = &text;
        let (mut db, _) = files(&texts);
        let roots: Vec<SourceFile> = texts.iter().map(|(path, _)| db.file(path)).collect();
        let edits = rename(&db, &roots, db.file(path), offset, new, &|_| true)?;
        let after = texts.iter().map(|(path, text)| {
            let edits = edits.get(*path).map_or(&[][..], Vec::as_slice);
            replaced(text, edits)
        });
        let after: Vec<String> = after.collect();
        let systems = |db: &crate::database::Database| {
            let systems = roots.iter().map(|root| system(db, *root));
            systems.collect::<Vec<_>>()
        };
        let before = systems(&db);
        for ((path, _), text) in texts.iter().zip(&after) {
            db.set_contents(path, Contents::Text(text.as_str().into()));
        }
        assert_eq!(before, systems(&db), "the Systems stay equal");
        Ok(after)
    }

    #[test]
    fn a_name_of_a_model_is_renamed_in_its_testers_and_the_system_stays_equal() {
        let model = MODEL.replacen("turn", "$0turn", 1);
        let after = renamed(&[("/t.tester", TESTER), ("/m.stb", &model)], "whose").expect("edits");
        assert_eq!(
            after,
            [
                TESTER.replace("turn", "whose"),
                MODEL.replace("turn", "whose")
            ]
        );
    }

    #[test]
    fn a_name_is_renamed_from_a_tester_in_its_model() {
        let tester = TESTER.replacen("go(0)", "g$0o(0)", 1);
        let after = renamed(&[("/m.stb", MODEL), ("/t.tester", &tester)], "move").expect("edits");
        assert_eq!(
            after,
            [
                MODEL.replace("go(", "move("),
                TESTER.replace("go(", "move(")
            ]
        );
    }

    #[test]
    fn a_parameter_is_renamed_in_its_where() {
        let text = "process p(i in 0..2, j$0 in 0..2 where i < j) { skip }\n\
                    invariant one(i in 0..1, j in 0..1 where j != i): p(0, 1)@end or i <= 1\n";
        let after = renamed(&[("/m.stb", text)], "next").expect("edits");
        let expected = text.replace("j$0", "next").replacen("< j", "< next", 1);
        assert_eq!(after, [expected]);
    }

    #[test]
    fn every_name_of_a_model_can_be_renamed() {
        for (name, kind) in [
            ("N", "N:"),
            ("Id", "Id ="),
            ("f", "f: bool"),
            ("red", "red,"),
            ("Colour", "Colour {"),
            ("c", "c: queue"),
            ("twice", "twice(v"),
            ("v", "v in"),
            ("put", "put(w"),
            ("w", "w in"),
            ("here", "here:"),
            ("p", "p(i"),
            ("i", "i in"),
            ("j", "j:"),
            ("k", "k in"),
            ("low", "low:"),
            ("q", "q { loop"),
            ("served", "served(n"),
            ("n", "n in Id): {go"),
        ] {
            let marked = MODEL.replacen(kind, &format!("$0{kind}"), 1);
            let after = renamed(&[("/m.stb", &marked)], "fresh").expect(name);
            assert!(
                after[0].contains(&kind.replacen(name, "fresh", 1)),
                "{}",
                after[0]
            );
        }
    }

    #[test]
    fn every_name_of_the_examples_and_their_testers_can_be_renamed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
        let mut texts = Vec::new();
        for entry in std::fs::read_dir(folder).expect("the examples") {
            let path = entry.expect("an example").path();
            // Those with testers have names in several files.
            if !path.with_extension("tester").exists() {
                continue;
            }
            let name = path.file_name().and_then(|name| name.to_str());
            let text = std::fs::read_to_string(&path).expect("a text");
            texts.push((format!("/{}", name.expect("a name")), text));
        }
        let texts: Vec<(&str, &str)> = texts
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        let (db, _) = files(&texts);
        let roots: Vec<SourceFile> = texts.iter().map(|(path, _)| db.file(path)).collect();
        for (root, (path, text)) in roots.iter().zip(&texts) {
            let analysis = crate::database::analyzed(&db, *root).expect("an analysis");
            let own = analysis
                .symbols
                .iter()
                .filter(|one| one.span.file == FileId(0));
            for symbol in own {
                let at = symbol.span.start as usize;
                let found = rename(&db, &roots, *root, at, "some_new_name", &|_| true);
                let edits = found.unwrap_or_else(|why| panic!("{} of {path}: {why}", symbol.name));
                let mut edited = edits[*path].iter();
                assert!(edited.all(|(place, _)| text[place.clone()] == *symbol.name));
            }
        }
    }

    fn refused(marked: &str, new: &str) -> String {
        renamed(&[("/m.stb", marked)], new).expect_err("a refusal")
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let model = MODEL.replacen("turn", "$0turn", 1);
        assert!(refused(&model, "while").contains("reserved word"));
        for new in ["", "1st", "a b", "a-b", "ä", "a//"] {
            assert!(refused(&model, new).contains("is not a name"), "{new}");
        }
        assert!(refused(&MODEL.replacen("go", "$0go", 1), "tau").contains("`tau`"));
    }

    #[test]
    fn a_name_that_is_taken_is_refused() {
        let model = MODEL.replacen("turn", "$0turn", 1);
        assert!(refused(&model, "other").contains("something new would be wrong"));
    }

    #[test]
    fn a_name_that_would_capture_another_is_refused() {
        // `k` inside of `forall k` would mean the bound one.
        let model = "var x: 0..3\nprocess p { x = 1 }\ninvariant i: forall k in 0..1: $0x >= k\n";
        refused(model, "k");
        // What the process calls `x` would be the local one's.
        let model = "var x: 0..3\nprocess p { var $0y: 0..3 y = x x = y }\n";
        refused(model, "x");
    }

    #[test]
    fn where_errors_keep_a_use_from_being_understood_nothing_is_renamed() {
        let model = "var $0x: 0..3\nprocess p { x = 1 }\nvar y: 0..3 = q(x\nprocess q { r(x) }\n";
        assert!(refused(model, "z").contains("it is not known what `x`"));
        // An error elsewhere is in nobody's way.
        let model = "var $0x: 0..3\nprocess p { x = 1 }\ninvariant i: x == unknown\n";
        let after = renamed(&[("/m.stb", model)], "z").expect("edits");
        assert_eq!(after[0].matches('z').count(), 3);
    }

    #[test]
    fn what_must_not_be_changed_is_not() {
        let model = MODEL.replacen("turn", "$0turn", 1);
        let (text, at) = cursor(&model);
        let (db, file) = files(&[("/m.stb", &text)]);
        let found = rename(&db, &[file], file, at, "whose", &|_| false);
        assert!(found.expect_err("a refusal").contains("not to be changed"));
        assert!(prepare(&db, &[file], file, at, &|_| false).is_err());
        let may = prepare(&db, &[file], file, at, &|_| true).expect("a name");
        assert_eq!(may.map(|name| &text[name]), Some("turn"));
        assert_eq!(prepare(&db, &[file], file, 0, &|_| true), Ok(None));
    }
}
