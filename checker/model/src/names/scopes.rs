//! Which names are in scope where, as a plain value that outlives elaboration: what an editor
//! offers at a place, where there may not be a name yet. Completion will be the first to ask.
//!
//! It is made from the symbols that elaboration has found and the trees that they stand in.

use std::ops::RangeInclusive;

use rustc_hash::FxHashSet;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, TextRange};
use stubborn_system::source::{FileId, Span};

use super::symbols::{Symbol, SymbolKind, Symbols};
use crate::program::Program;

/// The names of a program, each with where it can be used by itself. The fields of records and the
/// variables of other processes, which stand behind a `.`, are not among them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Scopes {
    /// In the order in which elaboration has met them.
    names: Vec<(Symbol, Extent)>,
    /// The files that a file sees, itself among them, by its [`FileId`].
    sees: Vec<FxHashSet<FileId>>,
}

/// Where a name can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Extent {
    /// In the file that declares it and in those that use this one.
    Files,
    /// In a piece of the file that declares it; its end, where a name may just be written, too.
    Within(RangeInclusive<u32>),
}

/// What may have the same name without hiding each other (`language.md` §3).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    General,
    Properties,
    States,
}

impl Scopes {
    pub fn new(program: &Program, symbols: &Symbols) -> Scopes {
        let names = symbols.iter().filter_map(|symbol| {
            let extent = extent(program, symbol)?;
            Some((symbol.clone(), extent))
        });
        let files = 0..program.files.len() as u32;
        Scopes {
            names: names.collect(),
            sees: files
                .map(|file| program.visible_from(FileId(file)))
                .collect(),
        }
    }

    /// The names that mean something by themselves at `offset` of a file, with what they are, the
    /// innermost first. What is hidden there is left out.
    pub fn at(&self, file: FileId, offset: u32) -> Vec<&Symbol> {
        let Some(sees) = self.sees.get(file.0 as usize) else {
            return Vec::new();
        };
        // The smaller the piece of the text, the further inside.
        let mut here: Vec<(u32, &Symbol)> = self
            .names
            .iter()
            .filter_map(|(symbol, extent)| match extent {
                Extent::Files => sees
                    .contains(&symbol.span.file)
                    .then_some((u32::MAX, symbol)),
                Extent::Within(piece) => (symbol.span.file == file && piece.contains(&offset))
                    .then(|| (piece.end() - piece.start(), symbol)),
            })
            .collect();
        here.sort_by_key(|(length, _)| *length);
        let mut taken = FxHashSet::default();
        here.retain(|(_, symbol)| {
            let name = (space(symbol.kind), &*symbol.name);
            taken.insert(name)
        });
        here.into_iter().map(|(_, symbol)| symbol).collect()
    }
}

fn space(kind: SymbolKind) -> Space {
    match kind {
        SymbolKind::Property | SymbolKind::Assumption | SymbolKind::Tester => Space::Properties,
        SymbolKind::State | SymbolKind::Label => Space::States,
        _ => Space::General,
    }
}

/// `None` of what can be used nowhere by itself, or no longer stands in the text.
fn extent(program: &Program, symbol: &Symbol) -> Option<Extent> {
    match symbol.kind {
        SymbolKind::Field => None,
        SymbolKind::Parameter | SymbolKind::Bound => {
            let binding = declaring(program, symbol.span)?;
            let binder = binding.ancestors().skip(1).find(|node| {
                !matches!(node.kind(), SyntaxKind::PARAM_LIST | SyntaxKind::FOR_CLAUSE)
            })?;
            let end = binder.text_range().end();
            Some(Extent::Within(
                binding.text_range().end().into()..=end.into(),
            ))
        }
        _ => {
            let declaring = declaring(program, symbol.span)?;
            let around = declaring.ancestors().skip(1).find(has_names_of_its_own);
            Some(match around {
                Some(around) => {
                    let piece = around.text_range();
                    Extent::Within(piece.start().into()..=piece.end().into())
                }
                None => Extent::Files,
            })
        }
    }
}

/// What has variables, states, labels or macros that nobody else sees.
fn has_names_of_its_own(node: &SyntaxNode) -> bool {
    matches!(
        node.kind(),
        SyntaxKind::PROCESS_DECL
            | SyntaxKind::MACRO_DECL
            | SyntaxKind::SPECIFICATION_DECL
            | SyntaxKind::TESTER_DECL
            | SyntaxKind::BUCHI_DECL
            | SyntaxKind::TESTING_DECL
    )
}

