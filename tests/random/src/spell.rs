//! Expressions as text, with no more parentheses than the table of `language.md` §3 needs, so
//! that precedence is tested with the rest.

use crate::model::*;
use crate::render::Writer;
use crate::value::Value;

/// How tightly an expression holds together, from the loosest.
const LOOSEST: u8 = 0;
const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARISON: u8 = 5;
const SUM: u8 = 6;
const TERM: u8 = 7;
const MINUS: u8 = 8;
const WITH: u8 = 9;
const PRIMARY: u8 = 10;

pub fn expr(w: &Writer, e: &Expr) -> String {
    at_least(w, e, LOOSEST)
}

/// The text where something at least as tight as `level` must stand.
fn at_least(w: &Writer, e: &Expr, level: u8) -> String {
    let (text, own) = spell(w, e);
    if own < level {
        format!("({text})")
    } else {
        text
    }
}

fn list(w: &Writer, l: &[Expr]) -> String {
    l.iter().map(|e| expr(w, e)).collect::<Vec<_>>().join(", ")
}

pub fn place(w: &Writer, p: &Place) -> String {
    let name = match &p.base {
        Base::Shared(k) => &w.model.variables[*k].name,
        Base::Constant(k) => &w.model.constants[*k].name,
        Base::Parameter(name) => name,
        Base::Local(k) => {
            // A macro that stands in a process is written there too.
            let inside = w.inside.expect("a local variable in a process");
            &w.model.processes[inside].locals[*k].name
        }
    };
    format!("{name}{}", path(w, &p.path))
}

fn path(w: &Writer, path: &[Key]) -> String {
    let one = |key: &Key| match key {
        Key::Cell(e, _) => format!("[{}]", expr(w, e)),
        Key::Field(_, name) => format!(".{name}"),
        Key::Element(e, _) => format!("[{}]", expr(w, e)),
    };
    path.iter().map(one).collect()
}

fn instance(w: &Writer, process: usize, arguments: &[Expr]) -> String {
    let name = &w.model.processes[process].name;
    match arguments {
        [] => name.clone(),
        _ => format!("{name}({})", list(w, arguments)),
    }
}

fn channel(w: &Writer, c: usize, index: &Option<Box<Expr>>) -> String {
    let index = index
        .as_ref()
        .map_or(String::new(), |e| format!("[{}]", expr(w, e)));
    format!("{}{index}", w.model.channels[c].name)
}

fn spell(w: &Writer, e: &Expr) -> (String, u8) {
    let primary = |s: String| (s, PRIMARY);
    match e {
        Expr::Literal(Value::Int(n)) if *n < 0 => (n.to_string(), MINUS),
        Expr::Literal(Value::Int(n)) => primary(n.to_string()),
        Expr::Literal(Value::Bool(b)) => primary(b.to_string()),
        Expr::Literal(Value::Enum(e, k)) => primary(w.model.enums[*e].1[*k].clone()),
        Expr::Literal(other) => panic!("{other:?} is no literal"),
        Expr::Bound(name) => primary(name.clone()),
        Expr::Read(p) => primary(place(w, p)),
        Expr::Not(a) if w.symbols => (format!("!{}", at_least(w, a, NOT)), NOT),
        Expr::Not(a) => (format!("not {}", at_least(w, a, NOT)), NOT),
        Expr::Minus(a) => {
            // `--x` is two signs, but reads badly.
            let inner = at_least(w, a, PRIMARY);
            (format!("-{inner}"), MINUS)
        }
        Expr::Binary(op, a, b) => binary(w, *op, a, b),
        Expr::OneOf(a, set) => (
            format!("{} in {{{}}}", at_least(w, a, SUM), list(w, set)),
            COMPARISON,
        ),
        Expr::If(c, a, b) => (
            format!("if {} then {} else {}", expr(w, c), expr(w, a), expr(w, b)),
            LOOSEST,
        ),
        Expr::Over(q, name, ty, body) => {
            let inner = match &**body {
                // `forall x in T, y in U: e`
                Expr::Over(inner, other, _, _)
                    if inner == q
                        && other != name
                        && matches!(q, Quantifier::Forall | Quantifier::Exists) =>
                {
                    let rest = expr(w, body);
                    let rest = rest.split_once(' ').expect("the word comes first").1;
                    format!("{name} in {}, {rest}", ty.text)
                }
                _ => format!("{name} in {}: {}", ty.text, expr(w, body)),
            };
            match q {
                Quantifier::Forall => (format!("forall {inner}"), LOOSEST),
                Quantifier::Exists => (format!("exists {inner}"), LOOSEST),
                Quantifier::Count => primary(format!("count({inner})")),
                Quantifier::Sum => primary(format!("sum({inner})")),
                Quantifier::Min => primary(format!("min({inner})")),
                Quantifier::Max => primary(format!("max({inner})")),
            }
        }
        Expr::Least(l) => primary(format!("min({})", list(w, l))),
        Expr::Greatest(l) => primary(format!("max({})", list(w, l))),
        Expr::At(p, arguments, places) => {
            let at = match places.as_slice() {
                [one] => one.clone(),
                several => format!("{{{}}}", several.join(", ")),
            };
            primary(format!("{}@{at}", instance(w, *p, arguments)))
        }
        Expr::LocalOf(p, arguments, local, inner) => {
            let name = &w.model.processes[*p].locals[*local].name;
            primary(format!(
                "{}.{name}{}",
                instance(w, *p, arguments),
                path(w, inner)
            ))
        }
        Expr::Length(c, i) => primary(format!("len({})", channel(w, *c, i))),
        Expr::Empty(c, i) => primary(format!("empty({})", channel(w, *c, i))),
        Expr::Full(c, i) => primary(format!("full({})", channel(w, *c, i))),
        Expr::BitNot(a) => primary(format!("bit_not({})", expr(w, a))),
        Expr::Bits(op, a, b) => {
            let name = match op {
                BitOperator::And => "bit_and",
                BitOperator::Or => "bit_or",
                BitOperator::Xor => "bit_xor",
                BitOperator::ShiftLeft => "shift_left",
                BitOperator::ShiftRight => "shift_right",
            };
            primary(format!("{name}({}, {})", expr(w, a), expr(w, b)))
        }
        Expr::Cells(l) => primary(format!("[{}]", list(w, l))),
        Expr::CellsOver(name, ty, body) => {
            primary(format!("[{name} in {}: {}]", ty.text, expr(w, body)))
        }
        Expr::Fields(list) => primary(fields(w, list)),
        Expr::With(base, list) => {
            let base = at_least(w, base, WITH);
            (format!("{base} with {}", fields(w, list)), WITH)
        }
        Expr::Use(d, l) => {
            let name = &w.model.definitions[*d].name;
            let l = if l.is_empty() {
                String::new()
            } else {
                format!("({})", list(w, l))
            };
            primary(format!("{name}{l}"))
        }
        Expr::Of(c) => collection(w, c),
    }
}

