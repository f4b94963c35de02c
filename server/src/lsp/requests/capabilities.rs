//! The capabilities that announce what the server answers.

use super::{code_action, execute_command, pull, semantic_tokens};
use crate::lsp::positions;
use serde_json::json;
use stubborn_syntax::Encoding;
use tower_lsp::lsp_types::{
    CodeLensOptions, CompletionOptions, DocumentLinkOptions, DocumentOnTypeFormattingOptions,
    OneOf, RenameOptions, ServerCapabilities, SignatureHelpOptions, WorkDoneProgressOptions,
};
use tower_lsp::lsp_types::{
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use crate::lsp::client::Client;

/// Capabilities of the server for a client.
pub fn capabilities(encoding: Encoding, client: Client) -> ServerCapabilities {
    let typed = |all: &[&str]| Some(all.iter().map(|one| (*one).to_owned()).collect());
    let mut all = ServerCapabilities {
        hover_provider: Some(true.into()),
        definition_provider: Some(OneOf::Left(true)),
        type_definition_provider: Some(true.into()),
        implementation_provider: Some(true.into()),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(match client.prepares_renames {
            true => OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            false => OneOf::Left(true),
        }),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        call_hierarchy_provider: Some(true.into()),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "}".to_owned(),
            more_trigger_character: typed(&["\n"]),
        }),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(false),
            trigger_characters: typed(&[".", "@", ">", "?", "\"", "/"]),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: typed(&["(", ","]),
            ..SignatureHelpOptions::default()
        }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        ..ServerCapabilities::default()
    };
    agreed(&mut all, encoding);
    semantic_tokens::capability(&mut all);
    code_action::capability(&mut all, client);
    execute_command::capability(&mut all);
    pull::capability(&mut all, client);
    all
}

/// The version of what this server says beyond the protocol, with its notifications, requests and commands
/// whose names begin with `stubborn`: it goes up where a client that knows the version before would go wrong. A
/// client finds it in `capabilities.experimental.stubborn.protocol`.
pub const PROTOCOL: u32 = 1;

/// How places are counted, and which notifications are wanted of texts and folders.
fn agreed(all: &mut ServerCapabilities, encoding: Encoding) {
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
    all.experimental = Some(json!({"stubborn": {"protocol": PROTOCOL}}));
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use stubborn_ide::features::semantic_tokens::{KINDS, MODIFIERS};

    use super::*;

    #[test]
    fn a_client_is_told_of_every_request() {
        let told =
            serde_json::to_value(capabilities(Encoding::Utf16, Client::default())).expect("JSON");
        let expected = json!({
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": true, "change": 2, "save": true},
            "hoverProvider": true,
            "definitionProvider": true,
            "typeDefinitionProvider": true,
            "implementationProvider": true,
            "referencesProvider": true,
            "renameProvider": true,
            "semanticTokensProvider": {
                "legend": {"tokenTypes": KINDS, "tokenModifiers": MODIFIERS},
                "range": true,
                "full": {"delta": true},
            },
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "callHierarchyProvider": true,
            "documentLinkProvider": {"resolveProvider": false},
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "documentOnTypeFormattingProvider": {
                "firstTriggerCharacter": "}",
                "moreTriggerCharacter": ["\n"],
            },
            "completionProvider": {
                "triggerCharacters": [".", "@", ">", "?", "\"", "/"],
                "resolveProvider": false,
            },
            "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
            "inlayHintProvider": true,
            "codeLensProvider": {"resolveProvider": false},
            "executeCommandProvider": {"commands": [
                "stubborn.checkWithoutLimit",
                "stubborn.showRun",
                "stubborn.checkValues",
                "stubborn.findSmallestViolation",
                "stubborn.stopFindingSmallestViolation",
                "stubborn.stopChecking",
            ]},
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
            "experimental": {"stubborn": {"protocol": 1}},
        });
        assert_eq!(told, expected);
    }

    #[test]
    fn a_client_that_can_do_more_is_told_of_more() {
        let client = Client {
            takes_actions: true,
            prepares_renames: true,
            pulls_diagnostics: true,
            ..Client::default()
        };
        let told = serde_json::to_value(capabilities(Encoding::Utf16, client)).expect("JSON");
        let kinds = json!(["quickfix", "source.checkWithoutLimits"]);
        assert_eq!(
            told["codeActionProvider"],
            json!({"codeActionKinds": kinds})
        );
        assert_eq!(told["renameProvider"], json!({"prepareProvider": true}));
        let pulled = json!({"interFileDependencies": true, "workspaceDiagnostics": false});
        assert_eq!(told["diagnosticProvider"], pulled);
    }
}
