//! The files of a program: the given one, and all that it uses.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast;
use stubborn_syntax::{Interrupted, LineColumn, LineIndex, Parse, TextSize};

use crate::problem::{Code, Problem, Severity, Words};
use crate::spans::span_in;
use stubborn_system::source::{FileId, Span};

/// A file that has been read and parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedFile {
    /// As messages and the output name it.
    pub path: String,
    pub text: Arc<str>,
    pub parse: Parse,
    pub lines: Arc<LineIndex>,
}

/// A file and all that it uses, the files that these use included, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// By their [`FileId`]: the given file first, the others in the order in which they were met.
    pub files: Vec<Arc<ParsedFile>>,
    /// The order of the program's text: a file after those that it uses.
    pub order: Vec<FileId>,
    /// For each file those that it uses itself.
    uses: Vec<Vec<FileId>>,
    /// Files without a text and cycles.
    pub problems: Vec<Problem>,
}

/// Why a file that is used has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoText {
    /// There is no such file.
    Missing,
    /// There may be one, which is not read: why, as a sentence without a full stop.
    Refused(String),
}

/// No program has more files; only a loader that makes files up would come here.
const MAX_FILES: usize = 1000;

impl ParsedFile {
    pub fn new(path: impl Into<String>, text: impl Into<Arc<str>>) -> ParsedFile {
        ParsedFile::within(path, text, &|| false).expect("nothing ends it")
    }

    /// As [`new`](ParsedFile::new), and asks from time to time whether to end.
    ///
    /// # Errors
    /// Where it was to end.
    pub fn within(
        path: impl Into<String>,
        text: impl Into<Arc<str>>,
        is_to_end: &dyn Fn() -> bool,
    ) -> Result<ParsedFile, Interrupted> {
        let text = text.into();
        let parse = stubborn_syntax::parse_within(&text, is_to_end)?;
        Ok(ParsedFile::of(path.into(), text, parse))
    }

    /// The file with another text: what [`within`](ParsedFile::within) gives, sooner the more of the
    /// text is as it was.
    ///
    /// # Errors
    /// Where it was to end.
    pub fn again(
        &self,
        text: impl Into<Arc<str>>,
        is_to_end: &dyn Fn() -> bool,
    ) -> Result<ParsedFile, Interrupted> {
        let text = text.into();
        let parse = stubborn_syntax::parse_again(&self.parse, &self.text, &text, is_to_end)?;
        Ok(ParsedFile::of(self.path.clone(), text, parse))
    }

    fn of(path: String, text: Arc<str>, parse: Parse) -> ParsedFile {
        ParsedFile {
            path,
            parse,
            lines: LineIndex::new(&text).into(),
            text,
        }
    }

    /// The line and column of a byte of the text.
    pub fn position(&self, offset: u32) -> LineColumn {
        self.lines.line_column(TextSize::new(offset))
    }

    /// Whether it describes testers, not a model.
    pub fn is_tester(&self) -> bool {
        self.path.ends_with(".tester")
    }
}

impl Program {
    /// Loads what the root uses. `load` is given a path that is relative to what the root's own
    /// path is relative to; it gives `None` where there is no such file.
    pub fn assemble(
        root: Arc<ParsedFile>,
        load: &mut dyn FnMut(&str) -> Option<Arc<ParsedFile>>,
    ) -> Program {
        Program::assemble_from(root, &mut |path| load(path).ok_or(NoText::Missing))
    }

    /// The same with a `load` that says why a file has no text.
    pub fn assemble_from(
        root: Arc<ParsedFile>,
        load: &mut dyn FnMut(&str) -> Result<Arc<ParsedFile>, NoText>,
    ) -> Program {
        let mut assembly = Assembly {
            program: Program {
                files: Vec::new(),
                order: Vec::new(),
                uses: Vec::new(),
                problems: Vec::new(),
            },
            by_path: FxHashMap::default(),
            open: Vec::new(),
            load,
        };
        assembly.add(root);
        assembly.program
    }

    pub fn file(&self, file: FileId) -> &ParsedFile {
        &self.files[file.0 as usize]
    }

    /// Whether the file uses others.
    pub(crate) fn uses_others(&self, file: FileId) -> bool {
        !self.uses[file.0 as usize].is_empty()
    }

    /// With one more file, the last, which sees what the given one sees, and of which no item is read: what stands in
    /// it does not belong to the program.
    pub(crate) fn with_apart(&self, file: Arc<ParsedFile>) -> Program {
        let mut program = self.clone();
        program.files.push(file);
        program.uses.push(vec![FileId(0)]);
        program
    }

