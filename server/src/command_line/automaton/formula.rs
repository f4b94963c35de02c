//! A formula that is given on the command line, by itself: the names in it are its propositions.

use std::ops::Range;

use stubborn_model::problem::{Code, Severity};
use stubborn_report::{ProblemReport, Texts};
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxError, parse};
use stubborn_system::property::Formula;
use stubborn_system::source::{FileId, Span};

use super::source::Refused;

/// No automaton has more propositions.
const MOST_NAMES: usize = stubborn_automata::label::MOST_PROPOSITIONS;

/// A formula and the names of its propositions, in the order in which they are first met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub formula: Formula,
    pub names: Vec<String>,
}

/// A mistake, and where it is, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub message: String,
    pub bytes: Range<usize>,
}

/// What stands before a formula in a file.
const BEFORE: &str = "ltl formula: ";

/// Reads a formula in the grammar of the language.
///
/// # Errors
/// Its mistakes: those of the grammar, and what is no proposition, no constant and no operator.
pub fn read(text: &str) -> Result<Named, Vec<Mistake>> {
    let parsed = parse(&format!("{BEFORE}{text}\n"));
    if !parsed.errors.is_empty() {
        let told = |error: &SyntaxError| Mistake {
            message: match &error.hint {
                Some(hint) => format!("{}; {hint}", error.message),
                None => error.message.clone(),
            },
            bytes: within(error.range.start().into(), error.range.end().into(), text),
        };
        return Err(parsed.errors.iter().map(told).collect());
    }
    let mut items = parsed.tree().items();
    let formula = match (items.next(), items.next()) {
        (Some(ast::Item::Ltl(one)), None) => one.formula(),
        (_, Some(second)) => return Err(vec![mistake(&second, "the formula ends before", text)]),
        _ => None,
    };
    let mut reader = Reader {
        text,
        names: Vec::new(),
        mistakes: Vec::new(),
    };
    let formula = reader.formula(formula);
    if reader.names.len() > MOST_NAMES {
        reader.mistakes.push(Mistake {
            message: format!(
                "the formula has {} propositions, and no more than {MOST_NAMES} can be observed",
                reader.names.len()
            ),
            bytes: 0..text.len(),
        });
    }
    if reader.mistakes.is_empty() {
        Ok(Named {
            formula,
            names: reader.names,
        })
    } else {
        Err(reader.mistakes)
    }
}

/// The mistakes as messages about the text of the option.
pub fn told(text: &str, mistakes: &[Mistake]) -> Refused {
    let texts = Texts::new([("--ltl".into(), text.into())]);
    let told = |mistake: &Mistake| {
        let span = Span {
            file: FileId(0),
            start: u32::try_from(mistake.bytes.start).unwrap_or(0),
            end: u32::try_from(mistake.bytes.end).unwrap_or(0),
        };
        ProblemReport {
            code: Code::Syntax.as_str(),
            severity: Severity::Error,
            message: mistake.message.clone(),
            place: Some(texts.place(span)),
            related: Vec::new(),
        }
    };
    Refused {
        problems: mistakes.iter().map(told).collect(),
        texts,
    }
}

struct Reader<'a> {
    text: &'a str,
    names: Vec<String>,
    mistakes: Vec<Mistake>,
}

