//! `on`, `send` and `receive`. A message of the System is the scalars of its parts, in their order.

use stubborn_syntax::ast;

use crate::declarations::behind;
use crate::elaborate::Elaborator;
use crate::expressions::PlaceUse;
use crate::expressions::{scalar_places, scalars_of, size};
use crate::problem::{Code, Words};
use crate::steps::alphabet::part_of;
use crate::types::{Declared, Domain, Ty};
use stubborn_system::source::Span;
use stubborn_system::source_map::Shape;
use stubborn_system::system::{Argument, Communication, Onward, Place, Type};
use stubborn_system::value::ranges;

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
                &info
                    .arguments
                    .iter()
                    .map(Domain::declared)
                    .collect::<Vec<_>>(),
                Of::Action,
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
            let Some((channel, info)) =
                elaborator.channel(&name, &receive.indices().collect::<Vec<_>>())
            else {
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
                Of::Received,
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
    let Some((channel, info)) = elaborator.channel(&name, &send.indices().collect::<Vec<_>>())
    else {
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
        Of::Sent,
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
            ast::Argument::Expr(ast::Expr::Record(record)) => {
                for field in record.fields() {
                    let value = field.value().map(ast::Argument::Expr);
                    let bound = field.bind_arg().map(ast::Argument::Bind);
                    loose_arguments(elaborator, &Vec::from_iter(value.or(bound)));
                }
            }
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

/// What arguments are of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Action,
    Sent,
    Received,
}

/// Arguments against the types that they should have, each scalar by itself. `of` says what has them. An
/// argument of `on` is a mistake in the text if it is a constant outside its type, whoever decides that.
fn arguments(
    elaborator: &mut Elaborator,
    name: &ast::NameRef,
    of: &str,
    given: &[ast::Argument],
    declared: &[Declared],
    kind: Of,
) -> Option<Vec<Argument>> {
    if given.len() != declared.len() {
        wrong_count(elaborator, elaborator.span(name), of, given, declared);
        loose_arguments(elaborator, given);
        return None;
    }
    let word = match kind {
        Of::Action => "argument",
        Of::Sent | Of::Received => "part",
    };
    let mut reading = Reading {
        elaborator,
        kind,
        bound: Vec::new(),
        arguments: Vec::new(),
    };
    for (position, (argument, declared)) in given.iter().zip(declared).enumerate() {
        let what = part_of(of, given.len(), position, word);
        reading
            .elaborator
            .tell_undeclared_argument(name, position, argument, kind == Of::Action);
        match argument {
            ast::Argument::Expr(expr) => reading.value(expr, declared, &what)?,
            ast::Argument::Wild(_) => reading.anything(declared),
            ast::Argument::Bind(bind) => reading.bind(bind, declared, &what),
        }
    }
    Some(reading.arguments)
}

/// Arguments as they are read.
struct Reading<'e, 'p> {
    elaborator: &'e mut Elaborator<'p>,
    kind: Of,
    /// The places that take values, and where they are written.
    bound: Vec<(Place, Span)>,
    arguments: Vec<Argument>,
}

impl Reading<'_, '_> {
    /// Any value.
    fn anything(&mut self, declared: &Declared) {
        let scalars = ranges(&declared.system).len();
        self.arguments
            .extend(std::iter::repeat_n(Argument::Skip, scalars));
    }

    /// A value, or a pattern.
    fn value(&mut self, expr: &ast::Expr, declared: &Declared, what: &str) -> Option<()> {
        if let (ast::Expr::Record(record), Ty::Record(fields), false) =
            (expr, &declared.ty, self.kind == Of::Sent)
        {
            return self.pattern(record, &fields.clone(), declared);
        }
        let value = match self.kind {
            Of::Action => self.elaborator.action_argument(expr, declared, what),
            Of::Sent | Of::Received => self.elaborator.checked_value(expr, declared, what),
        };
        if declared.ty.is_scalar() {
            self.arguments.push(Argument::Match(value.expr));
            return Some(());
        }
        if value.ty.is_unknown() {
            return None;
        }
        let written = (size(&value.expr) as u64).saturating_mul(declared.system.scalars());
        if !self.elaborator.spend(written, self.elaborator.span(expr)) {
            return None;
        }
        let scalars = scalars_of(value.expr, &declared.system);
        self.arguments
            .extend(scalars.into_iter().map(Argument::Match));
        Some(())
    }

    /// `{f: e, g: ?x}`: fields that are not named match anything.
    fn pattern(
        &mut self,
        record: &ast::RecordExpr,
        fields: &[(String, Ty)],
        declared: &Declared,
    ) -> Option<()> {
        let (Type::Record(types), Shape::Record(shapes)) = (&declared.system, &declared.shape)
        else {
            return None;
        };
        let mut given: Vec<Option<ast::RecordField>> = vec![None; fields.len()];
        let mut is_faulty = false;
        for field in record.fields() {
            let Some(name) = field.name_ref() else {
                is_faulty = true;
                continue;
            };
            let text = name.text();
            let position = fields.iter().position(|(field, _)| *field == text);
            match position {
                Some(position) => {
                    if let Some(first) = given[position].as_ref().and_then(|one| one.name_ref()) {
                        let (span, first) =
                            (self.elaborator.span(&name), self.elaborator.span(&first));
                        self.elaborator.given_twice(&text, span, first);
                        is_faulty = true;
                    } else {
                        given[position] = Some(field);
                    }
                }
                None => {
                    self.elaborator.no_such_field(&name, fields);
                    let value = field.value().map(ast::Argument::Expr);
                    let bound = field.bind_arg().map(ast::Argument::Bind);
                    loose_arguments(self.elaborator, &Vec::from_iter(value.or(bound)));
                    is_faulty = true;
                }
            }
        }
        for (position, field) in given.iter().enumerate() {
            let (name, ty) = &fields[position];
            let declared = Declared::new(
                ty.clone(),
                types[position].clone(),
                shapes[position].1.clone(),
                declared.known,
            );
            let what = format!("`{name}`");
            let value = field.as_ref().and_then(ast::RecordField::value);
            let bound = field.as_ref().and_then(ast::RecordField::bind_arg);
            match (value, bound) {
                (Some(value), _) => {
                    is_faulty |= self.value(&value, &declared, &what).is_none();
                }
                (None, Some(bound)) => self.bind(&bound, &declared, &what),
                (None, None) => self.anything(&declared),
            }
        }
        (!is_faulty).then_some(())
    }

    /// `?x`
    fn bind(&mut self, bind: &ast::BindArg, declared: &Declared, what: &str) {
        let place = bind.place();
        let found = place
            .as_ref()
            .and_then(|place| self.elaborator.place(place, PlaceUse::Received));
        let (Some(expr), Some((place, has))) = (place, found) else {
            return self.anything(declared);
        };
        let elaborator = &mut *self.elaborator;
        let span = elaborator.span(&expr);
        if !has.ty.fits(&declared.ty) {
            let (has, wanted) = (
                elaborator.described(&has.ty),
                elaborator.described(&declared.ty),
            );
            let quoted = elaborator.quoted(&expr);
            let message =
                format!("{quoted} is {has}, but what it is given here, {what}, is {wanted}");
            elaborator.error(Code::WrongType, span, message);
        }
        let mut is_told = false;
        let before = self.arguments.len();
        for place in scalar_places(place) {
            let first = self.bound.iter().find(|(other, _)| *other == place);
            if let (Some((_, first)), false) = (first, is_told) {
                let quoted = elaborator.quoted(&expr);
                let words = Words::from(format!(
                    "{quoted} takes two values in one step; bind one of them to another \
                     variable, or write `*`"
                ));
                let words = words.see(*first, "it takes one here");
                elaborator.error(Code::NotAssignable, span, words);
                is_told = true;
            }
            self.bound.push((place.clone(), span));
            self.arguments.push(Argument::Bind(place));
        }
        // After a mistake there are still as many arguments as there should be.
        let scalars = before + ranges(&declared.system).len();
        self.arguments.resize(scalars, Argument::Skip);
    }
}

fn wrong_count(
    elaborator: &mut Elaborator,
    name: Span,
    of: &str,
    given: &[ast::Argument],
    declared: &[Declared],
) {
    let wanted = declared.len();
    // The first that is too many, or where one is missing.
    let at = match (given.get(wanted), given.last()) {
        (Some(extra), _) => elaborator.span(extra),
        (None, Some(last)) => behind(elaborator.span(last)),
        (None, None) => behind(name),
    };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mend = if wanted == 0 {
        "leave the parentheses out"
    } else if let Some(form) = declared
        .first()
        .and_then(written_as)
        .filter(|_| wanted == 1)
    {
        form
    } else if matches!(given, [ast::Argument::Expr(ast::Expr::Record(_))]) {
        "its parts have no names and stand one by one, `(e, ?x)`"
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

/// How a value that has parts is written.
fn written_as(declared: &Declared) -> Option<&'static str> {
    match declared.ty {
        Ty::Record(_) => Some("a record is written `{f: e, g: e}`"),
        Ty::Array(_) | Ty::List(_) => Some("its cells stand in brackets, `[e, e]`"),
        Ty::Set(_) => Some("its elements stand in braces, `{e, e}`"),
        Ty::Bool | Ty::Int | Ty::Enumeration(_) | Ty::Unknown => None,
    }
}