/// The node that declares the name that stands there.
fn declaring(program: &Program, name: Span) -> Option<SyntaxNode> {
    let file = program.files.get(name.file.0 as usize)?;
    let root = file.parse.syntax();
    let range = TextRange::new(name.start.into(), name.end.into());
    if !root.text_range().contains_range(range) {
        return None;
    }
    // It goes down by halves; to look for an offset would go through all children of the root.
    let element = root.covering_element(range);
    let name = element.ancestors().find_map(ast::Name::cast)?;
    name.syntax().parent()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elaborate::Settings;
    use crate::tests::{program, program_of};

    /// "kind name: type" of what is in scope at the `$0` of a file.
    fn scope(files: &[(&str, &str)]) -> Vec<String> {
        let (path, marked) = files.last().expect("a file");
        let offset = marked.find("$0").expect("a cursor") as u32;
        let text = marked.replacen("$0", "", 1);
        let mut files = files.to_vec();
        *files.last_mut().expect("a file") = (path, &text);
        let program = program_of(&files);
        let symbols = crate::analyze(&program, &Settings::default()).symbols;
        let scopes = Scopes::new(&program, &symbols);
        let shown = scopes.at(FileId(0), offset).into_iter().map(|symbol| {
            let Symbol { kind, name, ty, .. } = symbol;
            match &**ty {
                "" => format!("{kind:?} {name}"),
                ty => format!("{kind:?} {name}: {ty}"),
            }
        });
        shown.collect()
    }

    #[test]
    fn in_a_process_there_are_its_own_names_and_those_of_the_file() {
        let text = "\
param N: 1..3 = 2
var x: bool
process p(i in 0..N) {
    var j: 0..3
    initial state s { $0when x do j = i -> t }
    final state t
}
process q { var k: bool loop { k = not k } }
invariant one: x or not x
";
        assert_eq!(
            scope(&[("m.stb", text)]),
            [
                "Parameter i: 0..2",
                "LocalVariable j: 0..3",
                "State s",
                "State t",
                "Param N: 1..3",
                "Variable x: bool",
                "Process p",
                "Process q",
                "Property one",
            ]
        );
    }

    #[test]
    fn what_is_bound_inside_hides_what_is_outside_and_ends_with_its_expression() {
        let inside = "var x: bool\ninvariant i: (forall x in 0..3: $0x >= 0) and x == x\n";
        let outside = inside.replacen("$0", "", 1).replacen("and x", "and $0x", 1);
        let shown = |text: &str| scope(&[("m.stb", text)]);
        assert_eq!(shown(inside), ["Bound x: 0..3", "Property i"]);
        assert_eq!(shown(&outside), ["Variable x: bool", "Property i"]);
    }

    #[test]
    fn a_value_of_for_is_known_in_its_step_alone() {
        let text = "\
var x: 0..3
process p {
    initial state s {
        for k in 0..3 when x == 0 do x = $0k -> s
        when x > 0 do x = 0 -> s
    }
}
";
        let shown = |text: &str| scope(&[("m.stb", text)]);
        assert!(shown(text).contains(&"Bound k: 0..3".to_owned()));
        let other = text
            .replacen("$0", "", 1)
            .replacen("x = 0 ->", "x = $00 ->", 1);
        assert!(!shown(&other).iter().any(|one| one.contains(" k")));
    }

    #[test]
    fn a_parameter_is_known_in_its_definition_alone() {
        let text = "var x: 0..3\ndef low(k in 0..3): $0k < 2\ninvariant i: low(x)\n";
        let shown = |text: &str| scope(&[("m.stb", text)]);
        assert_eq!(shown(text)[0], "Parameter k: 0..3");
        let other = text.replacen("$0", "", 1).replacen("low(x)", "low($0x)", 1);
        assert!(!shown(&other).iter().any(|one| one.contains(" k")));
    }

    #[test]
    fn a_file_sees_what_it_uses_and_not_what_uses_it() {
        let model = ("m.stb", "var x: bool\nprocess p { x = not x }\n");
        let tester = ("t.tester", "use \"m.stb\"\ninvariant low: $0x\n");
        let shown = scope(&[model, tester]);
        assert_eq!(shown, ["Variable x: bool", "Process p", "Property low"]);

        let program = program_of(&[model, ("t.tester", "use \"m.stb\"\ninvariant low: x\n")]);
        let symbols = crate::analyze(&program, &Settings::default()).symbols;
        let of_model = Scopes::new(&program, &symbols);
        let names: Vec<&str> = of_model
            .at(FileId(1), 0)
            .iter()
            .map(|one| &*one.name)
            .collect();
        assert_eq!(names, ["x", "p"]);
    }

    #[test]
    fn a_place_outside_the_text_has_the_names_of_the_file() {
        let program = program("var x: bool\n");
        let symbols = crate::analyze(&program, &Settings::default()).symbols;
        let scopes = Scopes::new(&program, &symbols);
        assert_eq!(scopes.at(FileId(0), 99).len(), 1);
        assert_eq!(scopes.at(FileId(7), 0), Vec::<&Symbol>::new());
    }
}
