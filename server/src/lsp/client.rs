//! What a client can do: it is told and asked nothing that it has not said it can take.

use tower_lsp::lsp_types::{ClientCapabilities, MarkupKind, SymbolKind, SymbolKindCapability};

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

/// A part of the capabilities of a client, `None` where it does not mention it.
macro_rules! said {
    ($all:ident.$($part:ident).+) => {
        Some($all)$(.and_then(|one| one.$part.as_ref()))+
    };
}

impl Client {
    pub fn of(all: &ClientCapabilities) -> Client {
        let is = |said: Option<&bool>| said == Some(&true);
        let markdown = |kinds: Option<&Vec<MarkupKind>>| {
            kinds.is_some_and(|kinds| kinds.contains(&MarkupKind::Markdown))
        };
        let (texts, workspace, window) = (
            &all.text_document.clone().unwrap_or_default(),
            &all.workspace.clone().unwrap_or_default(),
            &all.window.clone().unwrap_or_default(),
        );
        Client {
            shows_progress: is(said!(window.work_done_progress)),
            shows_documents: said!(window.show_document).is_some_and(|one| one.support),
            watches_files: is(said!(
                workspace.did_change_watched_files.dynamic_registration
            )),
            has_settings: is(said!(workspace.configuration)),
            tells_settings: is(said!(
                workspace.did_change_configuration.dynamic_registration
            )),
            refreshes_lenses: is(said!(workspace.code_lens.refresh_support)),
            refreshes_hints: is(said!(workspace.inlay_hint.refresh_support)),
            pulls_diagnostics: texts.diagnostic.is_some()
                && is(said!(workspace.diagnostic.refresh_support)),
            takes_versioned_edits: is(said!(workspace.workspace_edit.document_changes)),
            prepares_renames: is(said!(texts.rename.prepare_support)),
            takes_actions: said!(texts.code_action.code_action_literal_support).is_some(),
            hovers_in_markdown: markdown(said!(texts.hover.content_format)),
            snippets: is(said!(texts.completion.completion_item.snippet_support)),
            offers_in_markdown: markdown(said!(
                texts.completion.completion_item.documentation_format
            )),
            signatures_in_markdown: markdown(said!(
                texts
                    .signature_help
                    .signature_information
                    .documentation_format
            )),
            label_offsets: is(said!(
                texts
                    .signature_help
                    .signature_information
                    .parameter_information
                    .label_offset_support
            )),
            nested_symbols: is(said!(
                texts.document_symbol.hierarchical_document_symbol_support
            )),
            newer_symbol_kinds: newer(said!(texts.document_symbol.symbol_kind)),
            newer_workspace_symbol_kinds: newer(said!(workspace.symbol.symbol_kind)),
            definition_links: is(said!(texts.definition.link_support)),
            type_definition_links: is(said!(texts.type_definition.link_support)),
            implementation_links: is(said!(texts.implementation.link_support)),
            folds_whole_lines: is(said!(texts.folding_range.line_folding_only)),
            most_folds: said!(texts.folding_range.range_limit).map(|most| *most as usize),
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
