//! `textDocument/codeAction`: what can be done about what is told at a place, and about the file.

use stubborn_ide::database::properties;
use stubborn_ide::features::fixes::{Fix, fixes};
use stubborn_ide::features::trace::traces_at;
use tower_lsp::lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionParams,
    CodeActionProviderCapability, Command, DiagnosticSeverity, NumberOrString, ServerCapabilities,
    Url,
};

use crate::lsp::client::Client;
use crate::lsp::commands::{CHECK_WITHOUT_LIMIT, SHOW_TRACE};
use crate::lsp::convert::{Places, path};
use crate::lsp::view::View;

const CHECK: CodeActionKind = CodeActionKind::new("source.checkWithoutLimits");

pub fn capability(all: &mut ServerCapabilities, client: Client) {
    if client.takes_actions {
        let options = CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CHECK]),
            ..CodeActionOptions::default()
        };
        all.code_action_provider = Some(CodeActionProviderCapability::Options(options));
    }
}

pub fn answer(view: &View, asked: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    if !view.client.takes_actions {
        return actions;
    }
    let is_wanted = |kind: &CodeActionKind| match &asked.context.only {
        Some(only) => only.iter().any(|only| is_of(kind, only)),
        None => true,
    };
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let file = places.file(url);
    if is_wanted(&CodeActionKind::QUICKFIX) {
        let within = places.bytes(url, asked.range);
        let may_change = |path: &str| view.may_change(path);
        let found = fixes(&view.database, &view.users(), file, &within, &may_change);
        let found = found
            .into_iter()
            .map(|fix| action(&mut places, view, asked, fix));
        actions.extend(found.map(CodeActionOrCommand::CodeAction));
        if view.settings.has_panel {
            let traces = traces_at(&view.database, &view.users(), file, &within, false);
            actions.extend(traces.into_iter().filter_map(|one| {
                let root = places.url(&one.root)?;
                let action = show_trace(asked, &root, &one.property);
                Some(CodeActionOrCommand::CodeAction(action))
            }));
        }
    }
    if is_wanted(&CHECK) && !properties(&view.database, file).is_empty() {
        let title = "Check without limits".to_owned();
        let command = Command {
            title: title.clone(),
            command: CHECK_WITHOUT_LIMIT.to_owned(),
            arguments: Some(vec![url.as_str().into()]),
        };
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CHECK),
            command: Some(command),
            ..CodeAction::default()
        }));
    }
    actions
}

fn action(places: &mut Places<'_>, view: &View, asked: &CodeActionParams, fix: Fix) -> CodeAction {
    let range = places.range(&path(&asked.text_document.uri), &fix.bytes);
    let code = NumberOrString::String(fix.code.to_owned());
    let told = asked.context.diagnostics.iter();
    let mended = told.filter(|one| one.range == range && one.code.as_ref() == Some(&code));
    let mended: Vec<_> = mended.cloned().collect();
    CodeAction {
        title: fix.title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: (!mended.is_empty()).then_some(mended),
        edit: Some(places.workspace_edit(&fix.edits, view)),
        is_preferred: fix.is_the_one.then_some(true),
        ..CodeAction::default()
    }
}

/// What shows the trace of a property. It mends nothing, and belongs to what is told of violations there.
fn show_trace(asked: &CodeActionParams, root: &Url, property: &str) -> CodeAction {
    let title = format!("Show the trace of {property}");
    let told = asked.context.diagnostics.iter();
    let of_it = told.filter(|one| {
        one.source.as_deref() == Some("stubborn") && one.severity == Some(DiagnosticSeverity::ERROR)
    });
    let of_it: Vec<_> = of_it.cloned().collect();
    CodeAction {
        title: title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: (!of_it.is_empty()).then_some(of_it),
        command: Some(Command {
            title,
            command: SHOW_TRACE.to_owned(),
            arguments: Some(vec![root.as_str().into(), property.into()]),
        }),
        ..CodeAction::default()
    }
}

/// Whether a kind is the one asked for or belongs to it: `source.organizeImports` to `source`.
fn is_of(kind: &CodeActionKind, asked: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(asked.as_str());
    asked.as_str().is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_belongs_to_those_that_it_begins_with() {
        let is_of = |asked| is_of(&CHECK, &CodeActionKind::new(asked));
        assert!(is_of("source") && is_of("source.checkWithoutLimits") && is_of(""));
        assert!(!is_of("sour") && !is_of("quickfix") && !is_of("source.checkWithoutLimits.x"));
    }
}
