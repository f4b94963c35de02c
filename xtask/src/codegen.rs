//! The kinds of the syntax tree and its typed nodes, generated from the grammar.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use ungrammar::{Grammar, Node, Rule};

const GRAMMAR: &str = "checker/syntax/stubborn.ungram";
const HEADER: &str =
    "//! Generated from `checker/syntax/stubborn.ungram` by `cargo xtask codegen`; do not edit.\n";

/// Tokens that are neither words nor punctuation: the documentation, and how logos finds them.
const CLASSES: [(&str, &str, &[&str]); 9] = [
    ("EOF", "The end of the text; never in a tree.", &[]),
    (
        "WHITESPACE",
        "White space.",
        &[r#"regex(r"[ \t\r\n\x0b\x0c\u{FEFF}]+")"#],
    ),
    (
        "LINE_COMMENT",
        "`// …`",
        &[r#"regex(r"//[^\r\n]*", allow_greedy = true)"#],
    ),
    (
        "DOC_COMMENT",
        "`/// …`, to the lexer's automaton a line comment.",
        &[],
    ),
    (
        "BLOCK_COMMENT",
        "`/* … */`, which may nest; the lexer's automaton finds its beginning.",
        &[r#"token("/*")"#],
    ),
    (
        "UNKNOWN",
        "Characters that begin no token, quotation marks and operators of other languages.",
        &[
            r#"regex(r"'[A-Za-z0-9_]*'")"#,
            r#"regex(r"/\\|\\/|\\\*|\\[A-Za-z]+|~>")"#,
        ],
    ),
    (
        "IDENT",
        "A name, also with letters that names do not have; to the lexer's automaton a word, too.",
        &[
            r#"regex(r"[A-Za-z_][A-Za-z0-9_]*")"#,
            r#"regex(r"[\p{L}_][\p{L}\p{M}\p{N}_]*", priority = 1)"#,
        ],
    ),
    ("INT", "An integer.", &[r#"regex(r"[0-9][A-Za-z0-9_]*")"#]),
    (
        "STRING",
        "A text in quotation marks.",
        &[r##"regex(r#""[^"\r\n]*"?"#)"##],
    ),
];

/// Operators and brackets, with those of other languages that the parser reports.
const PUNCTUATION: [(&str, &str); 36] = [
    ("(", "L_PAREN"),
    (")", "R_PAREN"),
    ("{", "L_BRACE"),
    ("}", "R_BRACE"),
    ("[", "L_BRACKET"),
    ("]", "R_BRACKET"),
    (",", "COMMA"),
    (";", "SEMICOLON"),
    (":", "COLON"),
    ("::", "COLON_COLON"),
    (":=", "COLON_EQ"),
    (".", "DOT"),
    ("..", "DOT_DOT"),
    ("->", "ARROW"),
    ("=>", "FAT_ARROW"),
    ("@", "AT"),
    ("?", "QUESTION"),
    ("+", "PLUS"),
    ("+=", "PLUS_EQ"),
    ("-", "MINUS"),
    ("-=", "MINUS_EQ"),
    ("*", "STAR"),
    ("/", "SLASH"),
    ("%", "PERCENT"),
    ("=", "EQ"),
    ("==", "EQ_EQ"),
    ("!", "BANG"),
    ("!=", "BANG_EQ"),
    ("<", "LESS"),
    ("<=", "LESS_EQ"),
    (">", "GREATER"),
    (">=", "GREATER_EQ"),
    ("&&", "AMP_AMP"),
    ("||", "PIPE_PIPE"),
    ("&", "AMP"),
    ("|", "PIPE"),
];

/// Accessors that are written by hand although their names and types are in the grammar: they
/// find more than the grammar says, also in texts with errors.
const HAND_WRITTEN: [(&str, &str); 6] = [
    ("SourceFile", "items"),
    ("RefinesDecl", "refinement"),
    ("Step", "onward"),
    ("Assignment", "value"),
    ("BinaryExpr", "lhs"),
    ("BinaryExpr", "rhs"),
];

/// Writes the generated files; with `check`, fails if they differ from what would be written.
///
/// # Errors
/// If the grammar is wrong, a file cannot be read or written, or rustfmt does not run.
pub fn run(root: &Path, check: bool) -> anyhow::Result<()> {
    let text = fs::read_to_string(root.join(GRAMMAR)).context(GRAMMAR)?;
    let syntax = Syntax::read(&text)?;
    let (tree, names) = syntax.tree()?;
    for (path, code) in [
        ("checker/syntax/src/kind/generated.rs", syntax.kinds()?),
        ("checker/syntax/src/ast/generated.rs", tree),
        ("checker/syntax/src/ast/generated_names.rs", names),
    ] {
        let code = format(root, &code)?;
        let file = root.join(path);
        if check {
            let written = fs::read_to_string(&file).context(path)?;
            ensure!(
                written == code,
                "{path} is stale; run `cargo xtask codegen`"
            );
        } else {
            fs::write(&file, code).context(path)?;
        }
    }
    Ok(())
}

fn format(root: &Path, code: &str) -> anyhow::Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("rustfmt does not start")?;
    let mut stdin = rustfmt.stdin.take().context("rustfmt takes no input")?;
    stdin.write_all(code.as_bytes())?;
    drop(stdin);
    let output = rustfmt.wait_with_output()?;
    ensure!(
        output.status.success(),
        "rustfmt refuses the generated code"
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// A grammar with its rules in the order of the text.
struct Syntax {
    grammar: Grammar,
    rules: Vec<Documented>,
}

struct Documented {
    node: Node,
    name: String,
    /// The comment lines directly before the rule.
    docs: Vec<String>,
    /// The lines of the rule behind its name.
    production: Vec<String>,
}

/// The form of a rule, which decides what is generated for it.
enum Shape {
    /// An enum of nodes.
    Choice(Vec<Node>),
    /// An enum of words, each as it is written.
    Words(Vec<String>),
    Node(Vec<Part>),
}

/// A token or a child in a rule.
#[derive(Clone, PartialEq)]
struct Part {
    label: Option<String>,
    content: Content,
    is_repeated: bool,
}

#[derive(Clone, PartialEq)]
enum Content {
    Child(Node),
    Token(String),
}

impl Syntax {
    fn read(text: &str) -> anyhow::Result<Syntax> {
        let grammar: Grammar = text.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
        let mut rules: Vec<Documented> = Vec::new();
        let mut docs = Vec::new();
        for line in text.lines() {
            if let Some(comment) = line.strip_prefix("//") {
                docs.push(comment.strip_prefix(' ').unwrap_or(comment).to_owned());
            } else if let Some(name) = line.strip_suffix(" =") {
                let node = grammar.iter().find(|node| grammar[*node].name == name);
                rules.push(Documented {
                    node: node.with_context(|| format!("no rule `{name}`"))?,
                    name: name.to_owned(),
                    docs: std::mem::take(&mut docs),
                    production: Vec::new(),
                });
            } else if line.is_empty() {
                docs.clear();
            } else if let Some(rule) = rules.last_mut() {
                let line = line.strip_prefix("  ").unwrap_or(line);
                rule.production.push(line.to_owned());
            }
        }
        let count = grammar.iter().count();
        ensure!(
            rules.len() == count,
            "a rule begins with `NAME =` on a line of its own"
        );
        Ok(Syntax { grammar, rules })
    }

    fn name(&self, node: Node) -> &str {
        &self.grammar[node].name
    }

    fn shape(&self, node: Node) -> Shape {
        let rule = &self.grammar[node].rule;
        if let Rule::Alt(choices) = rule {
            let nodes = choices.iter().map(|choice| match choice {
                Rule::Node(node) => Some(*node),
                _ => None,
            });
            if let Some(nodes) = nodes.collect() {
                return Shape::Choice(nodes);
            }
            if let Some(words) = choices.iter().map(|choice| self.words(choice)).collect() {
                return Shape::Words(words);
            }
        }
        Shape::Node(self.parts(rule, None))
    }

    /// The words of a rule that has nothing else.
    fn words(&self, rule: &Rule) -> Option<String> {
        match rule {
            Rule::Token(token) => word(&self.grammar[*token].name).map(str::to_owned),
            Rule::Seq(rules) => {
                let words: Option<Vec<String>> = rules.iter().map(|it| self.words(it)).collect();
                Some(words?.join(" "))
            }
            _ => None,
        }
    }

    /// The parts of a rule in their order, each once.
    fn parts(&self, rule: &Rule, label: Option<&str>) -> Vec<Part> {
        let part = |content| {
            let label = label.map(str::to_owned);
            vec![Part {
                label,
                content,
                is_repeated: false,
            }]
        };
        let repeated = |mut part: Part| {
            part.is_repeated = true;
            part
        };
        match rule {
            Rule::Node(node) => part(Content::Child(*node)),
            Rule::Token(token) => part(Content::Token(self.grammar[*token].name.clone())),
            Rule::Labeled { label, rule } if is_single(rule) => self.parts(rule, Some(label)),
            Rule::Labeled { .. } => Vec::new(),
            Rule::Opt(rule) => self.parts(rule, label),
            Rule::Rep(rule) => self.parts(rule, label).into_iter().map(repeated).collect(),
            Rule::Seq(rules) | Rule::Alt(rules) => {
                let mut all: Vec<Part> = Vec::new();
                for part in rules.iter().flat_map(|rule| self.parts(rule, label)) {
                    let is_same =
                        |one: &&mut Part| one.label == part.label && one.content == part.content;
                    match all.iter_mut().find(is_same) {
                        Some(same) => {
                            let is_sequence = matches!(rule, Rule::Seq(_));
                            same.is_repeated |= part.is_repeated || is_sequence;
                        }
                        None => all.push(part),
                    }
                }
                all
            }
        }
    }

    /// The nodes that a child can be.
    fn nodes(&self, node: Node) -> BTreeSet<Node> {
        match self.shape(node) {
            Shape::Choice(nodes) => nodes.iter().flat_map(|node| self.nodes(*node)).collect(),
            Shape::Words(_) | Shape::Node(_) => BTreeSet::from([node]),
        }
    }

    fn kinds(&self) -> anyhow::Result<String> {
        let tokens: Vec<&str> = self
            .grammar
            .tokens()
            .map(|it| &*self.grammar[it].name)
            .collect();
        let is_reserved = |token: &&str| token.starts_with(|c: char| c.is_ascii_lowercase());
        let mut words: Vec<&str> = tokens.iter().copied().filter(is_reserved).collect();
        words.sort_unstable();
        let mut code = String::from(HEADER);
        code += "\nuse logos::Logos;\n\nsyntax_kinds! {\n    tokens {\n";
        for (kind, docs, patterns) in CLASSES {
            writeln!(code, "        /// {docs}")?;
            for pattern in patterns {
                writeln!(code, "        #[{pattern}]")?;
            }
            writeln!(code, "        {kind},")?;
        }
        for (text, kind) in PUNCTUATION {
            if !tokens.contains(&text) {
                code += "        /// Belongs to no construct.\n";
            }
            writeln!(code, "        #[token(\"{text}\")]\n        {kind},")?;
        }
        code += "    }\n    keywords {\n";
        for word in words {
            writeln!(code, "        {}_KW = \"{word}\",", word.to_uppercase())?;
        }
        code += "    }\n    nodes {\n";
        code += "        /// Tokens that the parser could not use.\n        ERROR,\n";
        for rule in &self.rules {
            if let Shape::Node(_) = self.shape(rule.node) {
                writeln!(code, "        {},", kind(&rule.name))?;
            }
        }
        code += "    }\n}\n";
        Ok(code)
    }

    /// The nodes, and which of them have names and parameters.
    fn tree(&self) -> anyhow::Result<(String, String)> {
        let mut names = String::from(HEADER);
        names += "\nuse super::generated::*;\nuse super::names::{HasName, HasParams};\n";
        let mut code = String::from(HEADER);
        code += "\nuse super::node::{AstNode, child, children, children_between};\n\
                 use super::node::{token, token_of, word};\n\
                 use crate::{SyntaxKind, SyntaxNode, SyntaxToken};\n";
        for rule in &self.rules {
            let name = &rule.name;
            let docs: String = rule
                .docs
                .iter()
                .map(|line| format!("    /// {line}\n"))
                .collect();
            match self.shape(rule.node) {
                Shape::Choice(nodes) => {
                    write!(code, "\nast_choice! {{\n{docs}    {name} {{\n")?;
                    for node in nodes {
                        let node = self.name(node);
                        writeln!(code, "        {}({node}),", variant(node))?;
                    }
                    code += "    }\n}\n";
                }
                Shape::Words(words) => {
                    write!(code, "\nast_words! {{\n{docs}    {name} {{\n")?;
                    for text in words {
                        let variant: String = text.split(' ').map(capitalized).collect();
                        writeln!(code, "        {variant} = \"{text}\",")?;
                    }
                    code += "    }\n}\n";
                }
                Shape::Node(parts) => {
                    write!(code, "\nast_node! {{\n{docs}    ///\n    /// ```text\n")?;
                    for line in &rule.production {
                        writeln!(code, "    /// {line}")?;
                    }
                    writeln!(code, "    /// ```\n    {name} = {}\n}}", kind(name))?;
                    self.accessors(name, &parts, &mut code, &mut names)
                        .with_context(|| format!("rule `{name}`"))?;
                }
            }
        }
        Ok((code, names))
    }

    fn accessors(
        &self,
        of: &str,
        parts: &[Part],
        code: &mut String,
        named: &mut String,
    ) -> anyhow::Result<()> {
        let mut methods = String::new();
        let mut names = BTreeSet::new();
        for (at, part) in parts.iter().enumerate() {
            let (name, ty, body) = match &part.content {
                Content::Token(token) => {
                    let Some(name) = part.token_name() else {
                        continue;
                    };
                    let body = match token.strip_prefix('#') {
                        Some(class) => {
                            format!(
                                "token_of(&self.syntax, SyntaxKind::{})",
                                class.to_uppercase()
                            )
                        }
                        None => format!("token(&self.syntax, \"{}\")", spelling(token)),
                    };
                    (name, String::from("Option<SyntaxToken>"), body)
                }
                Content::Child(node) => {
                    let child = self.name(*node);
                    let single = part.label.clone().unwrap_or_else(|| snake(child));
                    let name = match part.label {
                        None if part.is_repeated => plural(&single),
                        _ => single,
                    };
                    if HAND_WRITTEN.contains(&(of, &name)) {
                        continue;
                    }
                    match (child, &part.label, part.is_repeated) {
                        ("Name", None, false) => {
                            writeln!(named, "\nimpl HasName for {of} {{}}")?;
                            continue;
                        }
                        ("ParamList", None, false) => {
                            writeln!(named, "\nimpl HasParams for {of} {{}}")?;
                            continue;
                        }
                        _ => {}
                    }
                    let (ty, body) = self.child(of, *node, at, parts)?;
                    (name, ty, body)
                }
            };
            ensure!(
                names.insert(name.clone()),
                "two parts have the accessor `{name}`"
            );
            write!(
                methods,
                "    pub fn {name}(&self) -> {ty} {{\n        {body}\n    }}\n"
            )?;
        }
        if !methods.is_empty() {
            write!(code, "\nimpl {of} {{\n{methods}}}\n")?;
        }
        Ok(())
    }

    /// The type and the body of the accessor of the child at a position in the parts of a rule.
    fn child(
        &self,
        of: &str,
        node: Node,
        at: usize,
        parts: &[Part],
    ) -> anyhow::Result<(String, String)> {
        let name = self.name(node);
        if let Shape::Words(_) = self.shape(node) {
            return Ok((
                format!("Option<{name}>"),
                format!("word(&self.syntax, {name}::from_text)"),
            ));
        }
        let (after, before) = self.separators(of, node, at, parts)?;
        let is_repeated = parts[at].is_repeated;
        let ty = match is_repeated {
            true => format!("impl Iterator<Item = {name}> + use<>"),
            false => format!("Option<{name}>"),
        };
        let body = match (after.is_none() && before.is_none(), is_repeated) {
            (true, false) => String::from("child(&self.syntax)"),
            (true, true) => String::from("children(&self.syntax)"),
            (false, _) => {
                let next = if is_repeated { "" } else { ".next()" };
                format!("children_between(&self.syntax, {after:?}, {before:?}){next}")
            }
        };
        Ok((ty, body))
    }

    /// The tokens that a child stands between, where others of its kind are on their other sides.
    fn separators(
        &self,
        of: &str,
        node: Node,
        at: usize,
        parts: &[Part],
    ) -> anyhow::Result<(Option<String>, Option<String>)> {
        let own = self.nodes(node);
        let is_alike = |part: &Part| match &part.content {
            Content::Child(other) => {
                let name = part.label.as_deref().unwrap_or_default();
                !HAND_WRITTEN.contains(&(of, name)) && !self.nodes(*other).is_disjoint(&own)
            }
            Content::Token(_) => false,
        };
        let separator = |part: &Part| match &part.content {
            Content::Token(token) if !part.is_repeated => Some(spelling(token).to_owned()),
            _ => None,
        };
        let (mut after, mut before) = (None, None);
        if let Some(other) = parts[..at].iter().rposition(is_alike) {
            after = parts[other..at].iter().rev().find_map(separator);
            ensure!(
                after.is_some(),
                "no token between two of `{}`",
                self.name(node)
            );
        }
        if let Some(other) = parts[at + 1..].iter().position(is_alike) {
            before = parts[at + 1..at + 1 + other].iter().find_map(separator);
            ensure!(
                before.is_some(),
                "no token between two of `{}`",
                self.name(node)
            );
        }
        Ok((after, before))
    }
}

impl Part {
    /// The name of the accessor of a token; none of one that there may be several of, and of a
    /// class of tokens without a label.
    fn token_name(&self) -> Option<String> {
        let Content::Token(token) = &self.content else {
            return None;
        };
        if self.is_repeated {
            return None;
        }
        let name = match (&self.label, word(token)) {
            (Some(label), _) => label.clone(),
            (None, Some(word)) => word.to_lowercase(),
            (None, None) => {
                let mut known = PUNCTUATION.iter();
                let (_, kind) = known.find(|(text, _)| text == token)?;
                kind.to_lowercase()
            }
        };
        Some(format!("{name}_token"))
    }
}

/// Whether a rule is one node or token, optional or repeated.
fn is_single(rule: &Rule) -> bool {
    match rule {
        Rule::Node(_) | Rule::Token(_) => true,
        Rule::Opt(rule) | Rule::Rep(rule) => is_single(rule),
        Rule::Labeled { .. } | Rule::Seq(_) | Rule::Alt(_) => false,
    }
}

/// A token as it is written in a text.
fn spelling(token: &str) -> &str {
    word(token).unwrap_or(token)
}

/// The word of a token that is one: `while`, `?initial`.
fn word(token: &str) -> Option<&str> {
    let text = token.strip_prefix('?').unwrap_or(token);
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    is_word.then_some(text)
}

/// The name of an enum's variant: `Use` of `UseDecl`, `SetComprehension` of
/// `SetComprehensionExpr`, `Literal`.
fn variant(node: &str) -> &str {
    match node.rfind(|c: char| c.is_ascii_uppercase()) {
        Some(last) if last > 0 => &node[..last],
        _ => node,
    }
}

fn kind(node: &str) -> String {
    snake(node).to_uppercase()
}

fn snake(camel: &str) -> String {
    let mut snake = String::new();
    for c in camel.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

fn capitalized(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

fn plural(noun: &str) -> String {
    let ending = if noun.ends_with("ch") { "es" } else { "s" };
    format!("{noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: &str = "\
// Integers.
Range =
  low:Expr '..' high:Expr '?with' step:Step?

Expr =
  Range
| NameRef

NameRef =
  '#ident'

// Whether an end belongs to it.
Step =
  '?open' | '?half' '?open'
";

    fn tree(grammar: &str) -> anyhow::Result<String> {
        Ok(Syntax::read(grammar)?.tree()?.0)
    }

    #[test]
    fn children_of_one_kind_are_told_apart_by_the_token_between_them() {
        let tree = tree(RANGE).unwrap();
        for line in [
            "    /// Integers.\n    ///\n    /// ```text\n    /// low:Expr '..' high:Expr",
            "pub fn low(&self) -> Option<Expr> {\n        \
             children_between(&self.syntax, None, Some(\"..\")).next()",
            "pub fn high(&self) -> Option<Expr> {\n        \
             children_between(&self.syntax, Some(\"..\"), None).next()",
            "pub fn with_token(&self) -> Option<SyntaxToken> {\n        \
             token(&self.syntax, \"with\")",
            "        HalfOpen = \"half open\",",
            "        Name(NameRef),",
        ] {
            assert!(tree.contains(line), "{line}\n{tree}");
        }
    }

    #[test]
    fn children_of_one_kind_without_a_token_between_them_are_refused() {
        let refused = tree(&RANGE.replace("'..' ", "")).unwrap_err();
        assert_eq!(refused.to_string(), "rule `Range`");
        assert_eq!(
            refused.root_cause().to_string(),
            "no token between two of `Expr`"
        );
    }

    #[test]
    fn parts_that_occur_several_times_are_in_the_plural() {
        let list = "List =\n  '[' (Branch (',' Branch)*)? ']'\n\nBranch =\n  '#ident'\n";
        let tree = tree(list).unwrap();
        assert!(tree.contains("pub fn branches(&self) -> impl Iterator<Item = Branch> + use<> {"));
        assert!(!tree.contains("comma_token"));
    }
}
