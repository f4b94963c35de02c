//! Formulas of linear temporal logic without `next`: drawn by lot, written as text, and evaluated
//! on sequences of valuations that go round at their end.

use crate::random::Random;

#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    Constant(bool),
    /// The condition with this number.
    Look(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
}

use Formula::*;

/// A formula over so many conditions.
pub fn draw(looks: usize, r: &mut Random) -> Formula {
    let size = 1 + r.below(7);
    let formula = temporal(looks, size, r);
    match formula {
        // Mostly something that lasts.
        Look(_) | Constant(_) => Always(Box::new(Eventually(Box::new(formula)))),
        _ => formula,
    }
}

fn temporal(looks: usize, size: usize, r: &mut Random) -> Formula {
    if size == 0 {
        return match r.below(12) {
            0 => Constant(r.one_in(2)),
            1..=3 => Not(Box::new(Look(r.below(looks)))),
            _ => Look(r.below(looks)),
        };
    }
    let one = |r: &mut Random| Box::new(temporal(looks, size - 1, r));
    match r.below(14) {
        0..=2 => Always(one(r)),
        3..=5 => Eventually(one(r)),
        6 => Not(one(r)),
        kind => {
            let left = r.below(size);
            let a = Box::new(temporal(looks, left, r));
            let b = Box::new(temporal(looks, size - 1 - left, r));
            match kind {
                7 => And(a, b),
                8 => Or(a, b),
                9 => Implies(a, b),
                10 | 11 => Until(a, b),
                12 => WeakUntil(a, b),
                _ => Release(a, b),
            }
        }
    }
}

/// A condition on one state.
pub fn condition(names: usize, r: &mut Random) -> Formula {
    let literal = |r: &mut Random| {
        let look = Look(r.below(names));
        if r.one_in(2) {
            look
        } else {
            Not(Box::new(look))
        }
    };
    let a = literal(r);
    match r.below(6) {
        0 => Constant(true),
        1 => And(Box::new(a), Box::new(literal(r))),
        2 => Or(Box::new(a), Box::new(literal(r))),
        _ => a,
    }
}

impl Formula {
    pub fn negated(&self) -> Formula {
        Not(Box::new(self.clone()))
    }

    /// Whether it says something of more than one state.
    pub fn is_temporal(&self) -> bool {
        match self {
            Always(_) | Eventually(_) | Until(..) | WeakUntil(..) | Release(..) => true,
            _ => self.parts().iter().any(|part| part.is_temporal()),
        }
    }

    fn parts(&self) -> Vec<&Formula> {
        match self {
            Constant(_) | Look(_) => vec![],
            Not(a) | Always(a) | Eventually(a) => vec![a],
            And(a, b)
            | Or(a, b)
            | Implies(a, b)
            | Until(a, b)
            | WeakUntil(a, b)
            | Release(a, b) => vec![a, b],
        }
    }

    /// The value of a condition on one state.
    pub fn holds(&self, valuation: u64) -> bool {
        match self {
            Constant(value) => *value,
            Look(look) => valuation >> look & 1 == 1,
            Not(a) => !a.holds(valuation),
            And(a, b) => a.holds(valuation) && b.holds(valuation),
            Or(a, b) => a.holds(valuation) || b.holds(valuation),
            Implies(a, b) => !a.holds(valuation) || b.holds(valuation),
            _ => panic!("{self:?} is no condition on one state"),
        }
    }

    /// Its value at each place of a run that goes from its last place back to the one with the
    /// number `back`: straight from what the operators mean, as the least or greatest solution.
    pub fn along(&self, run: &[u64], back: usize) -> Vec<bool> {
        let solved = |first: bool, rule: &dyn Fn(usize, bool) -> bool| {
            let mut values = vec![first; run.len()];
            // What is known at the last place goes round to where the cycle begins.
            for _ in 0..=run.len() {
                for at in (0..run.len()).rev() {
                    let next = if at + 1 < run.len() { at + 1 } else { back };
                    values[at] = rule(at, values[next]);
                }
            }
            values
        };
        let of = |formula: &Formula| formula.along(run, back);
        match self {
            Constant(_) | Look(_) => run.iter().map(|v| self.holds(*v)).collect(),
            Not(a) => of(a).iter().map(|a| !a).collect(),
            And(a, b) => of(a).iter().zip(of(b)).map(|(a, b)| *a && b).collect(),
            Or(a, b) => of(a).iter().zip(of(b)).map(|(a, b)| *a || b).collect(),
            Implies(a, b) => of(a).iter().zip(of(b)).map(|(a, b)| !*a || b).collect(),
            Always(a) => {
                let a = of(a);
                solved(true, &|at, next| a[at] && next)
            }
            Eventually(a) => {
                let a = of(a);
                solved(false, &|at, next| a[at] || next)
            }
            Until(a, b) => {
                let (a, b) = (of(a), of(b));
                solved(false, &|at, next| b[at] || a[at] && next)
            }
            WeakUntil(a, b) => {
                let (a, b) = (of(a), of(b));
                solved(true, &|at, next| b[at] || a[at] && next)
            }
            Release(a, b) => {
                let (a, b) = (of(a), of(b));
                solved(true, &|at, next| b[at] && (a[at] || next))
            }
        }
    }

