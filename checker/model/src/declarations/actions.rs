//! Actions.

use std::rc::Rc;

use stubborn_syntax::ast;

use super::infos::ActionInfo;
use crate::elaborate::Elaborator;
use crate::names::declarations::{DeclarationId, DeclarationKind};
use crate::names::elsewhere;
use crate::names::env::Env;
use crate::problem::{Code, Words};
use crate::types::Domain;
use stubborn_system::source::{FileId, Span};
use stubborn_system::source_map::ActionSource;
use stubborn_system::system::Action;

impl Elaborator<'_> {
    /// Whether this is a tester file that uses no model.
    fn lacks_model(&self) -> bool {
        let is_tester = self.program.file(self.env.file).is_tester();
        is_tester && !self.program.uses_others(self.env.file)
    }

    /// The action of that name; `None`, with a message, where there is none.
    pub fn action(&mut self, name: &ast::NameRef) -> Option<Rc<ActionInfo>> {
        let is_action = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Action(..));
        let id = self.declared_as(name, is_action, "an action", "`action NAME` declares one")?;
        self.action_info(id)
    }

    pub(crate) fn action_info(&mut self, id: DeclarationId) -> Option<Rc<ActionInfo>> {
        if let Some(known) = self.resolutions.actions.get(&id) {
            return Some(known.clone());
        }
        let declaration = self.declaration(id).clone();
        let DeclarationKind::Action(ast, action) = &declaration.kind else {
            return None;
        };
        let arguments: Vec<Domain> = self.working_out(id, |this| {
            let types = ast.types();
            types
                .map(|ty| this.domain(&ty, "an argument of an action"))
                .collect()
        })?;
        let texts: Vec<String> = arguments
            .iter()
            .map(|domain| self.type_text(&domain.declared()))
            .collect();
        let text = if texts.is_empty() {
            String::new()
        } else {
            format!("({})", texts.join(", "))
        };
        self.symbols.set_type(declaration.span, text);
        let info = Rc::new(ActionInfo {
            id: *action,
            name: declaration.name.to_string(),
            span: declaration.span,
            arguments,
        });
        self.resolutions.actions.insert(id, info.clone());
        Some(info)
    }

    /// All actions, each at its id, with their names and places. One whose types are mistaken has no
    /// arguments here; then there is no system either.
    pub fn actions(&mut self) -> (Vec<Action>, Vec<ActionSource>) {
        let nowhere = Span::new(FileId(0), 0, 0);
        let mut all = vec![
            (
                Action {
                    arguments: Vec::new(),
                },
                ActionSource {
                    name: String::new(),
                    span: nowhere,
                    arguments: Vec::new(),
                },
            );
            self.names.actions as usize
        ];
        for info in self.action_infos() {
            all[info.id as usize] = (
                Action {
                    arguments: info.arguments.iter().map(|domain| domain.range).collect(),
                },
                ActionSource {
                    name: info.name.clone(),
                    span: info.span,
                    arguments: info.arguments.iter().map(|d| d.shape.clone()).collect(),
                },
            );
        }
        all.into_iter().unzip()
    }

    /// All actions in the order of their ids.
    pub fn action_infos(&mut self) -> Vec<Rc<ActionInfo>> {
        (0..self.names.declarations.len())
            .filter_map(|id| self.action_info(DeclarationId(id as u32)))
            .collect()
    }

    /// The declaration of a name that must be of one kind: actions, channels, macros and processes
    /// are named where no value can stand.
    pub(crate) fn declared_as(
        &mut self,
        name: &ast::NameRef,
        is_wanted: impl Fn(&DeclarationKind) -> bool,
        wanted: &str,
        mend: &str,
    ) -> Option<DeclarationId> {
        let text = name.text();
        if text.is_empty() {
            return None;
        }
        let span = self.span(name);
        if let Some((_, hiding)) = self.env.lookup(&text) {
            self.mark_read(hiding);
            self.symbols.refer(span, hiding);
            let words = Words::from(format!("{wanted} is asked for here, but `{text}` is a name of this place's own; another name for it would mend it")).see(hiding, "it is declared here");
            self.error(Code::WrongType, span, words);
            return None;
        }
        let declared = self.declared_name(self.env.file, &text);
        if let Some(id) = declared
            && is_wanted(&self.declaration(id).kind)
        {
            self.mention(span, id);
            return Some(id);
        }
        let candidates = self
            .names_in(self.env.file)
            .filter(|(_, id)| is_wanted(&self.declaration(*id).kind))
            .map(|(name, _)| name);
        let near = self.nearest(&text, candidates).map(str::to_string);
        let kind = declared.map(|id| self.declaration(id).kind.clone());
        let mend = match (&near, kind) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Some(kind)) => {
                instead(wanted, &kind, &text).unwrap_or_else(|| mend.replace("NAME", &text))
            }
            (None, None) if wanted == "a macro" && elsewhere::statement(&text).is_some() => {
                elsewhere::statement(&text).unwrap_or_default().to_string()
            }
            (None, None) if self.lacks_model() => {
                String::from("`use \"FILE\"` at the head of this file says which model it is about")
            }
            (None, None) => mend.replace("NAME", &text),
        };
        match declared {
            Some(id) => {
                let declaration = self.declaration(id).clone();
                self.mark_read(declaration.span);
                let words = Words::instead(
                    format!(
                        "{wanted} is asked for here, but `{text}` is {}; {mend}",
                        declaration.kind.described()
                    ),
                    near.as_deref(),
                )
                .see(declaration.span, "it is declared here");
                self.error(Code::WrongType, span, words);
            }
            None => {
                let message = format!("`{text}` is not known here as {wanted}; {mend}");
                let words = Words::instead(message, near.as_deref());
                self.error(Code::UnknownName, span, words);
            }
        }
        if let Some(near) = near {
            let env = Env::of_file(self.env.file);
            self.in_scope(&env, |this| this.mark_meant(&near));
        }
        None
    }
}

/// What is written with something of this kind where something else is wanted.
fn instead(wanted: &str, kind: &DeclarationKind, name: &str) -> Option<String> {
    Some(match (wanted, kind) {
        ("a macro", DeclarationKind::Action(..)) => {
            format!("a step with it is written `on {name}`")
        }
        ("a macro", DeclarationKind::Process(_)) => {
            String::from("a process is not called: all run from the start, side by side")
        }
        ("a macro", DeclarationKind::Definition(_)) => {
            format!("it has a value: `await {name}` waits until it is true")
        }
        ("a macro", DeclarationKind::Channel(_)) => {
            format!("write `send {name}(e)` or `receive {name}(?x)`")
        }
        ("a channel", DeclarationKind::Variable(variable, _))
            if matches!(variable.ty(), Some(ast::TypeExpr::Array(_))) =>
        {
            String::from("how many cells an array has is said by its type")
        }
        ("an action", DeclarationKind::Channel(_)) => {
            format!("write `send {name}(e)` or `receive {name}(?x)`")
        }
        ("a channel", DeclarationKind::Action(..)) => {
            format!("an action takes place at once, with all who have it: `on {name}`")
        }
        _ => return None,
    })
}
