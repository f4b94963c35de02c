//! Text in Markdown.

/// Text without Markdown but the code in back quotes.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    let mut in_code = false;
    for c in text.chars() {
        in_code ^= c == '`';
        if !in_code && matches!(c, '*' | '_' | '<' | '[' | ']' | '\\' | '#' | '|') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
