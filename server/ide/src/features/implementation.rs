//! Where what is declared happens: of an action every step that takes part in it, and every alphabet
//! that has it; of a channel where something is sent to it or received; of a process, or a tester,
//! where its instances are spoken of; of a macro where it is used.

use std::collections::HashSet;

use stubborn_model::names::symbols::SymbolKind;
use stubborn_system::source::FileId;

use super::participants::{declaration, participations};
use super::references::seeing;
use super::{Lead, Location, Target};
use crate::database::{Db, SourceFile, analyzed, whole};

/// Where what is declared under the name at `offset` happens: the places of the declaration's own
/// program first, then those of the programs of `roots` that use it.
pub fn implementation(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
) -> Option<Lead> {
    let (own, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let at = u32::try_from(offset).ok()?;
    let (from, symbol) = analysis.symbols.at_offset(FileId(0), at)?;
    let declared = declaration(&own.program, symbol.span)?;
    let home = db.file(&declared.name.path);
    let to = match symbol.kind {
        SymbolKind::Action | SymbolKind::Channel | SymbolKind::Macro => {
            let all = participations(db, roots, home).into_iter();
            all.filter(|one| one.what == declared)
                .map(|one| one.place)
                .collect()
        }
        SymbolKind::Process | SymbolKind::Tester => uses(db, roots, home, &declared.name),
        _ => return None,
    };
    Some(Lead {
        from: from.start as usize..from.end as usize,
        to,
    })
}

/// Where a name is used in its own program and in those of `roots`.
fn uses(db: &dyn Db, roots: &[SourceFile], home: SourceFile, name: &Location) -> Vec<Target> {
    let seeing = seeing(db, roots, home, &name.path);
    let mut known = HashSet::new();
    // A use in a file is found again in every program that the file is part of.
    let uses = seeing.iter().flat_map(|root| root.uses(name));
    let uses = uses.filter(|place| known.insert(place.clone()));
    let targets = uses.map(|name| Target {
        whole: name.bytes.clone(),
        name,
    });
    targets.collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, file, files};
    use super::*;
    use crate::database::Contents;

    const MODEL: &str = "\
action go(0..1)
action idle
channel c: queue[1] of bool
macro both { on go(1) }
process p(i in 0..1) {
    alphabet idle
    on go(0) do { }
    both
    send c(true)
}
process q { receive c(*); on go(*) }
invariant i: p(0)@end or not p(1)@end
";
    const TESTER: &str = "\
use \"m.stb\"
tester t { visible idle  initial state s { on go(0) -> s } }
ltl f: always (p(0)@end or true)
";

    /// "file:line" of where the first `what` of the file leads, asked of the model or of its tester.
    fn leads(of: &str, what: &str) -> Vec<String> {
        let (db, tester) = files(&[("/m.stb", MODEL), ("/t.tester", TESTER)]);
        let (file, text) = match of {
            "/m.stb" => (db.file("/m.stb"), MODEL),
            _ => (tester, TESTER),
        };
        let at = text.find(what).expect("the text") + what.len();
        let lead = implementation(&db, &[tester], file, at).expect("places");
        let shown = lead.to.into_iter().map(|one| {
            let path = &one.name.path;
            let text = if **path == *"/m.stb" { MODEL } else { TESTER };
            let line = 1 + text[..one.name.bytes.start].matches('\n').count();
            format!("{path}:{line}")
        });
        shown.collect()
    }

    #[test]
    fn an_action_leads_to_all_who_take_part_in_the_testers_too() {
        let all = ["/m.stb:4", "/m.stb:7", "/m.stb:11", "/t.tester:2"];
        assert_eq!(leads("/m.stb", "action go"), all);
        assert_eq!(leads("/t.tester", "on go"), all);
        assert_eq!(leads("/m.stb", "action idle"), ["/m.stb:6", "/t.tester:2"]);
    }

    #[test]
    fn a_channel_leads_to_its_senders_and_receivers() {
        assert_eq!(leads("/m.stb", "channel c"), ["/m.stb:9", "/m.stb:11"]);
    }

    #[test]
    fn a_process_leads_to_where_its_instances_are_spoken_of() {
        let all = ["/m.stb:12", "/m.stb:12", "/t.tester:3"];
        assert_eq!(leads("/m.stb", "process p"), all);
    }

    #[test]
    fn what_takes_part_is_found_in_a_text_with_errors() {
        let (text, at) = cursor(
            "action g$0o\nprocess p(i in Nothing) { on go }\nmacro m { on go do x = }\n\
             process q { initial state s { on go when -> s on go(",
        );
        let (mut db, file) = file(&text);
        let lead = implementation(&db, &[file], file, at).expect("places");
        assert_eq!(lead.to.len(), 4);
        db.set_contents("/model.stb", Contents::Missing);
        assert_eq!(implementation(&db, &[file], file, at), None);
    }

    #[test]
    fn the_step_is_what_is_shown_of_a_place() {
        let (db, file) = files(&[("/m.stb", MODEL)]);
        let lead = implementation(&db, &[], file, 8).expect("places");
        assert_eq!(&MODEL[lead.to[1].whole.clone()], "on go(0) do { }");
    }
}
