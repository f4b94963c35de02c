//! A formula that is given on the command line, by itself: the names in it are its propositions.

use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxError, TextRange, TextSize, parse};
use stubborn_system::property::Formula;

/// No automaton has more propositions.
const MOST_NAMES: usize = stubborn_automata::label::MOST_PROPOSITIONS;

/// A formula and the names of its propositions, in the order in which they are first met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub formula: Formula,
    pub names: Vec<String>,
}

/// What stands before a formula in a file.
const BEFORE: &str = "ltl formula: ";

/// Reads a formula in the grammar of the language.
///
/// # Errors
/// Its mistakes: those of the grammar, and what is no proposition, no constant and no operator.
pub fn read(text: &str) -> Result<Named, Vec<SyntaxError>> {
    let parsed = parse(&format!("{BEFORE}{text}\n"));
    if !parsed.errors.is_empty() {
        let errors = parsed.errors.into_iter().map(|error| SyntaxError {
            range: within(error.range, text),
            ..error
        });
        return Err(errors.collect());
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
        let message = format!(
            "the formula has {} propositions, and no more than {MOST_NAMES} can be observed",
            reader.names.len()
        );
        let whole = TextRange::up_to(TextSize::of(text));
        reader.mistakes.push(SyntaxError::new(message, whole));
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

struct Reader<'a> {
    text: &'a str,
    names: Vec<String>,
    mistakes: Vec<SyntaxError>,
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
fn mistake(part: &impl AstNode, what: &str, text: &str) -> SyntaxError {
    let range = within(part.syntax().text_range(), text);
    let quoted = text.get(std::ops::Range::<usize>::from(range));
    let quoted = quoted.unwrap_or("").trim();
    SyntaxError::new(format!("{what} `{quoted}`"), range)
}

/// A range of what was parsed in the text of the formula.
fn within(range: TextRange, text: &str) -> TextRange {
    let at = |place: TextSize| {
        let shifted = usize::from(place).saturating_sub(BEFORE.len());
        TextSize::new(shifted.min(text.len()) as u32)
    };
    TextRange::new(at(range.start()), at(range.end()))
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
        assert_eq!(&text[mistakes[0].range], "x > 0");
    }

    #[test]
    fn a_mistake_of_the_grammar_is_told_at_its_place() {
        let text = "always next p";
        let mistakes = read(text).expect_err("there is no next");
        assert_eq!(mistakes[0].range.start(), TextSize::new(7));
        for wrong in ["", "always", "p and", "p q", "p\nvar x: bool"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
