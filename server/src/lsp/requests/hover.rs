//! `textDocument/hover`: what is known of the name at a place.

use serde_json::json;
use stubborn_ide::features::hover;
use stubborn_ide::features::trace::{Shown, traces_at};
use tower_lsp::lsp_types::{Hover, HoverParams, Url};

use crate::lsp::commands::SHOW_TRACE;
use crate::lsp::convert::path;
use crate::lsp::view::View;

pub fn answer(view: &View, asked: &HoverParams) -> Option<Hover> {
    let at = &asked.text_document_position_params;
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    let path = path(&at.text_document.uri);
    let before = view.before(&path);
    let users = view.users();
    let mut found = hover::hover(&view.database, &users, file, offset, &view.pending, before)?;
    if view.settings.has_panel && view.client.hovers_in_markdown {
        let traces = traces_at(&view.database, &users, file, &(offset..offset), true);
        let links = traces
            .iter()
            .filter_map(|one| Some(links(&places.url(&one.root)?, one)));
        let links: String = links.collect();
        // Before the first table of a run: behind it they would be out of sight.
        let at = found.text.find("\n\n|").unwrap_or(found.text.len());
        found.text.insert_str(at, &links);
    }
    Some(places.hover(&path, found, view.client))
}

/// A line with links that show the trace of a property in the client's panel, and those with other values of its
/// parameters.
fn links(root: &Url, shown: &Shown) -> String {
    let first = format!("Show the trace of {}", hover::escaped(&shown.property));
    let mut links = vec![link(root, &first, &shown.property)];
    let others = shown.others.iter();
    links.extend(others.map(|property| link(root, &hover::escaped(property), property)));
    if shown.left_out > 0 {
        links.push(format!("and {} more", shown.left_out));
    }
    format!("\n\n{}", links.join(" · "))
}

fn link(root: &Url, text: &str, property: &str) -> String {
    let arguments = json!([root, property]).to_string();
    let arguments = arguments.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    });
    let arguments: String = arguments.collect();
    format!("[{text}](command:{SHOW_TRACE}?{arguments})")
}
