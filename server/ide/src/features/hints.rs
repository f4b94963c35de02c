//! What a text says without writing it, shown between its words: the values of constants that are
//! worked out, the ranges of types whose ends are, the number of a process's instances; and the values
//! that a variable has in any run, where they are fewer than its type has.

use std::collections::HashMap;
use std::ops::Range;

use stubborn_engine::coverage::Coverage;
use stubborn_model::Analysis;
use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_report::Ranges;
use stubborn_syntax::ast::{self, AstNode, Expr, HasName, TypeExpr};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::{FileId, Span};

use super::tree::span;
use crate::database::{Db, SourceFile, analyzed, coverage_of_root, parsed};

/// A value that is longer is shown by the hover alone.
const LONGEST: usize = 40;

/// What is shown between the words of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// The values of constants.
    pub values: bool,
    /// The ranges of types.
    pub ranges: bool,
    /// How many instances a process has.
    pub instances: bool,
    /// Which values a variable has, where they are fewer than its type has.
    pub seen: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Behind what it is shown.
    pub at: usize,
    pub text: String,
    pub kind: HintKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    Value,
    Range,
    Instances,
    Seen,
}

/// The hints in a piece of a file, in its order.
pub fn hints(db: &dyn Db, file: SourceFile, piece: &Range<usize>, wanted: Hints) -> Vec<Hint> {
    if wanted == Hints::default() {
        return Vec::new();
    }
    let (Some(parsed), Some(analysis)) = (parsed(db, file), analyzed(db, file)) else {
        return Vec::new();
    };
    let coverage = wanted.seen.then(|| coverage_of_root(db, file)).flatten();
    let known = Known::new(&analysis, coverage.as_deref());
    let mut hints = Vec::new();
    for item in parsed.parse.tree().items() {
        let range = item.range();
        if usize::from(range.end()) < piece.start || piece.end < usize::from(range.start()) {
            continue;
        }
        if wanted.values {
            hints.extend(known.value(&item));
        }
        if wanted.ranges {
            for node in item.syntax().descendants() {
                hints.extend(known.range(&node));
            }
        }
        if wanted.seen {
            for node in item.syntax().descendants() {
                hints.extend(known.seen(&node));
            }
        }
        if wanted.instances {
            hints.extend(known.instances(&item));
        }
    }
    hints.retain(|hint| piece.start <= hint.at && hint.at <= piece.end);
    hints.sort_by_key(|hint| hint.at);
    hints
}

/// What is known of the names of a text.
struct Known<'a> {
    analysis: &'a Analysis,
    /// The number of each process's instances, where the text has a meaning.
    instances: Option<HashMap<Span, usize>>,
    /// What its variables had, where something was seen of them.
    seen: Option<Ranges<'a>>,
}

