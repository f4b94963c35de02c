//! `textDocument/prepareRename` and `textDocument/rename`: another name for what is declared, in all
//! files that see it.

use stubborn_ide::features::rename;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::lsp_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit,
};

use crate::lsp::convert::path;
use crate::lsp::view::View;

/// `RequestFailed` of the protocol: what is asked for is well formed and cannot be done.
const REQUEST_FAILED: i64 = -32803;

pub fn prepare(
    view: &View,
    asked: &TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let mut places = view.places();
    let (file, offset) = places.asked(asked);
    let may_change = |path: &str| view.may_change(path);
    let found = rename::prepare(&view.database, &view.users(), file, offset, &may_change);
    let path = path(&asked.text_document.uri);
    let named = found.map_err(refused)?;
    Ok(named.map(|bytes| PrepareRenameResponse::Range(places.range(&path, &bytes))))
}

pub fn answer(view: &View, asked: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let mut places = view.places();
    let (file, offset) = places.asked(&asked.text_document_position);
    let new = asked.new_name.as_str();
    let may_change = |path: &str| view.may_change(path);
    let found = rename::rename(
        &view.database,
        &view.users(),
        file,
        offset,
        new,
        &may_change,
    );
    let edits = found.map_err(refused)?;
    Ok(Some(places.workspace_edit(&edits, view)))
}

fn refused(why: String) -> Error {
    Error {
        code: ErrorCode::ServerError(REQUEST_FAILED),
        message: why.into(),
        data: None,
    }
}
