//! Between the protocol's types and ours. Nothing else makes one of the other.

mod edits;
mod navigation;
mod tokens;
pub mod writing;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use stubborn_ide::database::{Database, Db, SourceFile, normalize, parsed};
use stubborn_ide::features::Location;
use stubborn_ide::features::hover::{Hover, plain};
use stubborn_ide::features::lens::{Lens, Offer};
use stubborn_ide::features::message::{Message, Severity};
use stubborn_ide::tried::Setting;
use stubborn_report::Place;
use stubborn_syntax::{Encoding, LineIndex, TextSize};
use tower_lsp::lsp_types::{
    self as lsp, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, HoverContents,
    MarkupContent, MarkupKind, NumberOrString, Position, Url,
};

use super::client::Client;
use crate::lsp::commands::{CHECK_VALUES, CHECK_WITHOUT_LIMIT, DEBUG, SMALLEST, STOP};

/// The path by which the database knows what a client calls `url`.
pub fn path(url: &Url) -> Arc<str> {
    let on_disk = (url.scheme() == "file")
        .then(|| url.to_file_path().ok())
        .flatten();
    match on_disk.as_deref().and_then(Path::to_str) {
        Some(path) => normalize(path).into(),
        None => url.as_str().into(),
    }
}

/// Name of the file with this path: the client's own if it is open.
pub fn url(path: &str, open: &HashMap<Arc<str>, Url>) -> Option<Url> {
    let made = || Url::from_file_path(path).or_else(|()| Url::parse(path).map_err(drop));
    open.get(path).cloned().or_else(|| made().ok())
}

/// The files of an answer that names each place by the number of its file.
pub struct Files<'p, 'a> {
    places: &'p mut Places<'a>,
    paths: Vec<Arc<str>>,
    /// The files, as the client calls them.
    pub urls: Vec<Url>,
}

impl<'p, 'a> Files<'p, 'a> {
    pub fn new(places: &'p mut Places<'a>) -> Files<'p, 'a> {
        Files {
            places,
            paths: Vec::new(),
            urls: Vec::new(),
        }
    }

    /// Number of the file with this path, which is added if it is new.
    pub fn number(&mut self, path: &Arc<str>) -> Option<usize> {
        let known = self.paths.iter().position(|known| known == path);
        known.or_else(|| {
            self.urls.push(self.places.url(path)?);
            self.paths.push(Arc::clone(path));
            Some(self.paths.len() - 1)
        })
    }

    pub fn range(&mut self, place: &Place) -> lsp::Range {
        self.places.range(&place.file, &Location::from(place).bytes)
    }
}

/// The texts, names and positions of one moment, as the client knows them.
pub struct Places<'a> {
    database: &'a Database,
    urls: &'a HashMap<Arc<str>, Url>,
    encoding: Encoding,
    lines: HashMap<Arc<str>, Arc<LineIndex>>,
}