impl<'a> Known<'a> {
    fn new(analysis: &'a Analysis, coverage: Option<&'a Coverage>) -> Known<'a> {
        let instances = analysis.model.as_ref().map(|model| {
            let mut counts = HashMap::new();
            for instance in &model.source_map.instances {
                *counts.entry(instance.span).or_default() += 1;
            }
            counts
        });
        Known {
            analysis,
            instances,
            seen: coverage.and_then(|coverage| Ranges::new(analysis, coverage)),
        }
    }

    fn symbol(&self, name: &SyntaxNode) -> Option<&Symbol> {
        self.analysis.symbols.at(span(FileId(0), name.text_range()))
    }

    /// `const N = 2*K` has the value 6.
    fn value(&self, item: &ast::Item) -> Option<Hint> {
        let (name, value) = match item {
            ast::Item::Const(constant) => (constant.name()?, constant.value()?),
            ast::Item::Param(param) => (param.name()?, param.value()?),
            _ => return None,
        };
        let known = self.symbol(name.syntax())?.value.as_ref()?;
        let text = value.syntax().text().to_string();
        let is_written = matches!(value, Expr::Literal(_) | Expr::Array(_) | Expr::Record(_))
            || squeezed(&text) == squeezed(known);
        let is_short = known.chars().count() <= LONGEST;
        (!is_written && is_short).then(|| Hint {
            at: value.range().end().into(),
            text: format!("= {known}"),
            kind: HintKind::Value,
        })
    }

    /// `0..N-1` is 0..2, and so is a parameter's `Id`.
    fn range(&self, node: &SyntaxNode) -> Option<Hint> {
        let (name, ty) = match node.kind() {
            SyntaxKind::TYPE_DECL => {
                let declared = ast::TypeDecl::cast(node.clone())?;
                (declared.name()?, declared.ty()?)
            }
            SyntaxKind::VAR_DECL => {
                let declared = ast::VarDecl::cast(node.clone())?;
                (declared.names().next()?, declared.ty()?)
            }
            SyntaxKind::BINDING => {
                let binding = ast::Binding::cast(node.clone())?;
                (binding.name()?, binding.ty()?)
            }
            _ => return None,
        };
        let is_told = match &ty {
            TypeExpr::Range(range) => {
                let is_literal = |end: Option<Expr>| {
                    end.is_none_or(|end| match end {
                        Expr::Literal(_) => true,
                        Expr::Prefix(end) => end.negative_literal().is_some(),
                        _ => false,
                    })
                };
                !is_literal(range.low()) || !is_literal(range.high())
            }
            TypeExpr::Named(_) => is_parameter_of_instances(node),
            TypeExpr::Bool(_)
            | TypeExpr::Array(_)
            | TypeExpr::Record(_)
            | TypeExpr::Set(_)
            | TypeExpr::List(_) => false,
        };
        let known = self.symbol(name.syntax()).filter(|_| is_told)?;
        let is_range = known.ty.contains("..") && !known.ty.contains([' ', '[', '{']);
        // What a parameter decides is another range for each instance.
        (is_range && !self.depends_on_instance(ty.syntax())).then(|| Hint {
            at: ty.range().end().into(),
            text: format!("= {}", known.ty),
            kind: HintKind::Range,
        })
    }

    /// A variable has fewer values in all runs than its type has.
    fn seen(&self, node: &SyntaxNode) -> Option<Hint> {
        let ranges = self.seen.as_ref()?;
        let declared = ast::VarDecl::cast(node.clone())?;
        let mut names = declared.names();
        let (name, None) = (names.next()?, names.next()) else {
            return None;
        };
        let range = ranges.range(span(FileId(0), name.syntax().text_range()))?;
        let [part] = range.parts.as_slice() else {
            return None;
        };
        let text = part.text();
        let is_worth_it = range.is_whole && !part.is_full() && text.chars().count() <= LONGEST;
        Some(Hint {
            at: declared.ty()?.range().end().into(),
            text: format!("only {text}"),
            kind: HintKind::Seen,
        })
        .filter(|_| is_worth_it)
    }

    fn depends_on_instance(&self, ty: &SyntaxNode) -> bool {
        let mut names = ty.descendants().filter_map(ast::NameRef::cast);
        names.any(|name| {
            let symbol = self.symbol(name.syntax());
            symbol.is_none_or(|symbol| {
                matches!(symbol.kind, SymbolKind::Parameter | SymbolKind::Bound)
            })
        })
    }

    /// A process with parameters has so many instances.
    fn instances(&self, item: &ast::Item) -> Option<Hint> {
        let ast::Item::Process(process) = item else {
            return None;
        };
        let list = ast::HasParams::param_list(process)?;
        let name = span(FileId(0), process.name()?.range());
        let count = self.instances.as_ref()?.get(&name).copied();
        Some(Hint {
            at: list.range().end().into(),
            text: match count.unwrap_or_default() {
                1 => "1 instance".to_owned(),
                count => format!("{count} instances"),
            },
            kind: HintKind::Instances,
        })
    }
}

