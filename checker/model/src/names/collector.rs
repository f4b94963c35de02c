//! Collects what the files declare, and looks it up.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, AstNode, HasName};

use super::declarations::{
    BUILT_IN_FUNCTIONS, BUILT_IN_PROPERTIES, Declaration, DeclarationId, DeclarationKind, Item,
    ItemId, Losses,
};
use super::symbols::{Symbol, SymbolKind};
use crate::elaborate::Elaborator;
use crate::problem::{Code, Words};
use crate::spans::{span_in, span_of};
use stubborn_system::source::{FileId, Span};

impl Elaborator<'_> {
    pub(crate) fn collect(&mut self) {
        let program = self.program;
        self.names.roots = program.files.iter().map(|file| file.parse.tree()).collect();
        for problem in program.problems.clone() {
            self.reports.add(problem, None);
        }
        let mut items = Vec::new();
        for file in &program.order {
            for ast in self.root(*file).items() {
                let id = ItemId(items.len() as u32);
                items.push(Item {
                    id,
                    file: *file,
                    ast,
                });
            }
        }
        self.names.items = items.into();
        let items = self.items();
        self.symbols.reserve(items.len());
        self.names.first.reserve(items.len());
        self.names.declarations.reserve(items.len());
        for item in items.iter() {
            self.collect_item(item);
        }
        self.names.find_places();
        self.report_syntax_errors();
        self.report_surprises();
        self.check_names_of_properties();
        self.names.scopes = (0..program.files.len())
            .map(|file| self.scope(FileId(file as u32)))
            .collect();
    }

    /// A syntax error is the error of the item that it is in.
    fn report_syntax_errors(&mut self) {
        let program = self.program;
        for (file, parsed) in program.files.iter().enumerate() {
            for error in &parsed.parse.errors {
                let span = span_in(FileId(file as u32), error.range);
                let words = Words::from(error);
                match self.item_at(span) {
                    Some(item) => self.owned_by(item, |this| {
                        this.error(Code::Syntax, span, words);
                    }),
                    None => self.error(Code::Syntax, span, words),
                }
            }
        }
    }

    /// The two warnings of `language.md` §2.
    fn report_surprises(&mut self) {
        let program = self.program;
        for (file, parsed) in program.files.iter().enumerate() {
            for warning in &parsed.parse.warnings {
                let span = span_in(FileId(file as u32), warning.range);
                let before = &parsed.text[..span.start as usize];
                let line = before.rsplit('\n').next().unwrap_or_default();
                // A clause that continues a step from a line before is the first of its line.
                let code = if line.trim().is_empty() {
                    Code::ClauseContinuesStep
                } else {
                    Code::StatementsOnOneLine
                };
                let message = match &warning.hint {
                    Some(hint) => format!("{}; {hint}", warning.message),
                    None => warning.message.clone(),
                };
                self.warning(code, span, message);
            }
        }
    }

    fn collect_item(&mut self, item: &Item) {
        let kind = match &item.ast {
            ast::Item::Const(ast) => DeclarationKind::Constant(ast.clone()),
            ast::Item::Param(ast) => DeclarationKind::Param(ast.clone()),
            ast::Item::Type(ast) => DeclarationKind::Type(ast.clone()),
            ast::Item::Channel(ast) => DeclarationKind::Channel(ast.clone()),
            ast::Item::Action(ast) => {
                self.names.actions += 1;
                DeclarationKind::Action(ast.clone(), self.names.actions - 1)
            }
            ast::Item::Def(ast) => DeclarationKind::Definition(ast.clone()),
            ast::Item::Macro(ast) => DeclarationKind::Macro(ast.clone()),
            ast::Item::Process(ast) => DeclarationKind::Process(ast.clone()),
            ast::Item::Enum(ast) => {
                let Some(name) = ast.name() else { return };
                let kind = DeclarationKind::Enumeration(ast.clone());
                let id = self.declare(item, &name, kind, ast);
                for (value, variant) in ast.variants().enumerate() {
                    let Some(name) = variant.name() else { continue };
                    let kind = DeclarationKind::EnumerationValue(id, value as i64);
                    self.declare(item, &name, kind, &variant);
                }
                return;
            }
            ast::Item::Var(ast) => {
                for name in ast.names() {
                    let index = self.names.variables;
                    self.names.variables += 1;
                    let kind = DeclarationKind::Variable(ast.clone(), index);
                    self.declare(item, &name, kind, ast);
                }
                return;
            }
            _ => return,
        };
        if let Some(name) = item.ast.name() {
            self.declare(item, &name, kind, &item.ast);
        }
    }

    fn declare(
        &mut self,
        item: &Item,
        name: &ast::Name,
        kind: DeclarationKind,
        documented: &impl AstNode,
    ) -> DeclarationId {
        let id = DeclarationId(self.names.declarations.len() as u32);
        let span = span_of(item.file, name);
        let text: Arc<str> = name.text().into();
        let documentation = self.documentation(item.file, documented);
        self.symbols.declare(
            Symbol::new(Arc::clone(&text), kind.symbol().0, span).documented(documentation),
        );
        let is_action = matches!(kind, DeclarationKind::Action(..));
        self.names.declarations.push(Rc::new(Declaration {
            name: Arc::clone(&text),
            span,
            item: item.id,
            kind,
        }));
        self.owned_by(item.id, |this| {
            this.check_declarable(&text, span);
            if is_action && *text == *"tau" {
                let message = "no action may be called `tau`, which stands for a tester's own moves; another name would mend it";
                this.error(Code::ReservedName, span, message);
            }
            this.check_duplicate(id, text);
        });
        id
    }

    /// The `///` lines before a node.
    fn documentation(&self, file: FileId, node: &impl AstNode) -> Option<Arc<str>> {
        let text = &self.program.file(file).text;
        let start = usize::from(node.range().start());
        let may_have = may_be_documented(text.get(..start).unwrap_or_default());
        debug_assert!(may_have || node.docs().is_none(), "it has `///` lines");
        may_have.then(|| node.docs())?.map(Arc::from)
    }

    /// A message if the name is that of a built-in function.
    pub fn check_declarable(&mut self, name: &str, span: Span) {
        if BUILT_IN_FUNCTIONS.contains(&name) {
            let message = format!(
                "`{name}` is a built-in function and cannot be declared; another name would mend it"
            );
            self.error(Code::ReservedName, span, message);
        }
    }

    /// Duplicates are told at the later one, over all files.
    fn check_duplicate(&mut self, id: DeclarationId, name: Arc<str>) {
        if name.is_empty() {
            return;
        }
        let first = self.names.first.entry(name).or_insert(id);
        if *first != id {
            let later = self.names.declarations[id.0 as usize].clone();
            let earlier = self.names.declarations[first.0 as usize].clone();
            let message = format!(
                "`{}` is declared twice: it is already {}; another name would mend it",
                later.name,
                earlier.kind.described()
            );
            self.duplicate(later.span, earlier.span, message);
            // It is not known which of the two is meant.
            self.reports.blame(earlier.item);
        }
    }

    /// The second space of names: properties, assumptions and testers.
    fn check_names_of_properties(&mut self) {
        let mut first: FxHashMap<Arc<str>, (&str, Span)> = FxHashMap::default();
        let mut processes: FxHashMap<Arc<str>, Span> = FxHashMap::default();
        for declaration in &self.names.declarations {
            if let DeclarationKind::Process(_) = declaration.kind {
                let name = Arc::clone(&declaration.name);
                processes.entry(name).or_insert(declaration.span);
            }
        }
        let items = self.items();
        for item in items.iter().filter(|item| item.is_property_or_setting()) {
            let Some(name) = item.ast.name() else {
                continue;
            };
            let span = span_of(item.file, &name);
            let text: Arc<str> = name.text().into();
            if text.is_empty() {
                continue;
            }
            let is_tester = matches!(
                item.ast,
                ast::Item::Tester(_)
                    | ast::Item::Buchi(_)
                    | ast::Item::Testing(_)
                    | ast::Item::Specification(_)
            );
            let documentation = self.documentation(item.file, &item.ast);
            let kind = match item.ast {
                _ if is_tester => SymbolKind::Tester,
                ast::Item::Fair(_) | ast::Item::Bound(_) => SymbolKind::Assumption,
                _ => SymbolKind::Property,
            };
            let symbol = Symbol::new(Arc::clone(&text), kind, span);
            self.symbols.declare(symbol.documented(documentation));
            let process = processes.get(&text).copied().filter(|_| is_tester);
            self.owned_by(item.id, |this| {
                if BUILT_IN_PROPERTIES.contains(&&*text) {
                    let message = format!(
                        "`{text}` is a built-in property and cannot be declared; another name \
                             would mend it"
                    );
                    this.error(Code::ReservedName, span, message);
                } else if let Some((what, first)) = first.get(&text) {
                    let message =
                        format!("there is already {what} `{text}`; another name would mend it");
                    this.duplicate(span, *first, message);
                } else if let Some(process) = process {
                    let words = Words::from(format!(
                        "`{text}` is already the name of a process; another name would mend it"
                    ));
                    let words = words.see(process, "the process is declared here");
                    this.error(Code::DuplicateName, span, words);
                }
            });
            let what = match item.ast {
                ast::Item::Fair(_) => "an assumption",
                ast::Item::Bound(_) => "a bound",
                _ => "a property",
            };
            first.entry(text).or_insert((what, span));
        }
    }

    /// Declarations that a file sees, by name; `None` if it sees all.
    fn scope(&self, file: FileId) -> Option<FxHashMap<Arc<str>, DeclarationId>> {
        let visible = self.program.visible_from(file);
        if visible.len() == self.program.files.len() {
            return None;
        }
        let mut scope = FxHashMap::default();
        for (index, declaration) in self.names.declarations.iter().enumerate() {
            if visible.contains(&declaration.span.file) && !declaration.name.is_empty() {
                scope
                    .entry(Arc::clone(&declaration.name))
                    .or_insert(DeclarationId(index as u32));
            }
        }
        Some(scope)
    }

    fn scope_of(&self, file: FileId) -> &FxHashMap<Arc<str>, DeclarationId> {
        let scope = self.names.scopes[file.0 as usize].as_ref();
        scope.unwrap_or(&self.names.first)
    }

    /// Everything at the top of the files, in the order of the program's text.
    pub fn items(&self) -> Rc<[Item]> {
        Rc::clone(&self.names.items)
    }

    pub fn item(&self, id: ItemId) -> &Item {
        &self.names.items[id.0 as usize]
    }

    pub fn declaration(&self, id: DeclarationId) -> &Rc<Declaration> {
        &self.names.declarations[id.0 as usize]
    }

    /// Declaration that the file sees under this name.
    pub fn declared_name(&self, file: FileId, name: &str) -> Option<DeclarationId> {
        self.scope_of(file).get(name).copied()
    }

    /// First declaration of the program with this name, seen or not.
    pub(crate) fn first_of_name(&self, name: &str) -> Option<DeclarationId> {
        self.names.first.get(name).copied()
    }

    /// The names that the file declares or uses.
    pub(crate) fn names_in(&self, file: FileId) -> impl Iterator<Item = (&str, DeclarationId)> {
        let scope = self.scope_of(file).iter();
        scope.map(|(name, id)| (&**name, *id))
    }

    /// The item that a place of the text belongs to.
    pub fn item_at(&self, span: Span) -> Option<ItemId> {
        let places = &self.names.places;
        // Where one item ends and the next begins, what is missing belongs to the former.
        let first = places
            .partition_point(|(around, _)| (around.file, around.end) < (span.file, span.start));
        let (around, item) = places.get(first)?;
        (around.file == span.file && around.start <= span.start).then_some(*item)
    }

    /// Whether a syntax error is in the item that has this place, so that it is not known as it was
    /// meant.
    pub(crate) fn is_unread(&self, span: Option<Span>) -> bool {
        let item = span.and_then(|span| self.item_at(span));
        item.is_some_and(|item| {
            let item = self.item(item);
            let parse = &self.program.file(item.file).parse;
            parse.errors_in(item.ast.range()).next().is_some()
        })
    }

    /// Parts of the model that the errors take away (§8). Complete once all is elaborated.
    pub fn losses(&self) -> Losses {
        let touched = self.reports.touched();
        let mut losses = Losses {
            model: self.reports.faulty_outside(),
            items: FxHashSet::default(),
        };
        for item in touched {
            if self.item(item).is_property_or_setting() {
                losses.items.insert(item);
            } else if !self.item(item).is_notion() {
                losses.model = true;
            }
        }
        losses
    }
}

/// How far back the beginning of a line is looked for.
const LONGEST_LINE: usize = 256;

/// Whether `///` lines may stand directly before what comes behind this text: not where its last
/// line that is not blank has no sign of a comment. That is seen without the tree.
fn may_be_documented(before: &str) -> bool {
    // A byte order mark is a blank wherever it stands.
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{FEFF}';
    let before = before.trim_end_matches(is_blank).as_bytes();
    let near = &before[before.len().saturating_sub(LONGEST_LINE)..];
    let line = match near.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => &near[end..],
        // A comment may begin further ahead.
        None if near.len() < before.len() => return true,
        None => near,
    };
    let is_sign = |pair: &[u8]| pair == b"//" || pair == b"*/";
    line.windows(2).any(is_sign)
}
