//! `textDocument/diagnostic`: what is wrong with a text. A client that asks is not told of it of the
//! server's own accord too, but only of verdicts, so that nothing is shown twice.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;
use tower_lsp::lsp_types::{
    DiagnosticOptions, DiagnosticServerCapabilities, DocumentDiagnosticParams,
    DocumentDiagnosticReport, DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    ServerCapabilities, UnchangedDocumentDiagnosticReport,
};

use crate::lsp::client::Client;
use crate::lsp::convert::path;
use crate::lsp::view::{View, id};

pub fn capability(all: &mut ServerCapabilities, client: Client) {
    // Who cannot be told to ask again would keep what is not so any more, after an edit of another file.
    if client.pulls_diagnostics {
        let options = DiagnosticOptions {
            inter_file_dependencies: true,
            workspace_diagnostics: false,
            ..DiagnosticOptions::default()
        };
        all.diagnostic_provider = Some(DiagnosticServerCapabilities::Options(options));
    }
}

/// What was last answered of each open file, or would be by what its client was told since, and of which
/// version of its text.
#[derive(Default)]
pub struct Answered {
    files: Mutex<HashMap<Arc<str>, (i32, String)>>,
}

impl Answered {
    /// Whether the client is to ask again: something else would be answered now of a text that it has not
    /// changed since; of one that it changes it asks again by itself. Of each answer it is told so once.
    pub fn catch_up(
        &self,
        now: &BTreeMap<Arc<str>, String>,
        version_now: impl Fn(&str) -> Option<i32>,
    ) -> bool {
        let mut files = self.files.lock();
        let mut is_behind = false;
        for (path, (version, id)) in files.iter_mut() {
            if version_now(path) == Some(*version)
                && let Some(now) = now.get(path).filter(|now| *now != id)
            {
                id.clone_from(now);
                is_behind = true;
            }
        }
        is_behind
    }

    fn keep(&self, view: &View, path: Arc<str>, id: &str) {
        let mut files = self.files.lock();
        files.retain(|path, _| view.open.contains_key(path));
        if let Some(version) = view.versions.get(&path) {
            files.insert(path, (*version, id.to_owned()));
        }
    }
}

pub fn answer(
    view: &View,
    asked: &DocumentDiagnosticParams,
    answered: &Answered,
) -> DocumentDiagnosticReportResult {
    let path = path(&asked.text_document.uri);
    // Others are told of what is wrong with a file that is not open.
    let items = match view.open.contains_key(&path) {
        true => view.of_text(&path),
        false => Vec::new(),
    };
    let id = id(&items);
    answered.keep(view, path, &id);
    let report = if asked.previous_result_id.as_ref() == Some(&id) {
        let unchanged_document_diagnostic_report =
            UnchangedDocumentDiagnosticReport { result_id: id };
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report,
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(id),
                items,
            },
        })
    };
    report.into()
}
