//! Messages about the texts, each with the lines that it is about.

use std::io::{self, Write};

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use stubborn_model::problem::Severity;
use stubborn_report::{Place, ProblemReport, Texts, grouped};

use super::style::Style;

/// How many messages about the texts are shown, each with the lines that it is about.
const PROBLEMS_SHOWN: usize = 100;

/// Messages with the text that they are about; of very many the first, errors before others, and the
/// number of the rest.
pub fn problems(
    problems: &[ProblemReport],
    texts: &Texts,
    style: Style,
    to: &mut dyn Write,
) -> io::Result<()> {
    let shown = first_problems(problems);
    for problem in &shown {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Hint => Level::HELP.with_name("hint"),
        };
        let title = level.primary_title(&*problem.message);
        let title = if problem.place.is_some() {
            title.id(problem.code)
        } else {
            title
        };
        let mut places: Vec<(&Place, Option<&str>)> = Vec::new();
        places.extend(problem.place.iter().map(|place| (place, None)));
        places.extend(
            problem
                .related
                .iter()
                .map(|(place, what)| (place, Some(what.as_str()))),
        );
        let group = snippets(places, texts)
            .into_iter()
            .fold(Group::with_title(title), Group::element);
        writeln!(to, "{}\n", renderer(style).render(&[group]))?;
    }
    match problems.len() - shown.len() {
        0 => Ok(()),
        1 => writeln!(to, "1 more message is not shown\n"),
        rest => writeln!(to, "{} more messages are not shown\n", grouped(rest as u64)),
    }
}

/// Those that are shown, in the order in which they are given.
fn first_problems(problems: &[ProblemReport]) -> Vec<&ProblemReport> {
    let is_error = |problem: &&ProblemReport| problem.severity == Severity::Error;
    let errors = problems.iter().filter(is_error).count();
    let mut errors_left = errors.min(PROBLEMS_SHOWN);
    let mut others_left = PROBLEMS_SHOWN - errors_left;
    let has_room = |problem: &&ProblemReport| {
        let left = if is_error(problem) {
            &mut errors_left
        } else {
            &mut others_left
        };
        let has_room = *left > 0;
        *left = left.saturating_sub(1);
        has_room
    };
    problems.iter().filter(has_room).collect()
}

/// The lines of the places with the places underlined, the first as what it is all about. Each
/// file is shown once.
pub fn snippets<'a>(
    places: Vec<(&'a Place, Option<&'a str>)>,
    texts: &'a Texts,
) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut files: Vec<(&str, &str, Vec<Annotation<'a>>)> = Vec::new();
    for (at, (place, label)) in places.into_iter().enumerate() {
        let Some(text) = texts.text_of(&place.file) else {
            continue;
        };
        let kind = if at == 0 {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let end = text.len();
        let (start, stop) = (place.bytes.start as usize, place.bytes.end as usize);
        let annotation = kind.span(start.min(end)..stop.min(end)).label(label);
        match files.iter_mut().find(|(file, _, _)| *file == &*place.file) {
            Some((_, _, annotations)) => annotations.push(annotation),
            None => files.push((&place.file, text, vec![annotation])),
        }
    }
    files
        .into_iter()
        .map(|(path, text, annotations)| Snippet::source(text).path(path).annotations(annotations))
        .collect()
}

pub fn renderer(style: Style) -> Renderer {
    let renderer = if style.coloured {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.term_width(style.width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(number: usize, last: Severity) -> String {
        let problem = |severity, message: String| ProblemReport {
            code: "syntax",
            severity,
            message,
            place: None,
            related: Vec::new(),
        };
        let mut all: Vec<ProblemReport> = (1..number)
            .map(|at| problem(Severity::Warning, format!("message {at}.")))
            .collect();
        all.push(problem(last, format!("message {number}.")));
        let style = Style {
            coloured: false,
            width: 100,
            is_terminal: false,
        };
        let mut to = Vec::new();
        problems(&all, &Texts::default(), style, &mut to).unwrap();
        String::from_utf8(to).unwrap()
    }

    #[test]
    fn a_hundred_messages_are_shown_and_of_more_the_first_hundred_and_the_number_of_the_rest() {
        for number in [99, 100] {
            let told = told(number, Severity::Warning);
            assert_eq!(told.matches("message").count(), number);
        }
        let one_more = told(101, Severity::Warning);
        assert!(one_more.contains("message 100."));
        assert!(!one_more.contains("message 101."));
        assert!(one_more.ends_with("\n1 more message is not shown\n\n"));
        assert!(told(40_000, Severity::Warning).contains("39,900 more messages are not shown"));
    }

    #[test]
    fn an_error_is_shown_however_many_warnings_come_before_it() {
        let told = told(40_000, Severity::Error);
        assert!(told.contains("message 99."));
        assert!(!told.contains("message 100."));
        assert!(told.contains("message 40000."));
    }
}