/// Whether it is a parameter of something of which there is one for each value.
fn is_parameter_of_instances(binding: &SyntaxNode) -> bool {
    let list = binding.parent();
    let list = list.filter(|list| list.kind() == SyntaxKind::PARAM_LIST);
    let declared = list.and_then(|list| list.parent());
    declared.is_some_and(|declared| {
        !matches!(
            declared.kind(),
            SyntaxKind::DEF_DECL | SyntaxKind::MACRO_DECL
        )
    })
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{checked, file};
    use super::*;

    const ALL: Hints = Hints {
        values: true,
        ranges: true,
        instances: true,
        seen: true,
    };

    /// The text with its hints in it.
    fn shown(text: &str, wanted: Hints) -> String {
        let (db, file) = file(text);
        let mut shown = text.to_owned();
        for hint in hints(&db, file, &(0..text.len()), wanted).into_iter().rev() {
            shown.insert_str(hint.at, &format!(" ⟨{}⟩", hint.text));
        }
        shown
    }

    #[test]
    fn a_constant_that_is_worked_out_shows_its_value() {
        assert_eq!(
            shown("const K = 3\nconst N = 2*K\nconst B = K > 2\n", ALL),
            "const K = 3\nconst N = 2*K ⟨= 6⟩\nconst B = K > 2 ⟨= true⟩\n"
        );
        let plain = "const A = -1\nenum E { red }\nconst R = red\nconst L = [1, 2]\n";
        assert_eq!(shown(plain, ALL), plain);
    }

    #[test]
    fn a_range_whose_ends_are_worked_out_is_shown() {
        assert_eq!(
            shown(
                "const N = 3\ntype Id = 0..N-1\nvar x: 0..N\nvar y: 0..3\nvar z: Id\n",
                ALL
            ),
            "const N = 3\ntype Id = 0..N-1 ⟨= 0..2⟩\nvar x: 0..N ⟨= 0..3⟩\nvar y: 0..3\nvar z: Id\n"
        );
    }

    #[test]
    fn a_process_shows_its_parameters_ranges_and_how_many_instances_it_has() {
        assert_eq!(
            shown(
                "type Id = 0..2\nprocess p(i in Id, j in 0..1) { skip }\nprocess q { skip }\n",
                ALL
            ),
            "type Id = 0..2\nprocess p(i in Id ⟨= 0..2⟩, j in 0..1) ⟨6 instances⟩ { skip }\nprocess q { skip }\n"
        );
    }

    #[test]
    fn a_range_that_is_another_one_in_each_instance_is_not_shown() {
        let text = "process p(i in 1..3) { var x: 0..i\n for k in 0..i on a(k) }\naction a(0..3)\n";
        let shown = shown(text, ALL);
        assert_eq!(shown.matches('⟨').count(), 1, "{shown}");
    }

    #[test]
    fn what_is_not_wanted_is_not_shown() {
        let text = "const N = 1+1\ntype T = 0..N\nprocess p(i in T) { skip }\n";
        assert_eq!(shown(text, Hints::default()), text);
        let values = Hints {
            values: true,
            ..Hints::default()
        };
        assert_eq!(shown(text, values).matches('⟨').count(), 1);
    }

    #[test]
    fn a_text_with_mistakes_shows_what_is_known() {
        assert_eq!(
            shown("const N = 1+1\nprocess p(i in 0..1) { x = }\n", ALL),
            "const N = 1+1 ⟨= 2⟩\nprocess p(i in 0..1) { x = }\n"
        );
    }

    #[test]
    fn only_the_piece_that_is_asked_for_is_looked_at() {
        let (db, file) = file("const A = 1+1\nconst B = 1+1\n");
        assert_eq!(hints(&db, file, &(14..20), ALL), []);
        assert_eq!(hints(&db, file, &(14..27), ALL).len(), 1);
    }

    fn shown_checked(text: &str, wanted: Hints) -> String {
        let (db, file) = checked(text);
        let mut shown = text.to_owned();
        for hint in hints(&db, file, &(0..text.len()), wanted).into_iter().rev() {
            shown.insert_str(hint.at, &format!(" ⟨{}⟩", hint.text));
        }
        shown
    }

    #[test]
    fn a_variable_that_has_fewer_values_than_its_type_in_all_runs_shows_them() {
        let seen = Hints {
            seen: true,
            ..Hints::default()
        };
        let text = "enum E { red, green, blue }\nvar x: 0..7\nvar y, z: bool\nvar e: E = green\n\
                    process p { var n: 0..3\n n = 1; x = n + 1; if x > 1 { e = red }\n y = z }\n\
                    process q { await not y; await e == red }\n";
        let shown = shown_checked(text, seen);
        assert_eq!(
            shown,
            text.replacen("0..7", "0..7 ⟨only 0, 2⟩", 1)
                .replacen("var e: E", "var e: E ⟨only red, green⟩", 1)
                .replacen("0..3", "0..3 ⟨only 0, 1⟩", 1)
        );
        assert_eq!(shown_checked(text, Hints::default()), text);
    }

    #[test]
    fn of_many_names_the_first_and_the_last_are_shown_that_a_variable_has() {
        let seen = Hints {
            seen: true,
            ..Hints::default()
        };
        let names: Vec<String> = (0..65).map(|n| format!("c{n}")).collect();
        let text = format!(
            "enum E {{ {} }}\nvar e: E\nprocess p {{ e = c57; await e == c1 }}\ndeadlock ignored\n",
            names.join(", ")
        );
        assert_eq!(
            shown_checked(&text, seen),
            text.replacen("var e: E", "var e: E ⟨only c0..c57⟩", 1)
        );
    }
}