impl Reader<'_> {
    /// What is missing has been told of by the grammar. The tree is no deeper than the grammar lets
    /// it be, and so is the recursion.
    fn formula(&mut self, expr: Option<ast::Expr>) -> Formula {
        let Some(expr) = expr else {
            return Formula::Constant(true);
        };
        match &expr {
            ast::Expr::Paren(paren) => self.formula(paren.inner()),
            ast::Expr::Name(name) => self.proposition(name),
            ast::Expr::Literal(literal) => match literal.value() {
                Some(ast::LiteralValue::Bool(value)) => Formula::Constant(value),
                _ => self.refuse(&expr),
            },
            ast::Expr::Prefix(prefix) => self.prefix(&expr, prefix),
            ast::Expr::Binary(binary) => self.binary(&expr, binary),
            _ => self.refuse(&expr),
        }
    }

    fn prefix(&mut self, expr: &ast::Expr, prefix: &ast::PrefixExpr) -> Formula {
        let Some(op @ (ast::PrefixOp::Not | ast::PrefixOp::Always | ast::PrefixOp::Eventually)) =
            prefix.op()
        else {
            return self.refuse(expr);
        };
        let operand = Box::new(self.formula(prefix.operand()));
        match op {
            ast::PrefixOp::Always => Formula::Always(operand),
            ast::PrefixOp::Eventually => Formula::Eventually(operand),
            _ => Formula::Not(operand),
        }
    }

    fn binary(&mut self, expr: &ast::Expr, binary: &ast::BinaryExpr) -> Formula {
        use ast::BinaryOp::{And, Implies, Or, Release, Until, WeakUntil};
        let Some(op @ (And | Or | Implies | Until | WeakUntil | Release)) = binary.op() else {
            return self.refuse(expr);
        };
        let left = self.formula(binary.lhs());
        let right = self.formula(binary.rhs());
        let (first, second) = (Box::new(left.clone()), Box::new(right.clone()));
        match op {
            And => Formula::All(vec![left, right]),
            Or => Formula::Any(vec![left, right]),
            Implies => Formula::Any(vec![Formula::Not(first), right]),
            Until => Formula::Until(first, second),
            WeakUntil => Formula::WeakUntil(first, second),
            _ => Formula::Release(first, second),
        }
    }

    fn proposition(&mut self, name: &ast::NameExpr) -> Formula {
        let text = name.name_ref().map(|name| name.text()).unwrap_or_default();
        let known = self.names.iter().position(|known| *known == text);
        let number = known.unwrap_or_else(|| {
            self.names.push(text);
            self.names.len() - 1
        });
        Formula::Proposition(u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn refuse(&mut self, expr: &ast::Expr) -> Formula {
        self.mistakes.push(mistake(
            expr,
            "without a model a formula is made of names, `true`, `false`, `not`, `and`, `or`, \
             `implies` and the temporal operators; a name could stand for",
            self.text,
        ));
        Formula::Constant(true)
    }
}

/// "… `x > 0`" about a part of the text.
fn mistake(part: &impl AstNode, what: &str, text: &str) -> Mistake {
    let range = part.syntax().text_range();
    let bytes = within(range.start().into(), range.end().into(), text);
    let quoted = text.get(bytes.clone()).unwrap_or("").trim();
    Mistake {
        message: format!("{what} `{quoted}`"),
        bytes,
    }
}

/// Places in the file as places in the formula.
fn within(start: usize, end: usize, text: &str) -> Range<usize> {
    let at = |place: usize| place.saturating_sub(BEFORE.len()).min(text.len());
    at(start)..at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposition(number: u32) -> Formula {
        Formula::Proposition(number)
    }

    #[test]
    fn a_name_is_one_proposition_wherever_it_stands() {
        let read = read("always (p implies eventually q) and not p").expect("a formula");
        assert_eq!(read.names, ["p", "q"]);
        let response = Formula::Any(vec![
            Formula::Not(Box::new(proposition(0))),
            Formula::Eventually(Box::new(proposition(1))),
        ]);
        let expected = Formula::All(vec![
            Formula::Always(Box::new(response)),
            Formula::Not(Box::new(proposition(0))),
        ]);
        assert_eq!(read.formula, expected);
    }

    #[test]
    fn until_and_its_like_bind_tighter_than_and() {
        let read = read("p U q && [] <> p").expect("a formula");
        let until = Formula::Until(Box::new(proposition(0)), Box::new(proposition(1)));
        let always = Formula::Always(Box::new(Formula::Eventually(Box::new(proposition(0)))));
        assert_eq!(read.formula, Formula::All(vec![until, always]));
    }

    #[test]
    fn what_is_no_proposition_is_refused_where_it_stands() {
        let text = "always x > 0";
        let mistakes = read(text).expect_err("a comparison");
        assert_eq!(mistakes.len(), 1);
        assert_eq!(&text[mistakes[0].bytes.clone()], "x > 0");
    }

    #[test]
    fn a_mistake_of_the_grammar_is_told_at_its_place() {
        let text = "always next p";
        let mistakes = read(text).expect_err("there is no next");
        assert_eq!(mistakes[0].bytes.start, 7);
        for wrong in ["", "always", "p and", "p q", "p\nvar x: bool"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