/// The elements of a set or a list. What begins as `{x in T: e}` and `[x in I: e]` do stands in
/// parentheses.
fn elements(w: &Writer, l: &[Expr]) -> String {
    let text = list(w, l);
    let mut words = text.split(' ');
    let is_name = |word: &str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
    if words.next().is_some_and(is_name) && words.next() == Some("in") {
        let first = format!("({})", expr(w, &l[0]));
        let rest = l[1..].iter().map(|e| expr(w, e));
        return [first]
            .into_iter()
            .chain(rest)
            .collect::<Vec<_>>()
            .join(", ");
    }
    text
}

fn collection(w: &Writer, c: &Collection) -> (String, u8) {
    let primary = |s: String| (s, PRIMARY);
    match c {
        Collection::Set(_, l) => primary(format!("{{{}}}", elements(w, l))),
        Collection::Among(_, name, over, e) => {
            primary(format!("{{{name} in {}: {}}}", over.text, expr(w, e)))
        }
        Collection::List(_, _, l) => primary(format!("[{}]", elements(w, l))),
        Collection::In(a, b) => {
            let (a, b) = (at_least(w, a, SUM), at_least(w, b, SUM));
            (format!("{a} in {b}"), COMPARISON)
        }
        Collection::Join(_, a, b) => binary(w, Operator::Plus, a, b),
        Collection::Slice(_, l, from, to) => {
            let (from, to) = (at_least(w, from, SUM), at_least(w, to, SUM));
            primary(format!("{}[{from}..{to}]", at_least(w, l, PRIMARY)))
        }
        Collection::Element(_, l, e) => {
            primary(format!("{}[{}]", at_least(w, l, PRIMARY), expr(w, e)))
        }
        Collection::Size(measure, _, a) => {
            let name = match measure {
                Measure::Length => "len",
                Measure::Empty => "empty",
                Measure::Full => "full",
            };
            primary(format!("{name}({})", expr(w, a)))
        }
    }
}

fn fields(w: &Writer, fields: &[(usize, String, Expr)]) -> String {
    let fields: Vec<_> = fields
        .iter()
        .map(|(_, n, e)| format!("{n}: {}", expr(w, e)))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

fn binary(w: &Writer, op: Operator, a: &Expr, b: &Expr) -> (String, u8) {
    use Operator::*;
    // The level of the whole, and what each side needs.
    let (word, own, left, right) = match op {
        Implies => ("implies", IMPLIES, OR, IMPLIES),
        Or if w.symbols => ("||", OR, OR, AND),
        Or => ("or", OR, OR, AND),
        And if w.symbols => ("&&", AND, AND, NOT),
        And => ("and", AND, AND, NOT),
        Equal => ("==", COMPARISON, SUM, SUM),
        Differ => ("!=", COMPARISON, SUM, SUM),
        Less => ("<", COMPARISON, SUM, SUM),
        AtMost => ("<=", COMPARISON, SUM, SUM),
        Greater => (">", COMPARISON, SUM, SUM),
        AtLeast => (">=", COMPARISON, SUM, SUM),
        Plus => ("+", SUM, SUM, TERM),
        Minus => ("-", SUM, SUM, TERM),
        Times => ("*", TERM, TERM, MINUS),
        Over => ("/", TERM, TERM, MINUS),
        Modulo => ("%", TERM, TERM, MINUS),
    };
    (
        format!("{} {word} {}", at_least(w, a, left), at_least(w, b, right)),
        own,
    )
}