impl<'a> Places<'a> {
    pub fn new(
        database: &'a Database,
        urls: &'a HashMap<Arc<str>, Url>,
        encoding: Encoding,
    ) -> Places<'a> {
        Places {
            database,
            urls,
            encoding,
            lines: HashMap::new(),
        }
    }

    /// A line over a property or a parameter. `show_run` is the command that shows a run.
    pub fn lens(
        &mut self,
        path: &Arc<str>,
        url: &Url,
        lens: Lens,
        show_run: &'static str,
    ) -> lsp::CodeLens {
        let (command, arguments) = match lens.offers {
            Some(Offer::Check) => (CHECK_WITHOUT_LIMIT, vec![]),
            Some(Offer::Run(name)) => (show_run, vec![name.into()]),
            Some(Offer::Debug(name)) => (DEBUG, vec![name.into()]),
            Some(Offer::RunWith(
                name,
                Setting {
                    parameter, value, ..
                },
            )) => (
                show_run,
                vec![name.into(), (&*parameter).into(), value.into()],
            ),
            Some(Offer::CheckWith(Setting {
                parameter, value, ..
            })) => (
                CHECK_VALUES,
                vec![(&*parameter).into(), vec![value].into(), true.into()],
            ),
            Some(Offer::Values(parameter, values)) => {
                (CHECK_VALUES, vec![(&*parameter).into(), values.into()])
            }
            Some(Offer::Smallest(parameter)) => (SMALLEST, vec![(&*parameter).into()]),
            Some(Offer::Stop(parameter)) => (STOP, vec![(&*parameter).into()]),
            None => ("", vec![]),
        };
        let url = (!command.is_empty()).then(|| url.as_str().into());
        let arguments: Vec<Value> = url.into_iter().chain(arguments).collect();
        lsp::CodeLens {
            range: self.range(path, &lens.bytes),
            command: Some(lsp::Command {
                title: lens.title,
                command: command.to_owned(),
                arguments: (!arguments.is_empty()).then_some(arguments),
            }),
            data: None,
        }
    }

    pub fn file(&self, url: &Url) -> SourceFile {
        self.database.file(&path(url))
    }

    pub fn url(&self, path: &str) -> Option<Url> {
        url(path, self.urls)
    }

    fn lines(&mut self, path: &Arc<str>) -> &LineIndex {
        self.lines.entry(Arc::clone(path)).or_insert_with(|| {
            match parsed(self.database, self.database.file(path)) {
                Some(file) => Arc::clone(&file.lines),
                None => LineIndex::new("").into(),
            }
        })
    }

    /// The file and the byte of it that a client asks about.
    pub fn asked(&mut self, at: &lsp::TextDocumentPositionParams) -> (SourceFile, usize) {
        let url = &at.text_document.uri;
        (self.file(url), self.offset(url, at.position))
    }

    fn offset(&mut self, url: &Url, position: Position) -> usize {
        let encoding = self.encoding;
        let at = stubborn_syntax::Position {
            line: position.line,
            character: position.character,
        };
        self.lines(&path(url)).offset(at, encoding).into()
    }

    /// The piece of a file that a client asks about.
    pub fn bytes(&mut self, url: &Url, range: lsp::Range) -> std::ops::Range<usize> {
        let (one, other) = (self.offset(url, range.start), self.offset(url, range.end));
        one.min(other)..one.max(other)
    }

    pub fn range(&mut self, path: &Arc<str>, bytes: &std::ops::Range<usize>) -> lsp::Range {
        let encoding = self.encoding;
        let lines = self.lines(path);
        let position = |offset: usize| {
            // An offset that is too large for a text is behind its end.
            let offset = TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX));
            let at = lines.position(offset, encoding);
            Position::new(at.line, at.character)
        };
        lsp::Range::new(position(bytes.start), position(bytes.end))
    }

    pub fn location(&mut self, location: &Location) -> Option<lsp::Location> {
        let url = self.url(&location.path)?;
        Some(lsp::Location::new(
            url,
            self.range(&location.path, &location.bytes),
        ))
    }

    pub fn diagnostics(&mut self, path: &Arc<str>, messages: &[Message]) -> Vec<lsp::Diagnostic> {
        let all = messages.iter();
        all.map(|message| self.diagnostic(path, message)).collect()
    }

    fn diagnostic(&mut self, path: &Arc<str>, message: &Message) -> lsp::Diagnostic {
        let related: Vec<DiagnosticRelatedInformation> = message
            .related
            .iter()
            .filter_map(|(location, what)| {
                Some(DiagnosticRelatedInformation {
                    location: self.location(location)?,
                    message: what.clone(),
                })
            })
            .collect();
        lsp::Diagnostic {
            range: self.range(path, &message.bytes),
            severity: Some(match message.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Information => DiagnosticSeverity::INFORMATION,
                Severity::Hint => DiagnosticSeverity::HINT,
            }),
            code: Some(NumberOrString::String(message.code.to_owned())),
            source: Some("stubborn".to_owned()),
            message: message.text.clone(),
            related_information: (!related.is_empty()).then_some(related),
            tags: message
                .unnecessary
                .then(|| vec![DiagnosticTag::UNNECESSARY]),
            ..lsp::Diagnostic::default()
        }
    }

    pub fn hover(&mut self, path: &Arc<str>, hover: Hover, client: Client) -> lsp::Hover {
        let (kind, value) = match client.hovers_in_markdown {
            true => (MarkupKind::Markdown, hover.text),
            false => (MarkupKind::PlainText, plain(&hover.text)),
        };
        lsp::Hover {
            contents: HoverContents::Markup(MarkupContent { kind, value }),
            range: Some(self.range(path, &hover.bytes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_path_however_its_name_is_written() {
        let of = |text| path(&Url::parse(text).unwrap());
        assert_eq!(&*of("file:///a%20b/c.stb"), "/a b/c.stb");
        assert_eq!(of("file:///a%20b/./c.stb"), of("file:///a b/c.stb"));
        assert_eq!(&*of("untitled:Untitled-1"), "untitled:Untitled-1");
    }

    #[test]
    fn a_path_leads_back_to_a_name() {
        let of = |path| url(path, &HashMap::new()).unwrap().to_string();
        assert_eq!(of("/a b/c.stb"), "file:///a%20b/c.stb");
        assert_eq!(of("untitled:Untitled-1"), "untitled:Untitled-1");
    }
}
