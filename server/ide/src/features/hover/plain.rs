//! For clients that show no Markdown: the same text without its marks.

/// The text without fences, emphasis and escapes. Tables keep their bars, which line them up.
pub fn plain(markdown: &str) -> String {
    let mut lines = Vec::new();
    let mut in_fence = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            in_fence = !in_fence;
        } else if in_fence {
            lines.push(line.to_owned());
        } else if !is_rule(line) {
            lines.push(without_marks(line));
        }
    }
    // What a rule was drawn between is kept apart by one empty line.
    let mut text = String::new();
    let mut blank = true;
    for line in lines {
        if !(line.is_empty() && blank) {
            text.push_str(&line);
            text.push('\n');
        }
        blank = line.is_empty();
    }
    text.trim_end().to_owned()
}

/// `---` between two parts, or under the head of a table.
fn is_rule(line: &str) -> bool {
    line.contains("---") && line.chars().all(|c| matches!(c, '-' | ':' | '|' | ' '))
}

fn without_marks(line: &str) -> String {
    let mut text = String::new();
    let mut in_code = false;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '`' => in_code = !in_code,
            '*' if !in_code => {}
            '\\' if !in_code => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_what_is_said_stays() {
        let markdown = "✗ **a\\_b** is violated: `x * y`.\n\n| a | b |\n| ---: | --- |\n| 1 | `c` |\n\n\
                        ---\n\n```stubborn\nvar x: 0..3 // **\n```\n\n*so*\n";
        assert_eq!(
            plain(markdown),
            "✗ a_b is violated: x * y.\n\n| a | b |\n| 1 | c |\n\nvar x: 0..3 // **\n\nso"
        );
    }
}
