//! Variables, shared and local, and their initial values.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, AstNode};

use super::infos::{LocalVariable, VariableInfo};
use crate::elaborate::Elaborator;
use crate::names::declarations::{DeclarationId, DeclarationKind};
use crate::names::symbols::{Symbol, SymbolKind};
use crate::problem::{Code, Words};
use crate::types::Declared;
use stubborn_system::source::{FileId, Span};
use stubborn_system::source_map::VariableSource;
use stubborn_system::system::{Value, Variable};

impl Elaborator<'_> {
    /// A shared variable; `None` while its own type is being worked out.
    pub(crate) fn variable_info(&mut self, id: DeclarationId) -> Option<Rc<VariableInfo>> {
        if let Some(known) = self.resolutions.variables.get(&id) {
            return Some(known.clone());
        }
        if self.is_open(id) {
            return None;
        }
        let declaration = self.declaration(id).clone();
        let DeclarationKind::Variable(ast, index) = &declaration.kind else {
            return None;
        };
        let (declared, initial) = self.working_out(id, |this| {
            this.variable(ast, &format!("`{}`", declaration.name))
        })?;
        let text = self.type_text(&declared);
        self.symbols.set_type(declaration.span, text);
        let info = Rc::new(VariableInfo {
            index: *index,
            declared,
            initial,
        });
        self.resolutions.variables.insert(id, info.clone());
        Some(info)
    }

    /// Type and initial value.
    fn variable(&mut self, ast: &ast::VarDecl, what: &str) -> (Declared, Value) {
        let declared = match ast.ty() {
            Some(ty) => self.declared(&ty),
            None => Declared::unknown(),
        };
        let initial = ast
            .value()
            .and_then(|value| self.constant_in(&value, &declared, what))
            .map_or_else(|| declared.system.least(), |constant| constant.value);
        (declared, initial)
    }

    /// The variables of one `var` line of a process, and the names that are declared twice, in this
    /// line or among `before`: they are told and left out, and what uses them is no other mistake.
    pub fn local_variables(
        &mut self,
        ast: &ast::VarDecl,
        before: &mut FxHashMap<String, Span>,
    ) -> (Vec<LocalVariable>, Vec<(String, Span)>) {
        let mut variables = Vec::new();
        let mut twice = Vec::new();
        for name in ast.names() {
            let text = name.text();
            let span = self.span(&name);
            if text.is_empty() {
                continue;
            }
            let (declared, initial) = self.variable(ast, &format!("`{text}`"));
            let ty = self.type_text(&declared);
            let symbol = Symbol::new(text.as_str(), SymbolKind::LocalVariable, span);
            (self.symbols).declare(symbol.with_type(ty).documented(ast.docs()));
            self.check_declarable(&text, span);
            if let Some(first) = before.get(&text) {
                let message = format!(
                    "`{text}` is declared twice in this process; another name would mend it"
                );
                self.duplicate(span, *first, message);
                // Which of the two is meant nobody knows.
                let first = *first;
                self.mark_read(first);
                twice.push((text, span));
                continue;
            }
            before.insert(text.clone(), span);
            variables.push(LocalVariable {
                name: text,
                span,
                declared,
                initial,
            });
        }
        (variables, twice)
    }

    /// A hint where a process's variable has the name of a shared one.
    pub(crate) fn hint_if_hidden(&mut self, file: FileId, local: &LocalVariable) {
        let LocalVariable { name, span, .. } = local;
        let Some(shared) = self.declared_name(file, name) else {
            return;
        };
        let shared = self.declaration(shared);
        if !matches!(shared.kind, DeclarationKind::Variable(..)) {
            return;
        }
        let words = Words::from(format!(
            "`{name}` hides the shared variable of the same name, which cannot be reached here; \
             another name would keep the two apart"
        ));
        let words = words.see(shared.span, "the shared variable is here");
        self.hint(Code::HidesShared, *span, words);
    }

    /// All shared variables in the order of their indices, with their names and places.
    pub fn shared_variables(&mut self) -> (Vec<Variable>, Vec<VariableSource>) {
        let mut variables = Vec::new();
        let mut sources = Vec::new();
        for id in 0..self.names.declarations.len() {
            let id = DeclarationId(id as u32);
            let declaration = self.declaration(id).clone();
            let DeclarationKind::Variable(..) = declaration.kind else {
                continue;
            };
            let info = self.variable_info(id);
            let (declared, initial) = info.map_or_else(
                || (Declared::unknown(), Value::Int(0)),
                |info| (info.declared.clone(), info.initial.clone()),
            );
            variables.push(Variable {
                ty: declared.system,
                initial,
            });
            sources.push(VariableSource {
                name: declaration.name.to_string(),
                span: declaration.span,
                shape: declared.shape,
            });
        }
        (variables, sources)
    }

    /// Warnings: shared variables that nothing reads, and `param`s that nothing uses. To be asked
    /// for when everything has been elaborated; a process's own variables are asked for with
    /// [`Elaborator::warn_if_never_read`]. In a file with an error there is none, since what
    /// reads it may be in the part that could not be read, or have no meaning.
    pub fn warn_of_unused(&mut self) {
        for declaration in self.names.declarations.clone() {
            match declaration.kind {
                // In a tester file the mistake is that it stands there.
                _ if self.program.file(declaration.span.file).is_tester() => {}
                DeclarationKind::Variable(..) => {
                    self.owned_by(declaration.item, |this| {
                        this.warn_if_never_read(&declaration.name, declaration.span);
                    });
                }
                DeclarationKind::Param(_) => {
                    let never_used = !self.is_read(declaration.span);
                    if never_used && self.is_wholly_read(declaration.span) {
                        let message = format!(
                            "the parameter `{}` is never used; setting it changes nothing",
                            declaration.name
                        );
                        self.warning(Code::UnusedParameter, declaration.span, message);
                    }
                }
                _ => {}
            }
        }
    }

    /// A warning for a variable that nothing reads.
    pub fn warn_if_never_read(&mut self, name: &str, span: Span) {
        if !self.is_read(span) && self.is_wholly_read(span) {
            let message = format!("the variable `{name}` is never read; it could be left out");
            self.warning(Code::NeverRead, span, message);
        }
    }

    /// Whether there is no mistake so far that may hide who uses what is declared there.
    pub(crate) fn is_wholly_read(&self, declared: Span) -> bool {
        if self.reports.anything_too_large() || !self.reports.is_without_errors() {
            // What reads it may be in what was given up, or be what is wrong.
            return false;
        }
        let files = self.program.files.iter().enumerate();
        files
            .filter(|(id, _)| {
                let user = stubborn_system::source::FileId(*id as u32);
                self.program.visible_from(user).contains(&declared.file)
            })
            .all(|(_, file)| file.parse.errors.is_empty())
    }
}