    /// The file itself and those it uses, however far.
    pub fn visible_from(&self, file: FileId) -> FxHashSet<FileId> {
        let mut visible = FxHashSet::from_iter([file]);
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            for used in &self.uses[file.0 as usize] {
                if visible.insert(*used) {
                    open.push(*used);
                }
            }
        }
        visible
    }
}

struct Assembly<'l> {
    program: Program,
    by_path: FxHashMap<String, FileId>,
    /// The files whose `use` lines are being followed, the root first.
    open: Vec<FileId>,
    load: &'l mut dyn FnMut(&str) -> Result<Arc<ParsedFile>, NoText>,
}

impl Assembly<'_> {
    fn add(&mut self, file: Arc<ParsedFile>) -> FileId {
        let id = FileId(self.program.files.len() as u32);
        self.by_path.insert(file.path.clone(), id);
        self.program.files.push(file.clone());
        self.program.uses.push(Vec::new());
        self.open.push(id);
        for item in file.parse.tree().uses() {
            self.follow(id, &file.path, &item);
        }
        self.open.pop();
        self.program.order.push(id);
        id
    }

    fn follow(&mut self, user: FileId, path: &str, item: &ast::UseDecl) {
        let (Some(token), Some(written)) = (item.path_token(), item.path()) else {
            return;
        };
        let span = span_in(user, token.text_range());
        let wanted = relative_to(path, &written);
        let used = match self.by_path.get(&wanted) {
            Some(known) => Ok(*known),
            None if self.program.files.len() >= MAX_FILES => Err(NoText::Missing),
            None => (self.load)(&wanted).map(|file| self.add(file)),
        };
        match used {
            Ok(used) if self.open.contains(&used) => self.cycle(used, span, &written),
            Ok(used) => {
                let uses = &mut self.program.uses[user.0 as usize];
                if !uses.contains(&used) {
                    uses.push(used);
                }
            }
            Err(NoText::Missing) => self.error(
                Code::MissingFile,
                span,
                format!("there is no file `{wanted}`; a path is relative to the file that uses it"),
            ),
            Err(NoText::Refused(why)) => self.error(Code::MissingFile, span, why),
        }
    }

    /// A cycle is told at the `use` in the given file that leads into it.
    fn cycle(&mut self, used: FileId, span: Span, written: &str) {
        let span = match self.open.get(1) {
            Some(_) => self.use_in_root().unwrap_or(span),
            None => span,
        };
        let start = self.open.iter().position(|open| *open == used);
        let members: Vec<String> = self.open[start.unwrap_or(0)..]
            .iter()
            .chain([&used])
            .map(|file| format!("`{}`", self.program.file(*file).path))
            .collect();
        let message = match members.as_slice() {
            [_, _] => format!("a file cannot use itself: `{written}` is this very file"),
            _ => format!(
                "these files use each other in a cycle: {}; one of them must do without the other",
                members.join(" uses ")
            ),
        };
        self.error(Code::UseCycle, span, message);
    }

    /// The root's `use` that is being followed.
    fn use_in_root(&self) -> Option<Span> {
        let root = self.program.file(FileId(0));
        let followed = &self.program.file(*self.open.get(1)?).path;
        root.parse.tree().uses().find_map(|item| {
            let wanted = relative_to(&root.path, &item.path()?);
            let token = item.path_token()?;
            (wanted == *followed).then(|| span_in(FileId(0), token.text_range()))
        })
    }

    fn error(&mut self, code: Code, span: Span, message: String) {
        let problem = Words::from(message).problem(code, Severity::Error, Some(span));
        self.program.problems.push(problem);
    }
}

/// The path that `used` means in the file at `user`.
pub fn relative_to(user: &str, used: &str) -> String {
    if used.starts_with('/') || used.contains("://") {
        return used.to_string();
    }
    let mut folders: Vec<&str> = user.split('/').collect();
    folders.pop();
    for part in used.split('/') {
        match part {
            "." | "" => {}
            ".." if folders
                .last()
                .is_some_and(|f| !matches!(*f, "" | "." | "..")) =>
            {
                folders.pop();
            }
            part => folders.push(part),
        }
    }
    folders.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_relative_to_the_file_that_uses_it() {
        assert_eq!(relative_to("a/b.tester", "c.stb"), "a/c.stb");
        assert_eq!(relative_to("b.tester", "c.stb"), "c.stb");
        assert_eq!(relative_to("/x/b.tester", "../c.stb"), "/c.stb");
        assert_eq!(relative_to("../b.tester", "../c.stb"), "../../c.stb");
        assert_eq!(relative_to("./b.tester", "./d/../c.stb"), "./c.stb");
    }
}
