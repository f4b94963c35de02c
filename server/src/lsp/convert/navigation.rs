//! Protocol of what leads through the texts: names, places, pieces that are folded or selected.

use std::ops::Range;
use std::sync::Arc;

use stubborn_ide::features::Lead;
use stubborn_ide::features::call_hierarchy::{Call, Item};
use stubborn_ide::features::folding::{Fold, FoldKind};
use stubborn_ide::features::highlights::{Access, Highlight};
use stubborn_ide::features::links::Link;
use stubborn_ide::features::symbols::Declared;
use stubborn_ide::features::workspace_symbols::Found;
use stubborn_model::names::symbols::SymbolKind;
use tower_lsp::lsp_types::{
    self as lsp, DocumentHighlightKind, FoldingRangeKind, GotoDefinitionResponse,
};

use super::{Places, path};
use crate::lsp::client::Client;

impl Places<'_> {
    /// What a file declares, as the client can show it.
    pub fn symbols(
        &mut self,
        url: &lsp::Url,
        declared: &[Declared],
        client: Client,
    ) -> lsp::DocumentSymbolResponse {
        let path = path(url);
        if client.nested_symbols {
            let declared = declared.iter().map(|one| self.nested(&path, one, client));
            return lsp::DocumentSymbolResponse::Nested(declared.collect());
        }
        let mut flat = Vec::new();
        let mut open: Vec<(Option<&str>, &Declared)> =
            declared.iter().rev().map(|one| (None, one)).collect();
        while let Some((container, one)) = open.pop() {
            let container_name = container.map(str::to_owned);
            let kind = symbol_kind(one.kind, client.newer_symbol_kinds);
            flat.push(self.symbol(&path, url.clone(), one, kind, container_name));
            let inside = one.children.iter().rev();
            open.extend(inside.map(|child| (Some(one.name.as_str()), child)));
        }
        lsp::DocumentSymbolResponse::Flat(flat)
    }

    fn nested(
        &mut self,
        path: &Arc<str>,
        declared: &Declared,
        client: Client,
    ) -> lsp::DocumentSymbol {
        let children = declared.children.iter();
        let children: Vec<_> = children.map(|one| self.nested(path, one, client)).collect();
        #[allow(
            deprecated,
            reason = "the type of the protocol has the old field still"
        )]
        lsp::DocumentSymbol {
            name: declared.name.clone(),
            detail: (!declared.detail.is_empty()).then(|| declared.detail.clone()),
            kind: symbol_kind(declared.kind, client.newer_symbol_kinds),
            tags: None,
            deprecated: None,
            range: self.range(path, &declared.whole),
            selection_range: self.range(path, &declared.bytes),
            children: (!children.is_empty()).then_some(children),
        }
    }

    fn symbol(
        &mut self,
        path: &Arc<str>,
        url: lsp::Url,
        declared: &Declared,
        kind: lsp::SymbolKind,
        container_name: Option<String>,
    ) -> lsp::SymbolInformation {
        #[allow(
            deprecated,
            reason = "the type of the protocol has the old field still"
        )]
        lsp::SymbolInformation {
            name: declared.name.clone(),
            kind,
            tags: None,
            deprecated: None,
            location: lsp::Location::new(url, self.range(path, &declared.whole)),
            container_name,
        }
    }

    /// A name of any file: the place is that of the name, to which a client jumps.
    pub fn workspace_symbol(
        &mut self,
        found: Found,
        client: Client,
    ) -> Option<lsp::SymbolInformation> {
        let url = self.url(&found.path)?;
        let kind = symbol_kind(found.declared.kind, client.newer_workspace_symbol_kinds);
        let mut symbol = self.symbol(&found.path, url, &found.declared, kind, found.container);
        symbol.location.range = self.range(&found.path, &found.declared.bytes);
        Some(symbol)
    }

    /// Where something leads, with `links` as the client can show them. One place stands alone.
    pub fn lead(
        &mut self,
        asked: &lsp::Url,
        lead: &Lead,
        links: bool,
    ) -> Option<GotoDefinitionResponse> {
        if links {
            let from = self.range(&path(asked), &lead.from);
            let targets = lead.to.iter().filter_map(|target| {
                let name = self.location(&target.name)?;
                Some(lsp::LocationLink {
                    origin_selection_range: Some(from),
                    target_uri: name.uri,
                    target_range: self.range(&target.name.path, &target.whole),
                    target_selection_range: name.range,
                })
            });
            return Some(GotoDefinitionResponse::Link(targets.collect()));
        }
        let targets = lead.to.iter();
        let mut places: Vec<_> = targets.filter_map(|one| self.location(&one.name)).collect();
        Some(match places.len() {
            1 => GotoDefinitionResponse::Scalar(places.remove(0)),
            _ => GotoDefinitionResponse::Array(places),
        })
    }

    pub fn highlight(&mut self, path: &Arc<str>, found: &Highlight) -> lsp::DocumentHighlight {
        lsp::DocumentHighlight {
            range: self.range(path, &found.bytes),
            kind: Some(match found.access {
                Access::Named => DocumentHighlightKind::TEXT,
                Access::Read => DocumentHighlightKind::READ,
                Access::Written => DocumentHighlightKind::WRITE,
            }),
        }
    }

    pub fn link(&mut self, path: &Arc<str>, link: &Link) -> Option<lsp::DocumentLink> {
        Some(lsp::DocumentLink {
            range: self.range(path, &link.bytes),
            target: Some(self.url(&link.target)?),
            tooltip: None,
            data: None,
        })
    }

    /// The pieces that can be folded away, as the client can: of those that fold whole lines alone
    /// one for each first line.
    pub fn folds(
        &mut self,
        path: &Arc<str>,
        folds: &[Fold],
        client: Client,
    ) -> Vec<lsp::FoldingRange> {
        let mut all: Vec<lsp::FoldingRange> = folds
            .iter()
            .map(|fold| self.fold(path, fold, client.folds_whole_lines))
            .filter(|fold| fold.start_line < fold.end_line)
            .collect();
        if client.folds_whole_lines {
            all.sort_by_key(|fold| (fold.start_line, u32::MAX - fold.end_line));
            all.dedup_by_key(|fold| fold.start_line);
        }
        all.truncate(client.most_folds.unwrap_or(usize::MAX));
        all
    }

    fn fold(&mut self, path: &Arc<str>, fold: &Fold, whole_lines: bool) -> lsp::FoldingRange {
        let lsp::Range { start, end } = self.range(path, &fold.bytes);
        let stays = whole_lines && fold.is_closed;
        lsp::FoldingRange {
            start_line: start.line,
            start_character: (!whole_lines).then_some(start.character),
            end_line: end.line.saturating_sub(u32::from(stays)),
            end_character: (!whole_lines).then_some(end.character),
            kind: match fold.kind {
                FoldKind::Code => None,
                FoldKind::Comment => Some(FoldingRangeKind::Comment),
                FoldKind::Uses => Some(FoldingRangeKind::Imports),
            },
            collapsed_text: None,
        }
    }

    /// The pieces around a place, the smallest first.
    pub fn selection(&mut self, path: &Arc<str>, pieces: &[Range<usize>]) -> lsp::SelectionRange {
        let mut around: Option<lsp::SelectionRange> = None;
        for piece in pieces.iter().rev() {
            around = Some(lsp::SelectionRange {
                range: self.range(path, piece),
                parent: around.map(Box::new),
            });
        }
        around.unwrap_or_default()
    }

    pub fn hierarchy_item(&mut self, item: &Item) -> Option<lsp::CallHierarchyItem> {
        let declared = &item.declared;
        Some(lsp::CallHierarchyItem {
            name: declared.name.clone(),
            kind: symbol_kind(declared.kind, true),
            tags: None,
            detail: (!declared.detail.is_empty()).then(|| declared.detail.clone()),
            uri: self.url(&item.path)?,
            range: self.range(&item.path, &declared.whole),
            selection_range: self.range(&item.path, &declared.bytes),
            data: None,
        })
    }

    /// The item at the other end of a call, and the places of it, which are those of `caller`.
    pub fn call(
        &mut self,
        call: &Call,
        caller: &Arc<str>,
    ) -> Option<(lsp::CallHierarchyItem, Vec<lsp::Range>)> {
        let item = self.hierarchy_item(&call.item)?;
        let places = call.places.iter().map(|place| self.range(caller, place));
        Some((item, places.collect()))
    }
}

