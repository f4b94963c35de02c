//! Who has to do with whom, as a call hierarchy.
//!
//! Processes do not call each other; they meet at actions and channels. So these are called:
//! - a process, tester or specification calls the actions that it takes part in, and the channels that
//!   it sends to;
//! - a channel calls those that receive from it, so that who follows the calls goes the way of the
//!   messages;
//! - an action calls all that take part in it, since none of them moves without the others: it has no
//!   direction, and its callers are the same;
//! - a macro calls what is in it, and is called by those that use it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use stubborn_model::names::symbols::SymbolKind;
use stubborn_system::source::FileId;

use super::Location;
use super::participants::{
    Declaration, Participation, Role, declaration, participations, takes_part,
};
use super::symbols::{Declared, declared, symbols};
use crate::database::{Db, SourceFile, analyzed, whole};

/// A process, action, channel or macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub path: Arc<str>,
    pub declared: Declared,
}

/// A caller or somebody called, and where the caller calls: places of the caller's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub item: Item,
    pub places: Vec<Range<usize>>,
}

/// What is declared under the name at `offset`, if it can call or be called.
pub fn prepare(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Item> {
    let declaration = at(db, file, offset)?;
    item(&declaration)
}

/// Where the name of an item now stands that was at `offset` when a client was told of it.
pub fn again(db: &dyn Db, file: SourceFile, offset: usize, name: &str) -> Option<usize> {
    let is_it = |one: &Declared| one.name == name;
    if prepare(db, file, offset).is_some_and(|item| is_it(&item.declared)) {
        return Some(offset);
    }
    let all = symbols(db, file);
    let inside = all.iter().flat_map(|one| &one.children);
    let mut found = all.iter().chain(inside).filter(|one| is_it(one));
    let found = found.find(|one| prepare(db, file, one.bytes.start).is_some())?;
    Some(found.bytes.start)
}

/// Who calls what is declared under the name at `offset`.
pub fn incoming(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
) -> Option<Vec<Call>> {
    calls(db, roots, file, offset, |one, asked| {
        let calls = &one.what == asked && one.role != Role::Receives;
        if calls {
            return Some((one.who.clone()?, one.place.name.clone()));
        }
        let is_called = one.who.as_ref() == Some(asked) && one.role.goes_back();
        is_called.then(|| (one.what.clone(), one.seen_from(&one.what)))
    })
}

/// Whom what is declared under the name at `offset` calls.
pub fn outgoing(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
) -> Option<Vec<Call>> {
    calls(db, roots, file, offset, |one, asked| {
        if one.who.as_ref() == Some(asked) && one.role != Role::Receives {
            return Some((one.what.clone(), one.place.name.clone()));
        }
        let calls = &one.what == asked && one.role.goes_back();
        let who = one.who.clone().filter(|_| calls)?;
        Some((who, one.seen_from(asked)))
    })
}

impl Role {
    /// Whether the action or the channel calls the one who takes part.
    fn goes_back(self) -> bool {
        matches!(self, Role::Synchronises | Role::Receives)
    }
}

impl Participation {
    /// Its place in the file of a caller that takes part nowhere itself: if that is another file,
    /// the caller's name.
    fn seen_from(&self, caller: &Declaration) -> Location {
        match self.place.name.path == caller.name.path {
            true => self.place.name.clone(),
            false => caller.name.clone(),
        }
    }
}

/// Those that `called` finds of each participation, each with its places.
fn calls(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
    called: impl Fn(&Participation, &Declaration) -> Option<(Declaration, Location)>,
) -> Option<Vec<Call>> {
    let asked = at(db, file, offset)?;
    let home = db.file(&asked.name.path);
    let mut found: Vec<(Declaration, Vec<Range<usize>>)> = Vec::new();
    let mut known: HashMap<Location, usize> = HashMap::new();
    for one in participations(db, roots, home) {
        let Some((other, place)) = called(&one, &asked) else {
            continue;
        };
        let at = *known.entry(other.name.clone()).or_insert(found.len());
        if at == found.len() {
            found.push((other, Vec::new()));
        }
        // Many of one caller without a place of its own have its name, one after the other.
        let places = &mut found[at].1;
        if places.last() != Some(&place.bytes) {
            places.push(place.bytes);
        }
    }
    let calls = found.into_iter().filter_map(|(other, places)| {
        Some(Call {
            item: item(&other)?,
            places,
        })
    });
    Some(calls.collect())
}

fn at(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Declaration> {
    let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let at = u32::try_from(offset).ok()?;
    let (_, symbol) = analysis.symbols.at_offset(FileId(0), at)?;
    let declaration = declaration(&whole.program, symbol.span)?;
    let can_be_called = matches!(symbol.kind, SymbolKind::Action | SymbolKind::Channel);
    (can_be_called || takes_part(&declaration.node)).then_some(declaration)
}

fn item(declaration: &Declaration) -> Option<Item> {
    Some(Item {
        path: declaration.name.path.clone(),
        declared: declared(&declaration.node)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::files;
    use super::*;

    const MODEL: &str = "\
action go
channel c: queue[1] of bool
macro answer { send c(true) }
process sender { loop { on go; answer; on go } }
process receiver { loop { receive c(*) } }
process other { alphabet go }
";
    const TESTER: &str = "\
use \"m.stb\"
tester t { initial state s { on go -> s } }
";

    /// "who: what stands where it calls", of those that the declaration of the name calls, and of its
    /// callers.
    fn shown(name: &str) -> (Vec<String>, Vec<String>) {
        let (db, tester) = files(&[("/m.stb", MODEL), ("/t.tester", TESTER)]);
        let model = db.file("/m.stb");
        let text = |path: &str| if path == "/m.stb" { MODEL } else { TESTER };
        let (file, text_of_it) = match MODEL.contains(name) {
            true => (model, MODEL),
            false => (tester, TESTER),
        };
        let at = text_of_it.find(name).expect("the text") + name.len();
        let asked = prepare(&db, file, at).expect("an item");
        let line = |call: &Call, caller: &str| {
            let places = call.places.iter().map(|place| {
                let before = &text(caller)[..place.start];
                format!("{}", 1 + before.matches('\n').count())
            });
            let places: Vec<String> = places.collect();
            format!("{}: {}", call.item.declared.name, places.join(" "))
        };
        let outgoing = outgoing(&db, &[tester], file, at).expect("calls");
        let incoming = incoming(&db, &[tester], file, at).expect("calls");
        (
            outgoing.iter().map(|one| line(one, &asked.path)).collect(),
            incoming
                .iter()
                .map(|one| line(one, &one.item.path))
                .collect(),
        )
    }

    #[test]
    fn a_process_calls_what_it_takes_part_in() {
        let (outgoing, incoming) = shown("process sender");
        assert_eq!(outgoing, ["go: 4 4", "answer: 4"]);
        assert_eq!(incoming, ["go: 4 4"]);
    }

    #[test]
    fn an_action_calls_and_is_called_by_all_who_take_part() {
        let (outgoing, incoming) = shown("action go");
        // A tester is in another file, where the action's file has only its name.
        assert_eq!(outgoing, ["sender: 4 4", "other: 6", "t: 1"]);
        assert_eq!(incoming, ["sender: 4 4", "other: 6", "t: 2"]);
    }

    #[test]
    fn a_channel_is_called_by_who_sends_and_calls_who_receives() {
        let (outgoing, incoming) = shown("channel c");
        assert_eq!(
            (outgoing, incoming),
            (vec!["receiver: 5".to_owned()], vec!["answer: 3".to_owned()])
        );
        let (outgoing, incoming) = shown("process receiver");
        assert_eq!((outgoing, incoming), (vec![], vec!["c: 5".to_owned()]));
    }

    #[test]
    fn a_macro_is_called_by_who_uses_it() {
        let (outgoing, incoming) = shown("macro answer");
        assert_eq!(
            (outgoing, incoming),
            (vec!["c: 3".to_owned()], vec!["sender: 4".to_owned()])
        );
    }

    #[test]
    fn a_tester_takes_part_as_a_process_does() {
        let (outgoing, incoming) = shown("tester t");
        assert_eq!(outgoing, ["go: 2"]);
        assert_eq!(incoming, ["go: 1"]);
    }

    #[test]
    fn an_item_is_found_again_after_an_edit() {
        let text = "var a: bool\naction go\nprocess p { macro m { on go } m }\n";
        let (db, file) = files(&[("/m.stb", text)]);
        let at = |name: &str| text.find(name).expect("the text");
        assert_eq!(again(&db, file, at("go"), "go"), Some(at("go")));
        assert_eq!(again(&db, file, 4, "go"), Some(at("go")));
        assert_eq!(again(&db, file, at("go"), "m"), Some(at("m {")));
        assert_eq!(again(&db, file, 999, "p"), Some(at("p {")));
        assert_eq!(again(&db, file, at("go"), "gone"), None);
        assert_eq!(again(&db, file, at("a:"), "a"), None);
    }

    #[test]
    fn a_variable_calls_nobody() {
        let (db, file) = files(&[("/m.stb", "var x: bool\nprocess p { x = true }\n")]);
        assert_eq!(prepare(&db, file, 4), None);
        assert_eq!(prepare(&db, file, 0), None);
    }
}
