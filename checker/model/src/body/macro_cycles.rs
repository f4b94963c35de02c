//! Macros that call each other in a cycle.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, AstNode, HasName};

use crate::elaborate::{Elaborator, span_of};
use crate::names::ItemId;
use crate::problem::Code;
use stubborn_system::source::Span;

/// A macro with what it calls.
struct Caller {
    name: String,
    span: Span,
    item: ItemId,
    /// Where what it calls is declared, in the order of the text.
    calls: Vec<Span>,
}

/// Cycles of macros, each told at its member that stands first in the text.
pub(crate) fn check_cycles(elaborator: &mut Elaborator) {
    let macros = callers(elaborator);
    let mut numbers: FxHashMap<Span, usize> = FxHashMap::default();
    for (number, caller) in macros.iter().enumerate() {
        numbers.entry(caller.span).or_insert(number);
    }
    let calls: Vec<Vec<usize>> = macros
        .iter()
        .map(|caller| {
            let targets = caller.calls.iter();
            targets
                .filter_map(|target| numbers.get(target).copied())
                .collect()
        })
        .collect();
    // A cycle stays within one strong component.
    let component = components(&calls);
    let mut told = vec![false; macros.len()];
    for start in 0..macros.len() {
        if told[start] || elaborator.interrupt.is_due() {
            continue;
        }
        let Some(members) = cycle(&calls, &component, start) else {
            continue;
        };
        // Another cycle may go through a member: only cycles of new members are told.
        if members.iter().any(|member| told[*member]) {
            continue;
        }
        for member in &members {
            told[*member] = true;
        }
        let name = |index: usize| &macros[index].name;
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
        let Caller { span, item, .. } = macros[start];
        elaborator.owned_by(item, |this| this.error(Code::Cycle, span, message));
    }
}

/// All macros, those of processes too.
fn callers(elaborator: &Elaborator) -> Vec<Caller> {
    let mut macros = Vec::new();
    for item in elaborator.items() {
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
            let called = body.syntax().descendants().filter_map(ast::MacroCall::cast);
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
/// call each other.
fn cycle(calls: &[Vec<usize>], component: &[usize], start: usize) -> Option<Vec<usize>> {
    // Who calls what was met.
    let mut from: FxHashMap<usize, usize> = FxHashMap::default();
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        for &to in &calls[at] {
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
            if component[to] == component[start] && !from.contains_key(&to) {
                from.insert(to, at);
                open.push(to);
            }
        }
    }
    None
}

/// The number of each node's strong component (Tarjan 1972, without recursion).
fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut component = vec![NONE; edges.len()];
    let mut index = vec![NONE; edges.len()];
    let mut low = vec![NONE; edges.len()];
    let mut stack = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    let (mut indices, mut components) = (0, 0);
    for root in 0..edges.len() {
        if index[root] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if *next == 0 {
                index[node] = indices;
                low[node] = indices;
                indices += 1;
                stack.push(node);
            }
            if let Some(&to) = edges[node].get(*next) {
                *next += 1;
                if index[to] == NONE {
                    path.push((to, 0));
                } else if component[to] == NONE {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            path.pop();
            if let Some((caller, _)) = path.last() {
                low[*caller] = low[*caller].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}
