//! Names that nothing declares, where what they were meant for is known from the place: what is received there, or the
//! value by which an action or an instance is chosen.

use stubborn_syntax::ast::{self, HasParams};

use crate::elaborate::Elaborator;
use crate::names::declarations::{BUILT_IN_FUNCTIONS, DeclarationKind};
use crate::names::elsewhere;
use crate::problem::Code;

/// What is said of such a name alone. Where it is, the other uses of the name in that declaration say nothing more.
const MARKS: [&str; 2] = ["stores into a variable", "one for each value"];

/// Whether a message of an unknown name is one of these.
pub(crate) fn says_what_is_meant(message: &str) -> bool {
    MARKS.iter().any(|mark| message.contains(mark))
}

impl Elaborator<'_> {
    /// Tells of an argument of an action (`on`) or a part of a message that is a name which nothing declares.
    pub(crate) fn tell_undeclared_argument(
        &mut self,
        of: &ast::NameRef,
        position: usize,
        argument: &ast::Argument,
        is_action: bool,
    ) {
        let (expr, is_bound) = match argument {
            ast::Argument::Expr(expr) if is_action => (Some(expr.clone()), false),
            ast::Argument::Bind(bind) => (bind.place(), true),
            _ => return,
        };
        let Some(expr) = expr else { return };
        let of = of.text();
        let Some(ty) = self.written_type(&of, position) else {
            return;
        };
        self.tell_undeclared(&expr, |name| {
            let stored = format!("`?{name}` stores into a variable");
            let each = format!("`for {name} in {ty} on {of}({name})`");
            match (is_bound, is_action) {
                (true, true) => {
                    format!("{stored}: declare `var {name}: {ty}` in the process, or write {each}")
                }
                (true, false) => format!("{stored}: declare `var {name}: {ty}` in the process"),
                _ => format!("write {each} for a step for each value; {stored} what others say"),
            }
        });
    }

    /// Tells of arguments of `p(…)` that are names which nothing declares, in a property or a definition.
    pub(crate) fn tell_undeclared_instance(
        &mut self,
        process: &ast::NameRef,
        arguments: &[ast::Expr],
    ) {
        let Some(owner) = self.owner() else { return };
        let item = self.item(owner).ast.clone();
        let word = match &item {
            ast::Item::Def(_) => "def",
            ast::Item::Invariant(_) => "invariant",
            ast::Item::Progress(_) => "progress",
            ast::Item::Reachable(_) => "reachable",
            ast::Item::Ltl(_) => "ltl",
            _ => return,
        };
        let head = item.name().map(|name| format!("{word} {}", name.text()));
        let Some(head) = head else { return };
        for (position, argument) in arguments.iter().enumerate() {
            let Some(ty) = self.written_type(&process.text(), position) else {
                continue;
            };
            self.tell_undeclared(argument, |name| {
                format!(
                    "write `{head}({name} in {ty}): …`, one for each value, or `forall {name} in {ty}: …`"
                )
            });
        }
    }

    /// Tells of a name alone that nothing declares, unless something else is likely to be meant by it.
    fn tell_undeclared(&mut self, expr: &ast::Expr, mend: impl FnOnce(&str) -> String) {
        let ast::Expr::Name(name) = expr else { return };
        let Some(name) = name.name_ref() else { return };
        let text = name.text();
        let is_known = text.is_empty()
            || self.env.lookup(&text).is_some()
            || self.first_of_name(&text).is_some()
            || BUILT_IN_FUNCTIONS.contains(&text.as_str());
        let span = self.span(&name);
        if is_known || elsewhere::value(&text).is_some() || self.is_told(Code::UnknownName, span) {
            return;
        }
        let names = self.names_in(self.env.file).map(|(name, _)| name);
        if self.nearest(&text, self.env.names().chain(names)).is_some() {
            return;
        }
        let mend = mend(&text);
        let message = format!("`{text}` is not known here; {mend}");
        self.error(Code::UnknownName, span, message);
    }

    /// The type of an action's argument, a part of a channel's message, or a process's parameter, as it is written.
    pub(crate) fn written_type(&self, of: &str, position: usize) -> Option<String> {
        let id = self.declared_name(self.env.file, of)?;
        let ty = match &self.declaration(id).kind {
            DeclarationKind::Action(action, _) => action.types().nth(position)?,
            DeclarationKind::Channel(channel) => channel.message_types().get(position)?.clone(),
            DeclarationKind::Process(process) => process.params().get(position)?.ty()?,
            _ => return None,
        };
        Some(self.quoted(&ty).trim_matches('`').to_owned())
    }
}
