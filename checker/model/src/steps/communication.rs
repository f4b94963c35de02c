//! `on`, `send` and `receive`.

use stubborn_syntax::ast;

use crate::declarations::behind;
use crate::elaborate::Elaborator;
use crate::expressions::PlaceUse;
use crate::problem::{Code, Words};
use crate::steps::alphabet::part_of;
use crate::types::Domain;
use stubborn_system::source::Span;
use stubborn_system::system::{Argument, Communication, Onward, Place};

/// What the clause says, a `receive` with the `send` behind it; `None` after a mistake that leaves nothing to say.
pub(super) fn read(
    elaborator: &mut Elaborator,
    clause: &ast::Communication,
    onward: Option<&ast::SendClause>,
) -> Option<Communication> {
    match clause {
        ast::Communication::On(on) => {
            let name = on.action()?;
            if name.text() == "tau" && elaborator.env.lookup("tau").is_none() {
                let message =
                    "`tau` is a move of a tester's own; a process's own step needs no `on`";
                elaborator.error(Code::Misplaced, elaborator.span(&name), message);
                return None;
            }
            let Some(info) = elaborator.action(&name) else {
                loose_arguments(elaborator, &clause.arguments());
                return None;
            };
            let arguments = arguments(
                elaborator,
                &name,
                &format!("`{}`", name.text()),
                &clause.arguments(),
                &info.arguments,
                true,
            )?;
            Some(Communication::On {
                action: info.id,
                arguments,
            })
        }
        ast::Communication::Send(clause) => {
            let Onward { channel, values } = sent(elaborator, clause)?;
            Some(Communication::Send { channel, values })
        }
        ast::Communication::Receive(receive) => {
            let name = receive.channel()?;
            let Some((channel, info)) = elaborator.channel(&name, receive.index().as_ref()) else {
                loose_arguments(elaborator, &clause.arguments());
                onward.map(|clause| sent(elaborator, clause));
                return None;
            };
            let arguments = arguments(
                elaborator,
                &name,
                &format!("a message of `{}`", name.text()),
                &clause.arguments(),
                &info.message,
                false,
            );
            // What is wrong with either is told.
            let onward = onward.map(|clause| sent(elaborator, clause));
            Some(Communication::Receive(
                channel,
                arguments?,
                match onward {
                    None => None,
                    Some(onward) => Some(onward?),
                },
            ))
        }
    }
}

/// What a `send` says; `None` after a mistake that leaves nothing to say.
fn sent(elaborator: &mut Elaborator, send: &ast::SendClause) -> Option<Onward> {
    let given = ast::Communication::Send(send.clone()).arguments();
    let name = send.channel()?;
    let Some((channel, info)) = elaborator.channel(&name, send.index().as_ref()) else {
        loose_arguments(elaborator, &given);
        return None;
    };
    let mut told = false;
    for argument in &given {
        let (what, mend) = match argument {
            ast::Argument::Expr(_) => continue,
            ast::Argument::Bind(_) => ("`?` receives", "write the value without `?`"),
            ast::Argument::Wild(_) => ("`*` is no value", "write the value that is sent"),
        };
        told = true;
        let message = format!("{what}, and `send` has values; {mend}");
        elaborator.error(Code::Misplaced, elaborator.span(argument), message);
    }
    let arguments = arguments(
        elaborator,
        &name,
        &format!("a message of `{}`", name.text()),
        &given,
        &info.message,
        false,
    )?;
    if told {
        return None;
    }
    let values = arguments
        .into_iter()
        .filter_map(|argument| match argument {
            Argument::Match(value) => Some(value),
            _ => None,
        })
        .collect();
    Some(Onward { channel, values })
}

/// Arguments of something unknown: what they say by themselves is still checked.
fn loose_arguments(elaborator: &mut Elaborator, arguments: &[ast::Argument]) {
    for argument in arguments {
        match argument {
            ast::Argument::Expr(expr) => {
                elaborator.expr(expr, None);
            }
            ast::Argument::Bind(bind) => {
                if let Some(place) = bind.place() {
                    elaborator.place(&place, PlaceUse::Received);
                }
            }
            ast::Argument::Wild(_) => {}
        }
    }
}

/// Arguments against the types that they should have. `of` says what has them. An argument of `on`
/// is a mistake in the text if it is a constant outside its type, whoever decides that.
fn arguments(
    elaborator: &mut Elaborator,
    name: &ast::NameRef,
    of: &str,
    given: &[ast::Argument],
    domains: &[Domain],
    of_action: bool,
) -> Option<Vec<Argument>> {
    if given.len() != domains.len() {
        wrong_count(elaborator, elaborator.span(name), of, given, domains.len());
        loose_arguments(elaborator, given);
        return None;
    }
    let mut bound: Vec<(Place, Span)> = Vec::new();
    let mut arguments = Vec::new();
    for (position, (argument, domain)) in given.iter().zip(domains).enumerate() {
        let what = part_of(
            of,
            domains.len(),
            position,
            if of_action { "argument" } else { "part" },
        );
        elaborator.tell_undeclared_argument(name, position, argument, of_action);
        arguments.push(match argument {
            ast::Argument::Expr(expr) => {
                let value = if of_action {
                    elaborator.action_argument(expr, &domain.declared(), &what)
                } else {
                    elaborator.checked_value(expr, &domain.declared(), &what)
                };
                Argument::Match(value.expr)
            }
            ast::Argument::Wild(_) => Argument::Skip,
            ast::Argument::Bind(bind) => {
                let Some(expr) = bind.place() else {
                    arguments.push(Argument::Skip);
                    continue;
                };
                let Some((place, declared)) = elaborator.place(&expr, PlaceUse::Received) else {
                    arguments.push(Argument::Skip);
                    continue;
                };
                let span = elaborator.span(&expr);
                if !declared.ty.fits(&domain.ty) {
                    let (has, wanted) = (
                        elaborator.described(&declared.ty),
                        elaborator.described(&domain.ty),
                    );
                    let quoted = elaborator.quoted(&expr);
                    let message = format!(
                        "{quoted} is {has}, but what it is given here, {what}, is {wanted}"
                    );
                    elaborator.error(Code::WrongType, span, message);
                }
                if let Some((_, first)) = bound.iter().find(|(other, _)| *other == place) {
                    let quoted = elaborator.quoted(&expr);
                    let words = Words::from(format!(
                        "{quoted} takes two values in one step; bind one of them to another \
                         variable, or write `*`"
                    ));
                    let words = words.see(*first, "it takes one here");
                    elaborator.error(Code::NotAssignable, span, words);
                }
                bound.push((place.clone(), span));
                Argument::Bind(place)
            }
        });
    }
    Some(arguments)
}

fn wrong_count(
    elaborator: &mut Elaborator,
    name: Span,
    of: &str,
    given: &[ast::Argument],
    wanted: usize,
) {
    // The first that is too many, or where one is missing.
    let at = match (given.get(wanted), given.last()) {
        (Some(extra), _) => elaborator.span(extra),
        (None, Some(last)) => behind(elaborator.span(last)),
        (None, None) => behind(name),
    };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mend = if wanted == 0 {
        "leave the parentheses out"
    } else if given.len() < wanted {
        "`*` stands for any value"
    } else {
        "leave out what is too many"
    };
    let message = format!(
        "{of} has {wanted} argument{}, and {} given here; {mend}",
        plural(wanted),
        match given.len() {
            0 => String::from("none is"),
            1 => String::from("1 is"),
            n => format!("{n} are"),
        }
    );
    elaborator.error(Code::WrongArguments, at, message);
}
