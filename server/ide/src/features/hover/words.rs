//! The words of the language, from the table in `words.md`: what each means, with an example.

use stubborn_syntax::{SyntaxKind, SyntaxToken, TokenClass, classify};

/// Row of the table: a word, the kinds of nodes in which it means this (anywhere, if none is named),
/// its meaning, and an example.
struct Word {
    word: &'static str,
    within: &'static str,
    meaning: &'static str,
    example: &'static str,
}

/// The rows of the table, in its order. Of a word with several meanings the first that fits counts.
fn words() -> impl Iterator<Item = Word> {
    let rows = include_str!("words.md").lines().skip(2);
    rows.filter_map(|row| {
        let mut cells = row.split('|').skip(1).map(str::trim);
        Some(Word {
            word: cells.next()?,
            within: cells.next()?,
            meaning: cells.next()?,
            example: cells.next()?,
        })
    })
}

/// Meaning of a function of the language.
pub fn of_function(name: &str) -> Option<&'static str> {
    words()
        .find(|one| one.word == name)
        .map(|function| function.meaning)
}

/// What a word means where it stands.
pub fn told(token: &SyntaxToken) -> Option<String> {
    let is_name = match classify(token) {
        TokenClass::Keyword => false,
        // The language's own names look like those that a person gives.
        TokenClass::Name => true,
        _ => return None,
    };
    let parent = token.parent()?;
    let around = parent.parent().map(|node| node.kind());
    let stands_in = |within: &str| {
        let has = |kind: SyntaxKind| within.split(' ').any(|name| name == format!("{kind:?}"));
        // A name that is declared is the person's own.
        let is_used = parent.kind() != SyntaxKind::NAME;
        let is_around = is_used && around.is_some_and(has);
        is_around || !is_name && has(parent.kind())
    };
    let mut words = words().filter(|one| one.word == token.text());
    let word = words.find(|one| match one.within {
        "" => !is_name,
        within => stands_in(within),
    })?;
    Some(format!(
        "{}\n\n```stubborn\n{}\n```",
        word.meaning, word.example
    ))
}

#[cfg(test)]
mod tests {
    use stubborn_syntax::parse;

    use super::*;

    #[test]
    fn every_reserved_word_has_a_meaning() {
        for word in SyntaxKind::RESERVED_WORDS {
            assert!(words().any(|one| one.word == *word), "{word}");
        }
    }

    #[test]
    fn every_example_is_of_the_language_and_shows_its_word() {
        for word in words() {
            let around = [
                ("", ""),
                ("process p { ", " }"),
                ("tester t { ", " }"),
                ("tester t { initial state s { ", " } }"),
                ("buchi b { ", " }"),
                ("invariant i: ", ""),
            ];
            let is_told = around.iter().any(|(before, after)| {
                let parse = parse(&format!("{before}{}{after}\n", word.example));
                let tree = parse.syntax();
                let tokens = tree.descendants_with_tokens();
                let mut tokens = tokens.filter_map(|element| element.into_token());
                let says_so = tokens.any(|token| {
                    token.text() == word.word
                        && told(&token).is_some_and(|told| told.starts_with(word.meaning))
                });
                says_so && parse.errors.is_empty()
            });
            assert!(is_told, "`{}` in `{}`", word.word, word.example);
        }
    }

    #[test]
    fn a_name_that_looks_like_a_word_of_the_language_is_a_name() {
        let told_of = |text: &str, word: &str| {
            let tree = parse(text).syntax();
            let tokens = tree.descendants_with_tokens();
            let tokens = tokens.filter_map(|element| element.into_token());
            let tokens = tokens.filter(|token| token.text() == word);
            tokens.filter(|token| told(token).is_some()).count()
        };
        let queue = "var queue: bool\nprocess p { await queue }\n";
        assert_eq!(told_of(queue, "queue"), 0);
        let fair = "fair fair: fair\nprocess fair { skip }\ninvariant fair: fair@end\n";
        assert_eq!(told_of(fair, "fair"), 1);
    }
}
