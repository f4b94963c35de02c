//! Macros that call each other in a cycle.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, AstNode, HasName};

use crate::elaborate::Elaborator;
use crate::names::ItemId;
use crate::problem::Code;
use crate::spans::span_of;
use stubborn_system::components::Components;
use stubborn_system::source::Span;

/// A macro with what it calls.
struct Caller {
    name: String,
    span: Span,
    item: ItemId,
    /// Where what it calls is declared, in the order of the text.
    calls: Vec<Span>,
}

/// Cycles of macros, each told at its member that stands first in the text: of those that share
/// members or lead into each other, which are one strong component, one.
pub(crate) fn check_cycles(elaborator: &mut Elaborator) {
    let macros = callers(elaborator);
    let mut numbers: FxHashMap<Span, u32> = FxHashMap::default();
    for (number, caller) in macros.iter().enumerate() {
        numbers.entry(caller.span).or_insert(number as u32);
    }
    let calls: Vec<Vec<u32>> = macros
        .iter()
        .map(|caller| {
            let targets = caller.calls.iter();
            targets
                .filter_map(|target| numbers.get(target).copied())
                .collect()
        })
        .collect();
    let components = Components::of(&calls);
    let mut told = FxHashSet::default();
    for start in 0..macros.len() as u32 {
        if elaborator.interrupt.is_due() {
            return;
        }
        let is_new = components.is_on_cycle(start) && told.insert(components.component(start));
        if !is_new {
            continue;
        }
        let Some(members) = cycle(elaborator, &calls, &components, start) else {
            continue;
        };
        let name = |index: u32| &macros[index as usize].name;
        let message = if members.len() == 1 {
            format!(
                "`{}` calls itself; macros are expanded without recursion",
                name(start)
            )
        } else {
            let path: Vec<String> = members
                .iter()
                .chain([&start])
                .map(|member| format!("`{}`", name(*member)))
                .collect();
            format!(
                "these macros call each other in a cycle: {}; macros are expanded without \
                 recursion",
                path.join(" calls ")
            )
        };
        let Caller { span, item, .. } = macros[start as usize];
        elaborator.owned_by(item, |this| this.error(Code::Cycle, span, message));
    }
}

/// All macros, those of processes too.
fn callers(elaborator: &Elaborator) -> Vec<Caller> {
    let mut macros = Vec::new();
    for item in elaborator.items().iter() {
        let own: Vec<ast::MacroDecl> = match &item.ast {
            ast::Item::Macro(declaration) => vec![declaration.clone()],
            ast::Item::Process(process) => process
                .body()
                .map(|body| body.macros().collect())
                .unwrap_or_default(),
            _ => continue,
        };
        // The first of each name.
        let mut spans: FxHashMap<String, Span> = FxHashMap::default();
        if let ast::Item::Process(_) = item.ast {
            for name in own.iter().filter_map(HasName::name) {
                let span = span_of(item.file, &name);
                spans.entry(name.text()).or_insert(span);
            }
        }
        for declaration in own {
            let (Some(name), Some(body)) = (declaration.name(), declaration.body()) else {
                continue;
            };
            // A call that is made again leads nowhere else.
            let mut known = FxHashSet::default();
            let called = body.syntax().descendants().filter_map(ast::CallStmt::cast);
            let calls = called.filter_map(|call| {
                let called = call.name_ref()?.text();
                let own = spans.get(&called).copied();
                let target = own.or_else(|| {
                    let id = elaborator.declared_name(item.file, &called)?;
                    Some(elaborator.declaration(id).span)
                })?;
                known.insert(target).then_some(target)
            });
            let calls = calls.collect();
            macros.push(Caller {
                name: name.text(),
                span: span_of(item.file, &name),
                item: item.id,
                calls,
            });
        }
    }
    macros
}

/// The members of a cycle through `start`, which is the first of them, in the order in which they
/// call each other; `None` where there is none, or the analysis is to end.
fn cycle(
    elaborator: &Elaborator,
    calls: &[Vec<u32>],
    components: &Components<'_>,
    start: u32,
) -> Option<Vec<u32>> {
    // Who calls what was met.
    let mut from: FxHashMap<u32, u32> = FxHashMap::default();
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        if elaborator.interrupt.is_due() {
            return None;
        }
        for &to in &calls[at as usize] {
            if to == start {
                let mut members = vec![start];
                let mut at = at;
                while at != start {
                    members.push(at);
                    at = *from.get(&at)?;
                }
                members[1..].reverse();
                return Some(members);
            }
            // A cycle stays within one strong component.
            let is_inside = components.component(to) == components.component(start);
            if is_inside && !from.contains_key(&to) {
                from.insert(to, at);
                open.push(to);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::elaborate::Settings;
    use crate::interrupt::Interrupt;
    use crate::tests::program;

    /// How often the search for cycles asks whether it is to end, with two macros that call each
    /// other and others that lead back to them.
    fn asked_for(others: usize) -> usize {
        let mut text = String::from("macro m0 { m1() }\nmacro m1 { m0() m2() }\n");
        for number in 2..others + 2 {
            let next = (number + 1) % (others + 2);
            text += &format!("macro m{number} {{ m{next}() }}\n");
        }
        let (program, settings) = (program(&text), Settings::default());
        let asked = Cell::new(0);
        let is_to_end = || {
            asked.set(asked.get() + 1);
            false
        };
        let interrupt = Interrupt::new(&is_to_end);
        let mut elaborator = Elaborator::within(&program, &settings, interrupt);
        asked.set(0);
        check_cycles(&mut elaborator);
        let (problems, _, _) = elaborator.finish();
        assert_eq!(problems.len(), 1);
        asked.get()
    }

    #[test]
    fn what_leads_back_into_a_cycle_is_not_searched_for_each_of_its_macros() {
        let asked = [100, 200, 300].map(asked_for);
        assert_eq!(asked[2] - asked[1], asked[1] - asked[0]);
        assert!(asked[0] > 100);
    }
}