/// `newer` are the kinds that the protocol did not have at first.
fn symbol_kind(kind: SymbolKind, newer: bool) -> lsp::SymbolKind {
    let (new, old) = match kind {
        SymbolKind::Constant | SymbolKind::Param => return lsp::SymbolKind::CONSTANT,
        SymbolKind::Enumeration => return lsp::SymbolKind::ENUM,
        SymbolKind::Field => return lsp::SymbolKind::FIELD,
        SymbolKind::Variable
        | SymbolKind::LocalVariable
        | SymbolKind::Parameter
        | SymbolKind::Bound
        | SymbolKind::Observed => return lsp::SymbolKind::VARIABLE,
        SymbolKind::Channel => return lsp::SymbolKind::INTERFACE,
        SymbolKind::Definition | SymbolKind::Macro => return lsp::SymbolKind::FUNCTION,
        SymbolKind::Process | SymbolKind::Tester => return lsp::SymbolKind::CLASS,
        SymbolKind::Property | SymbolKind::Assumption => return lsp::SymbolKind::PROPERTY,
        SymbolKind::Type => (lsp::SymbolKind::STRUCT, lsp::SymbolKind::CLASS),
        SymbolKind::EnumerationValue => (lsp::SymbolKind::ENUM_MEMBER, lsp::SymbolKind::CONSTANT),
        SymbolKind::Action => (lsp::SymbolKind::EVENT, lsp::SymbolKind::METHOD),
        SymbolKind::State | SymbolKind::Label => (lsp::SymbolKind::KEY, lsp::SymbolKind::FIELD),
    };
    if newer { new } else { old }
}
