//! What a client can do: it is told and asked nothing that it has not said it can take.

use tower_lsp::lsp_types::{
    ClientCapabilities, GotoCapability, MarkupKind, SymbolKind, SymbolKindCapability,
};

/// What a client has said of itself. By default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Client {
    // Of its own accord.
    /// It shows how far a search is.
    pub shows_progress: bool,
    /// It opens documents that it is asked to.
    pub shows_documents: bool,
    /// It tells of files that change on the disk, if it is asked to.
    pub watches_files: bool,
    /// It answers where it is asked for its settings.
    pub has_settings: bool,
    /// It tells when they change, if it is asked to.
    pub tells_settings: bool,
    /// It asks again for the lenses when it is told to.
    pub refreshes_lenses: bool,
    /// It asks what is wrong with a text, and again when it is told to.
    pub pulls_diagnostics: bool,
    /// It asks again for the hints between the words when it is told to.
    pub refreshes_hints: bool,

    // With the answers to its requests.
    /// It takes edits that are of a version of a text.
    pub takes_versioned_edits: bool,
    /// It asks what would be renamed before it asks for the new name.
    pub prepares_renames: bool,
    /// It takes actions that are no commands.
    pub takes_actions: bool,
    /// Markdown in hovers.
    pub hovers_in_markdown: bool,
    /// Snippets.
    pub snippets: bool,
    /// Markdown beside what is offered.
    pub offers_in_markdown: bool,
    /// Markdown beside a signature.
    pub signatures_in_markdown: bool,
    /// Of a parameter, where it stands in its signature, instead of its text.
    pub label_offsets: bool,
    /// Symbols within symbols.
    pub nested_symbols: bool,
    /// The kinds of symbols that the protocol did not have at first.
    pub newer_symbol_kinds: bool,
    pub newer_workspace_symbol_kinds: bool,
    /// Beside a definition's name what is around it, and what led there.
    pub definition_links: bool,
    pub type_definition_links: bool,
    pub implementation_links: bool,
    /// Folds of whole lines alone.
    pub folds_whole_lines: bool,
    /// No more folds of a file than this, if it says so.
    pub most_folds: Option<usize>,
}

impl Client {
    pub fn of(all: &ClientCapabilities) -> Client {
        let window = all.window.as_ref();
        let documents = window.and_then(|window| window.show_document.as_ref());
        let workspace = all.workspace.as_ref();
        let watching = workspace.and_then(|workspace| workspace.did_change_watched_files);
        let settings = workspace.and_then(|workspace| workspace.did_change_configuration);
        let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
        let hints = workspace.and_then(|workspace| workspace.inlay_hint.as_ref());
        let pulls = workspace.and_then(|workspace| workspace.diagnostic.as_ref());
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let wide = workspace.and_then(|workspace| workspace.symbol.as_ref());
        let texts = all.text_document.as_ref();
        let rename = texts.and_then(|texts| texts.rename.as_ref());
        let actions = texts.and_then(|texts| texts.code_action.as_ref());
        let literals = actions.and_then(|actions| actions.code_action_literal_support.as_ref());
        let hover = texts.and_then(|texts| texts.hover.as_ref());
        let completion = texts.and_then(|texts| texts.completion.as_ref());
        let item = completion.and_then(|completion| completion.completion_item.as_ref());
        let help = texts.and_then(|texts| texts.signature_help.as_ref());
        let signature = help.and_then(|help| help.signature_information.as_ref());
        let parameter = signature.and_then(|signature| signature.parameter_information.as_ref());
        let symbols = texts.and_then(|texts| texts.document_symbol.as_ref());
        let folds = texts.and_then(|texts| texts.folding_range.as_ref());
        let is = |said: Option<bool>| said == Some(true);
        let markdown = |kinds: Option<&Vec<MarkupKind>>| {
            kinds.is_some_and(|kinds| kinds.contains(&MarkupKind::Markdown))
        };
        let links = |of: Option<&GotoCapability>| is(of.and_then(|one| one.link_support));
        Client {
            shows_progress: is(window.and_then(|window| window.work_done_progress)),
            shows_documents: documents.is_some_and(|documents| documents.support),
            watches_files: is(watching.and_then(|watching| watching.dynamic_registration)),
            has_settings: is(workspace.and_then(|workspace| workspace.configuration)),
            tells_settings: is(settings.and_then(|settings| settings.dynamic_registration)),
            refreshes_lenses: is(lenses.and_then(|lenses| lenses.refresh_support)),
            refreshes_hints: is(hints.and_then(|hints| hints.refresh_support)),
            pulls_diagnostics: texts.is_some_and(|texts| texts.diagnostic.is_some())
                && is(pulls.and_then(|pulls| pulls.refresh_support)),
            takes_versioned_edits: is(edits.and_then(|edits| edits.document_changes)),
            prepares_renames: is(rename.and_then(|rename| rename.prepare_support)),
            takes_actions: literals.is_some(),
            hovers_in_markdown: markdown(hover.and_then(|hover| hover.content_format.as_ref())),
            snippets: is(item.and_then(|item| item.snippet_support)),
            offers_in_markdown: markdown(item.and_then(|item| item.documentation_format.as_ref())),
            signatures_in_markdown: markdown(
                signature.and_then(|signature| signature.documentation_format.as_ref()),
            ),
            label_offsets: is(parameter.and_then(|parameter| parameter.label_offset_support)),
            nested_symbols: is(
                symbols.and_then(|symbols| symbols.hierarchical_document_symbol_support)
            ),
            newer_symbol_kinds: newer(symbols.and_then(|symbols| symbols.symbol_kind.as_ref())),
            newer_workspace_symbol_kinds: newer(wide.and_then(|wide| wide.symbol_kind.as_ref())),
            definition_links: links(texts.and_then(|texts| texts.definition.as_ref())),
            type_definition_links: links(texts.and_then(|texts| texts.type_definition.as_ref())),
            implementation_links: links(texts.and_then(|texts| texts.implementation.as_ref())),
            folds_whole_lines: is(folds.and_then(|folds| folds.line_folding_only)),
            most_folds: folds
                .and_then(|folds| folds.range_limit)
                .map(|most| most as usize),
        }
    }
}

/// Whether these are more kinds than those of the first version of the protocol, which a client has that
/// names none.
fn newer(kinds: Option<&SymbolKindCapability>) -> bool {
    let kinds = kinds.and_then(|kinds| kinds.value_set.as_deref());
    let kinds = kinds.unwrap_or_default();
    let wanted = [
        SymbolKind::KEY,
        SymbolKind::ENUM_MEMBER,
        SymbolKind::STRUCT,
        SymbolKind::EVENT,
    ];
    wanted.iter().all(|kind| kinds.contains(kind))
}
