//! Making formulas that are simpler and mean the same.
//!
//! The laws are those of Somenzi and Bloem (2000, section 4) and of Etessami and Holzmann (2000,
//! section 3), as far as they need no `next`; a law stands in the text beside what it is applied to,
//! with F, G, U and R for the operators, `e` for a pure eventuality, `u` for a purely universal
//! formula and `l` for one that is both (it says something of the end of the run alone). Whatever is
//! made is made through `all`, `any`, `until` and `release`, so that laws apply from the parts upwards.

use super::formulas::{FALSE, Formulas, Id, Node, TRUE};

/// Conjunctions and disjunctions with more parts are not searched for pairs of parts that imply or
/// exclude one another.
const MOST_COMPARED: usize = 64;
/// How deep implications are looked for.
const DEEPEST: u32 = 24;

impl Formulas {
    pub(super) fn eventually(&mut self, part: Id) -> Id {
        self.until(TRUE, part)
    }

    pub(super) fn always(&mut self, part: Id) -> Id {
        self.release(FALSE, part)
    }

    pub(super) fn all(&mut self, parts: Vec<Id>) -> Id {
        self.list(parts, true)
    }

    pub(super) fn any(&mut self, parts: Vec<Id>) -> Id {
        self.list(parts, false)
    }

    /// A conjunction, or its dual.
    fn list(&mut self, parts: Vec<Id>, conjunction: bool) -> Id {
        let (unit, zero) = if conjunction {
            (TRUE, FALSE)
        } else {
            (FALSE, TRUE)
        };
        let mut parts = self.flattened(parts, conjunction);
        loop {
            parts.sort_unstable();
            parts.dedup();
            parts.retain(|&part| part != unit);
            if parts.contains(&zero) {
                return zero;
            }
            let excluded = |part: &Id| {
                let opposite = self.opposite(*part);
                opposite.is_some_and(|opposite| parts.binary_search(&opposite).is_ok())
            };
            if parts.iter().any(excluded) {
                return zero;
            }
            if parts.len() <= MOST_COMPARED {
                self.absorb(&mut parts, conjunction);
                if conjunction && self.excludes(&parts) {
                    return FALSE;
                }
            }
            let Some(merged) = self.merged(&parts, conjunction) else {
                break;
            };
            parts = self.flattened(merged, conjunction);
        }
        match parts[..] {
            [] => unit,
            [part] => part,
            _ if conjunction => self.keep(Node::All(parts.into())),
            _ => self.keep(Node::Any(parts.into())),
        }
    }

    fn flattened(&self, parts: Vec<Id>, conjunction: bool) -> Vec<Id> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match self.node(part) {
                Node::All(inner) if conjunction => flat.extend_from_slice(inner),
                Node::Any(inner) if !conjunction => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat
    }

