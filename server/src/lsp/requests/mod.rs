//! What a client can ask for, one file a request: how it is answered, and beside it how the client
//! is told that it can ask.
//!
//! A request is answered from a [`View`](super::view::View) of one moment by a function of
//! [`features`](stubborn_ide::features); `convert` makes ours of what was asked, and protocol of what was
//! found. A new request is a file here, a line in [`capabilities`], and the method of the protocol's
//! trait in `service`.

pub mod call_hierarchy;
pub mod check;
pub mod code_action;
pub mod code_lens;
pub mod completion;
pub mod definition;
pub mod evaluate;
pub mod execute_command;
pub mod explanation;
pub mod folding;
pub mod formatting;
pub mod highlights;
pub mod hover;
pub mod implementation;
pub mod initialize;
pub mod inlay_hint;
pub mod links;
pub mod on_type_formatting;
pub mod picture;
pub mod pull;
pub mod range_formatting;
pub mod references;
pub mod rename;
pub mod selection;
pub mod semantic_tokens;
pub mod signature_help;
pub mod statistics;
pub mod symbols;
pub mod text;
pub mod trace;
pub mod trace_text;
pub mod type_definition;
pub mod workspace_symbols;

use stubborn_syntax::Encoding;
use tower_lsp::lsp_types::ServerCapabilities;

use crate::lsp::client::Client;

/// All that a client is told that it can do.
pub fn capabilities(encoding: Encoding, client: Client) -> ServerCapabilities {
    let mut all = ServerCapabilities::default();
    initialize::capability(&mut all, encoding);
    hover::capability(&mut all);
    definition::capability(&mut all);
    type_definition::capability(&mut all);
    implementation::capability(&mut all);
    references::capability(&mut all);
    rename::capability(&mut all, client);
    semantic_tokens::capability(&mut all);
    highlights::capability(&mut all);
    symbols::capability(&mut all);
    workspace_symbols::capability(&mut all);
    call_hierarchy::capability(&mut all);
    links::capability(&mut all);
    folding::capability(&mut all);
    selection::capability(&mut all);
    formatting::capability(&mut all);
    range_formatting::capability(&mut all);
    on_type_formatting::capability(&mut all);
    completion::capability(&mut all);
    signature_help::capability(&mut all);
    inlay_hint::capability(&mut all);
    code_lens::capability(&mut all);
    code_action::capability(&mut all, client);
    execute_command::capability(&mut all);
    pull::capability(&mut all, client);
    all
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
