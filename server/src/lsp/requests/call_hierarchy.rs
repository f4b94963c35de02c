//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and
//! `callHierarchy/outgoingCalls`: who has to do with whom.

use stubborn_ide::database::SourceFile;
use stubborn_ide::features::call_hierarchy;
use tower_lsp::lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    TextDocumentIdentifier, TextDocumentPositionParams,
};

use crate::lsp::convert::{Places, path};
use crate::lsp::view::View;

pub fn prepare(view: &View, asked: &CallHierarchyPrepareParams) -> Option<Vec<CallHierarchyItem>> {
    let mut places = view.places();
    let (file, offset) = places.asked(&asked.text_document_position_params);
    let item = call_hierarchy::prepare(&view.database, file, offset)?;
    Some(vec![places.hierarchy_item(&item)?])
}

pub fn incoming(
    view: &View,
    asked: &CallHierarchyIncomingCallsParams,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let mut places = view.places();
    let (file, offset) = asked_again(view, &mut places, &asked.item)?;
    let calls = call_hierarchy::incoming(&view.database, &view.users(), file, offset)?;
    let calls = calls.iter().filter_map(|call| {
        let (from, from_ranges) = places.call(call, &call.item.path)?;
        Some(CallHierarchyIncomingCall { from, from_ranges })
    });
    Some(calls.collect())
}

pub fn outgoing(
    view: &View,
    asked: &CallHierarchyOutgoingCallsParams,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let mut places = view.places();
    let (file, offset) = asked_again(view, &mut places, &asked.item)?;
    let calls = call_hierarchy::outgoing(&view.database, &view.users(), file, offset)?;
    let caller = path(&asked.item.uri);
    let calls = calls.iter().filter_map(|call| {
        let (to, from_ranges) = places.call(call, &caller)?;
        Some(CallHierarchyOutgoingCall { to, from_ranges })
    });
    Some(calls.collect())
}

/// The file and the byte of it at which an item's name now stands.
fn asked_again(
    view: &View,
    places: &mut Places<'_>,
    item: &CallHierarchyItem,
) -> Option<(SourceFile, usize)> {
    let (file, offset) = places.asked(&TextDocumentPositionParams {
        text_document: TextDocumentIdentifier::new(item.uri.clone()),
        position: item.selection_range.start,
    });
    let offset = call_hierarchy::again(&view.database, file, offset, &item.name)?;
    Some((file, offset))
}
