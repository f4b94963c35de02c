//! `initialize`: what client and server agree on before anything else.

use stubborn_syntax::Encoding;
use tower_lsp::lsp_types::{
    ClientCapabilities, ClientInfo, GotoCapability, InitializeParams, InitializeResult, MarkupKind,
    OneOf, ServerCapabilities, ServerInfo, SymbolKind, SymbolKindCapability,
    TextDocumentClientCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

use super::capabilities;
use crate::lsp::events::{Abilities, Session, Shows, Writing};
use crate::lsp::positions;
use crate::lsp::settings::Settings;

/// How places are counted, and which notifications are wanted of texts and folders.
pub fn capability(all: &mut ServerCapabilities, encoding: Encoding) {
    all.position_encoding = Some(positions::kind(encoding));
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    all.text_document_sync = Some(TextDocumentSyncCapability::Options(sync));
    all.workspace = Some(WorkspaceServerCapabilities {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        }),
        file_operations: None,
    });
}

pub fn answer(encoding: Encoding, can: Abilities) -> InitializeResult {
    InitializeResult {
        capabilities: capabilities(encoding, can),
        server_info: Some(ServerInfo {
            name: "stubborn".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

#[allow(
    deprecated,
    reason = "older clients tell the root of the workspace in `rootUri` alone"
)]
pub fn session(asked: &InitializeParams) -> Session {
    let general = asked.capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref());
    let mut settings = Settings::default();
    let options = asked.initialization_options.as_ref();
    let problems = options.map(|options| settings.update(options));
    let folders = match &asked.workspace_folders {
        Some(folders) => folders.iter().map(|folder| folder.uri.clone()).collect(),
        None => asked.root_uri.iter().cloned().collect(),
    };
    let window = asked.capabilities.window.as_ref();
    let documents = window.and_then(|window| window.show_document.as_ref());
    let workspace = asked.capabilities.workspace.as_ref();
    let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
    let changes = workspace.and_then(|workspace| workspace.did_change_configuration);
    let hints = workspace.and_then(|workspace| workspace.inlay_hint.as_ref());
    let watching = workspace.and_then(|workspace| workspace.did_change_watched_files);
    let client = asked.client_info.as_ref();
    let name = |client: &ClientInfo| match &client.version {
        Some(version) => format!("{} {version}", client.name),
        None => client.name.clone(),
    };
    Session {
        client: client.map(name),
        encoding: positions::negotiate(offered),
        settings,
        problems: problems.unwrap_or_default(),
        has_settings: workspace.and_then(|workspace| workspace.configuration) == Some(true),
        tells_settings: changes.and_then(|changes| changes.dynamic_registration) == Some(true),
        folders,
        shows_progress: window.and_then(|window| window.work_done_progress) == Some(true),
        watches_files: watching.and_then(|watching| watching.dynamic_registration) == Some(true),
        shows_documents: documents.is_some_and(|documents| documents.support),
        refreshes_lenses: lenses.and_then(|lenses| lenses.refresh_support) == Some(true),
        can: abilities(&asked.capabilities),
        shows: shows(&asked.capabilities),
        writing: Writing {
            refreshes_hints: hints.and_then(|hints| hints.refresh_support) == Some(true),
            ..writing(asked.capabilities.text_document.as_ref())
        },
    }
}

fn abilities(capabilities: &ClientCapabilities) -> Abilities {
    let workspace = capabilities.workspace.as_ref();
    let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
    let text = capabilities.text_document.as_ref();
    let rename = text.and_then(|text| text.rename.as_ref());
    let actions = text.and_then(|text| text.code_action.as_ref());
    let literals = actions.and_then(|actions| actions.code_action_literal_support.as_ref());
    let hover = text.and_then(|text| text.hover.as_ref());
    let formats = hover.and_then(|hover| hover.content_format.as_deref());
    Abilities {
        takes_versioned_edits: edits.and_then(|edits| edits.document_changes) == Some(true),
        prepares_renames: rename.and_then(|rename| rename.prepare_support) == Some(true),
        takes_actions: literals.is_some(),
        shows_markdown: formats.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
    }
}

fn shows(client: &ClientCapabilities) -> Shows {
    let texts = client.text_document.as_ref();
    let workspace = client.workspace.as_ref();
    let wide = workspace.and_then(|workspace| workspace.symbol.as_ref());
    let symbols = texts.and_then(|texts| texts.document_symbol.as_ref());
    let nested = symbols.and_then(|one| one.hierarchical_document_symbol_support);
    let links = |of: Option<&GotoCapability>| of.and_then(|one| one.link_support) == Some(true);
    let folds = texts.and_then(|texts| texts.folding_range.as_ref());
    let most_folds = folds.and_then(|folds| folds.range_limit);
    // A client that names no kinds has those of the first version of the protocol.
    let newer = |kinds: Option<&SymbolKindCapability>| {
        let kinds = kinds.and_then(|kinds| kinds.value_set.as_deref());
        let wanted = [
            SymbolKind::KEY,
            SymbolKind::ENUM_MEMBER,
            SymbolKind::STRUCT,
            SymbolKind::EVENT,
        ];
        wanted
            .iter()
            .all(|kind| kinds.unwrap_or_default().contains(kind))
    };
    Shows {
        nested_symbols: nested == Some(true),
        newer_symbol_kinds: newer(symbols.and_then(|one| one.symbol_kind.as_ref())),
        newer_workspace_symbol_kinds: newer(wide.and_then(|one| one.symbol_kind.as_ref())),
        definition_links: links(texts.and_then(|texts| texts.definition.as_ref())),
        type_definition_links: links(texts.and_then(|texts| texts.type_definition.as_ref())),
        implementation_links: links(texts.and_then(|texts| texts.implementation.as_ref())),
        folds_whole_lines: folds.and_then(|folds| folds.line_folding_only) == Some(true),
        most_folds: most_folds.map_or(usize::MAX, |most| most as usize),
    }
}

fn writing(texts: Option<&TextDocumentClientCapabilities>) -> Writing {
    let completion = texts.and_then(|texts| texts.completion.as_ref());
    let item = completion.and_then(|completion| completion.completion_item.as_ref());
    let help = texts.and_then(|texts| texts.signature_help.as_ref());
    let signature = help.and_then(|help| help.signature_information.as_ref());
    let parameter = signature.and_then(|signature| signature.parameter_information.as_ref());
    let has_markdown = |kinds: Option<&Vec<MarkupKind>>| {
        kinds.is_some_and(|kinds| kinds.contains(&MarkupKind::Markdown))
    };
    Writing {
        snippets: item.and_then(|item| item.snippet_support) == Some(true),
        offers_in_markdown: has_markdown(item.and_then(|item| item.documentation_format.as_ref())),
        signatures_in_markdown: has_markdown(
            signature.and_then(|signature| signature.documentation_format.as_ref()),
        ),
        label_offsets: parameter.and_then(|parameter| parameter.label_offset_support) == Some(true),
        refreshes_hints: false,
    }
}