    /// As text, with no more parentheses than `language.md` §6 needs. Of a condition on one state
    /// `names` are the words for its parts.
    pub fn text(&self, names: &dyn Fn(usize) -> String, style: u64) -> String {
        self.at_least(LOOSEST, names, style)
    }

    fn at_least(&self, level: u8, names: &dyn Fn(usize) -> String, style: u64) -> String {
        let (text, own) = self.spelled(names, style);
        if own < level {
            format!("({text})")
        } else {
            text
        }
    }

    fn spelled(&self, names: &dyn Fn(usize) -> String, style: u64) -> (String, u8) {
        // Another style for each part.
        let inner = style.rotate_left(7) ^ 0x9e37;
        let symbols = style.is_multiple_of(3);
        let before = |word: &str, symbol: &str, a: &Formula| {
            let operand = a.at_least(UNARY, names, inner);
            let text = if symbols {
                format!("{symbol} {operand}")
            } else {
                format!("{word} {operand}")
            };
            (text, UNARY)
        };
        let between =
            |word: &str, symbol: &str, own: u8, sides: (u8, u8), a: &Formula, b: &Formula| {
                let word = if symbols { symbol } else { word };
                let left = a.at_least(sides.0, names, inner);
                let right = b.at_least(sides.1, names, inner.rotate_left(3));
                (format!("{left} {word} {right}"), own)
            };
        match self {
            Constant(value) => (value.to_string(), PRIMARY),
            Look(look) => (names(*look), PRIMARY),
            Not(a) => before("not", "!", a),
            Always(a) => before("always", "[]", a),
            Eventually(a) => before("eventually", "<>", a),
            And(a, b) => between("and", "&&", AND, (AND, UNTIL), a, b),
            Or(a, b) => between("or", "||", OR, (OR, AND), a, b),
            Implies(a, b) => {
                // The arrow is an operator between formulas, not within an expression.
                let arrow = if self.is_temporal() { "->" } else { "implies" };
                between("implies", arrow, IMPLIES, (OR, IMPLIES), a, b)
            }
            Until(a, b) => between("until", "U", UNTIL, (UNARY, UNTIL), a, b),
            WeakUntil(a, b) => between("weak_until", "W", UNTIL, (UNARY, UNTIL), a, b),
            Release(a, b) => between("release", "R", UNTIL, (UNARY, UNTIL), a, b),
        }
    }

    /// Whatever is a little less than this.
    pub fn smaller(&self) -> Vec<Formula> {
        let mut all: Vec<Formula> = self.parts().into_iter().cloned().collect();
        let one = |make: fn(Box<Formula>) -> Formula, a: &Formula| {
            let less = a.smaller().into_iter();
            less.map(|a| make(Box::new(a))).collect::<Vec<_>>()
        };
        let two = |make: fn(Box<Formula>, Box<Formula>) -> Formula, a: &Formula, b: &Formula| {
            let left = a.smaller().into_iter();
            let left = left.map(|less| make(Box::new(less), Box::new(b.clone())));
            let right = b.smaller().into_iter();
            let right = right.map(|less| make(Box::new(a.clone()), Box::new(less)));
            left.chain(right).collect::<Vec<_>>()
        };
        all.extend(match self {
            Constant(_) | Look(_) => vec![],
            Not(a) => one(Not, a),
            Always(a) => one(Always, a),
            Eventually(a) => one(Eventually, a),
            And(a, b) => two(And, a, b),
            Or(a, b) => two(Or, a, b),
            Implies(a, b) => two(Implies, a, b),
            Until(a, b) => two(Until, a, b),
            WeakUntil(a, b) => two(WeakUntil, a, b),
            Release(a, b) => two(Release, a, b),
        });
        all
    }
}

const LOOSEST: u8 = 0;
const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const UNTIL: u8 = 4;
const UNARY: u8 = 5;
const PRIMARY: u8 = 6;