    /// Leaves out what another part implies; of a disjunction, what implies another part.
    fn absorb(&mut self, parts: &mut Vec<Id>, conjunction: bool) {
        let mut at = 0;
        while at < parts.len() {
            let part = parts[at];
            let redundant = (0..parts.len()).any(|other| {
                let other = parts[other];
                other != part
                    && if conjunction {
                        self.implies(other, part)
                    } else {
                        self.implies(part, other)
                    }
            });
            if redundant {
                parts.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Whether a part says that a literal always fails which another wants at some time.
    fn excludes(&mut self, parts: &[Id]) -> bool {
        for &part in parts {
            let Node::Release(FALSE, kept) = *self.node(part) else {
                continue;
            };
            let kept = match self.node(kept) {
                Node::All(kept) => kept.to_vec(),
                _ => vec![kept],
            };
            for kept in kept {
                let Some(opposite) = self.opposite(kept) else {
                    continue;
                };
                let sometime = self.keep(Node::Until(TRUE, opposite));
                if parts.iter().any(|&other| self.implies(other, sometime)) {
                    return true;
                }
            }
        }
        false
    }

    /// The parts after the first law that makes one of two of them, if there is one:
    ///
    /// * G a and G b = G (a and b), where neither is e; F a or F b = F (a or b);
    /// * F G a and F G b = F G (a and b); G F a or G F b = G F (a or b);
    /// * (a U c) and (b U c) = (a and b) U c; (a R b) and (a R c) = a R (b and c); and their duals.
    fn merged(&mut self, parts: &[Id], conjunction: bool) -> Option<Vec<Id>> {
        /// What two parts must have in common.
        #[derive(PartialEq)]
        enum Same {
            Always,
            EventuallyAlways,
            Left(Id),
            Right(Id),
        }
        let kinds = |formulas: &Formulas, part: Id| -> Vec<(Same, Id)> {
            let (until, left, right) = match *formulas.node(part) {
                Node::Until(left, right) => (true, left, right),
                Node::Release(left, right) => (false, left, right),
                _ => return Vec::new(),
            };
            // Of the dual, until and release change places, and so do what is e and what is u.
            if until != conjunction {
                if left == FALSE || left == TRUE {
                    let inner = formulas.form(right);
                    let apart = conjunction && inner.eventual;
                    return if apart {
                        Vec::new()
                    } else {
                        vec![(Same::Always, right)]
                    };
                }
                return vec![(Same::Left(left), right)];
            }
            if left == FALSE || left == TRUE {
                return match *formulas.node(right) {
                    Node::Release(FALSE, inner) if conjunction => {
                        vec![(Same::EventuallyAlways, inner)]
                    }
                    Node::Until(TRUE, inner) if !conjunction => {
                        vec![(Same::EventuallyAlways, inner)]
                    }
                    _ => Vec::new(),
                };
            }
            vec![(Same::Right(right), left)]
        };
        if self.patience < parts.len() as u32 {
            return None;
        }
        self.patience -= parts.len() as u32;
        let mut known: Vec<(Same, Vec<(usize, Id)>)> = Vec::new();
        for (at, &part) in parts.iter().enumerate() {
            for (same, inner) in kinds(self, part) {
                match known.iter_mut().find(|(other, _)| *other == same) {
                    Some((_, group)) => group.push((at, inner)),
                    None => known.push((same, vec![(at, inner)])),
                }
            }
        }
        let (same, group) = known.into_iter().find(|(_, group)| group.len() > 1)?;
        let inner: Vec<Id> = group.iter().map(|&(_, inner)| inner).collect();
        let inner = self.list(inner, conjunction);
        let one = match (same, conjunction) {
            (Same::Always, true) => self.always(inner),
            (Same::Always, false) => self.eventually(inner),
            (Same::EventuallyAlways, true) => {
                let always = self.always(inner);
                self.eventually(always)
            }
            (Same::EventuallyAlways, false) => {
                let eventually = self.eventually(inner);
                self.always(eventually)
            }
            (Same::Left(left), true) => self.release(left, inner),
            (Same::Left(left), false) => self.until(left, inner),
            (Same::Right(right), true) => self.until(inner, right),
            (Same::Right(right), false) => self.release(inner, right),
        };
        let gone: Vec<usize> = group.iter().map(|&(at, _)| at).collect();
        let rest = parts.iter().enumerate();
        let rest = rest.filter(|(at, _)| !gone.contains(at));
        let mut merged: Vec<Id> = rest.map(|(_, &part)| part).collect();
        merged.push(one);
        // A law above that takes apart what one here puts together would go on for ever.
        let mut before = parts.to_vec();
        before.sort_unstable();
        let mut after = self.flattened(merged.clone(), conjunction);
        after.sort_unstable();
        (before != after).then_some(merged)
    }

    pub(super) fn until(&mut self, left: Id, right: Id) -> Id {
        // a U true = true, a U false = false, false U b = b, a U e = e.
        if left == FALSE || self.form(right).eventual {
            return right;
        }
        if self.patience == 0 {
            return self.keep(Node::Until(left, right));
        }
        self.patience -= 1;
        match self.node(right).clone() {
            // a U (b U c) = b U c where a implies b; F (a U b) = F b.
            Node::Until(_, inner) if left == TRUE => return self.eventually(inner),
            Node::Until(middle, _) if self.implies(left, middle) => return right,
            // F (a R b) = F (a and b) or F G b.
            Node::Release(released, kept) if left == TRUE && released != FALSE => {
                let both = self.all(vec![released, kept]);
                let both = self.eventually(both);
                let always = self.always(kept);
                let always = self.eventually(always);
                return self.any(vec![both, always]);
            }
            // F G (a or e or u) = F G a or G e or F u.
            Node::Release(FALSE, kept) if left == TRUE => {
                if let Node::Any(parts) = self.node(kept).clone()
                    && self.some(&parts, |form| form.eventual || form.universal)
                {
                    let (mut ends, rest) = self.ends(&parts);
                    let rest = self.any(rest);
                    let rest = self.always(rest);
                    ends.push(self.eventually(rest));
                    return self.any(ends);
                }
            }
            // a U (b or e) = (a U b) or e.
            Node::Any(parts) if self.some(&parts, |form| form.eventual) => {
                let (eventual, rest) = self.split(&parts, |form| form.eventual);
                let rest = self.any(rest);
                let rest = self.until(left, rest);
                return self.any([eventual, vec![rest]].concat());
            }
            // a U (b and l) = (a U b) and l.
            Node::All(parts) if self.some(&parts, |form| form.eventual && form.universal) => {
                let (end, rest) = self.split(&parts, |form| form.eventual && form.universal);
                let rest = self.all(rest);
                let rest = self.until(left, rest);
                return self.all([end, vec![rest]].concat());
            }
            _ => {}
        }
        // a U b = b where a implies b, and F b where b fails only with a; (a or b) U b = a U b.
        if left != TRUE {
            if self.implies(left, right) {
                return right;
            }
            if self.fails_only_with(right, left) {
                return self.eventually(right);
            }
            if let Node::Any(parts) = self.node(left).clone() {
                let kept: Vec<Id> = parts
                    .iter()
                    .copied()
                    .filter(|&part| !self.implies(part, right))
                    .collect();
                if kept.len() < parts.len() {
                    let left = self.any(kept);
                    return self.until(left, right);
                }
            }
            // (a U b) U b = a U b.
            if let Node::Until(_, same) = *self.node(left)
                && same == right
            {
                return left;
            }
        }
        self.keep(Node::Until(left, right))
    }

    pub(super) fn release(&mut self, left: Id, right: Id) -> Id {
        // The duals of what `until` says, in its order.
        if left == TRUE || self.form(right).universal {
            return right;
        }
        if self.patience == 0 {
            return self.keep(Node::Release(left, right));
        }
        self.patience -= 1;
        match self.node(right).clone() {
            Node::Release(_, inner) if left == FALSE => return self.always(inner),
            Node::Release(middle, _) if self.implies(middle, left) => return right,
            Node::Until(kept, wanted) if left == FALSE && kept != TRUE => {
                let either = self.any(vec![kept, wanted]);
                let either = self.always(either);
                let often = self.eventually(wanted);
                let often = self.always(often);
                return self.all(vec![either, often]);
            }
            Node::Until(TRUE, wanted) if left == FALSE => match self.node(wanted).clone() {
                Node::All(parts) if self.some(&parts, |form| form.eventual || form.universal) => {
                    let (mut ends, rest) = self.ends(&parts);
                    let rest = self.all(rest);
                    let rest = self.eventually(rest);
                    ends.push(self.always(rest));
                    return self.all(ends);
                }
                // G F (a or u) = G F a or F u.
                Node::Any(parts) if self.some(&parts, |form| form.universal) => {
                    let (mut ends, rest) = self.ends(&parts);
                    let rest = self.any(rest);
                    let rest = self.eventually(rest);
                    ends.push(self.always(rest));
                    return self.any(ends);
                }
                _ => {}
            },
            Node::All(parts) if self.some(&parts, |form| form.universal) => {
                let (universal, rest) = self.split(&parts, |form| form.universal);
                let rest = self.all(rest);
                let rest = self.release(left, rest);
                return self.all([universal, vec![rest]].concat());
            }
            // G (a and e) = G a and G e.
            Node::All(parts) if left == FALSE && self.some(&parts, |form| form.eventual) => {
                let (eventual, rest) = self.split(&parts, |form| form.eventual);
                let eventual: Vec<Id> = eventual.into_iter().map(|e| self.always(e)).collect();
                let rest = self.all(rest);
                let rest = self.always(rest);
                return self.all([eventual, vec![rest]].concat());
            }
            Node::Any(parts) if self.some(&parts, |form| form.eventual && form.universal) => {
                let (end, rest) = self.split(&parts, |form| form.eventual && form.universal);
                let rest = self.any(rest);
                let rest = self.release(left, rest);
                return self.any([end, vec![rest]].concat());
            }
            _ => {}
        }
        if left != FALSE {
            if self.implies(right, left) {
                return right;
            }
            if self.excluded_by(left, right) {
                return self.always(right);
            }
            if let Node::All(parts) = self.node(left).clone() {
                let kept: Vec<Id> = parts
                    .iter()
                    .copied()
                    .filter(|&part| !self.implies(right, part))
                    .collect();
                if kept.len() < parts.len() {
                    let left = self.all(kept);
                    return self.release(left, right);
                }
            }
            if let Node::Release(_, same) = *self.node(left)
                && same == right
            {
                return left;
            }
        }
        self.keep(Node::Release(left, right))
    }

    fn some(&self, parts: &[Id], what: fn(super::formulas::Form) -> bool) -> bool {
        parts.iter().any(|&part| what(self.form(part)))
    }

    fn split(&self, parts: &[Id], what: fn(super::formulas::Form) -> bool) -> (Vec<Id>, Vec<Id>) {
        parts.iter().partition(|&&part| what(self.form(part)))
    }

    /// G e for each e of the parts and F u for each other u, and the parts that are neither.
    fn ends(&mut self, parts: &[Id]) -> (Vec<Id>, Vec<Id>) {
        let (mut ends, mut rest) = (Vec::new(), Vec::new());
        for &part in parts {
            let form = self.form(part);
            if form.eventual {
                ends.push(self.always(part));
            } else if form.universal {
                ends.push(self.eventually(part));
            } else {
                rest.push(part);
            }
        }
        (ends, rest)
    }

    /// Whether `wanted` or `left` surely holds, as far as literals tell.
    fn fails_only_with(&self, wanted: Id, left: Id) -> bool {
        self.covers(wanted, left, true)
    }

    /// Whether `left` and `right` surely never hold together, as far as literals tell.
    fn excluded_by(&self, left: Id, right: Id) -> bool {
        self.covers(left, right, false)
    }

    /// Whether two disjunctions have a literal and its opposite; two conjunctions where not `any`.
    fn covers(&self, one: Id, other: Id, any: bool) -> bool {
        let parts = |id: Id| match self.node(id) {
            Node::Any(parts) if any => parts.to_vec(),
            Node::All(parts) if !any => parts.to_vec(),
            _ => vec![id],
        };
        let other = parts(other);
        parts(one).into_iter().any(|part| {
            let opposite = self.opposite(part);
            opposite.is_some_and(|opposite| other.contains(&opposite))
        })
    }

    /// Whether the one formula implies the other, as far as their form tells.
    pub(super) fn implies(&mut self, one: Id, other: Id) -> bool {
        self.implies_within(one, other, DEEPEST)
    }

    fn implies_within(&mut self, one: Id, other: Id, depth: u32) -> bool {
        if one == other || one == FALSE || other == TRUE {
            return true;
        }
        if one == TRUE || other == FALSE || depth == 0 || self.patience == 0 {
            return false;
        }
        if let Some(&known) = self.implications.get(&(one, other)) {
            return known;
        }
        self.patience -= 1;
        let found = self.implied(one, other, depth - 1);
        self.implications.insert((one, other), found);
        found
    }

    fn implied(&mut self, one: Id, other: Id, depth: u32) -> bool {
        let (left, right) = (self.node(one).clone(), self.node(other).clone());
        let by_left = match &left {
            Node::All(parts) => parts
                .iter()
                .any(|&part| self.implies_within(part, other, depth)),
            Node::Any(parts) => parts
                .iter()
                .all(|&part| self.implies_within(part, other, depth)),
            // What holds until something does: that, or what is then.
            Node::Until(kept, wanted) => {
                self.implies_within(*kept, other, depth)
                    && self.implies_within(*wanted, other, depth)
            }
            Node::Release(_, kept) => self.implies_within(*kept, other, depth),
            _ => false,
        };
        if by_left {
            return true;
        }
        let by_right = match &right {
            Node::All(parts) => parts
                .iter()
                .all(|&part| self.implies_within(one, part, depth)),
            Node::Any(parts) => parts
                .iter()
                .any(|&part| self.implies_within(one, part, depth)),
            Node::Until(_, wanted) => self.implies_within(one, *wanted, depth),
            Node::Release(released, kept) => {
                self.implies_within(one, *kept, depth) && self.implies_within(one, *released, depth)
            }
            _ => false,
        };
        if by_right {
            return true;
        }
        match (left, right) {
            (Node::Until(a, b), Node::Until(c, d)) | (Node::Release(a, b), Node::Release(c, d)) => {
                self.implies_within(a, c, depth) && self.implies_within(b, d, depth)
            }
            // Purely universal: it goes on, so what it implies does.
            (_, Node::Release(FALSE, kept)) if self.form(one).universal => {
                self.implies_within(one, kept, depth)
            }
            // A pure eventuality implies itself earlier on.
            (Node::Until(TRUE, wanted), _) if self.form(other).eventual => {
                self.implies_within(wanted, other, depth)
            }
            _ => false,
        }
    }
}
