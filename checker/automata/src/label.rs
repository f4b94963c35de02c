//! Which states of a system a state of an automaton reads.

use stubborn_system::property::Formula;

use crate::limits::{MOST_CUBES, TooLarge};
use crate::work::{NotMade, Work};

/// The propositions that hold, bit `i` for proposition `i`.
pub type Valuation = u64;

/// No automaton has more propositions.
pub const MOST_PROPOSITIONS: usize = 64;

/// A conjunction of propositions and negated propositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cube {
    /// What must hold.
    pub holds: Valuation,
    /// What must not hold; with something of both no valuation is read.
    pub fails: Valuation,
}

/// A set of valuations: those that one of the cubes reads. None where there are no cubes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Label {
    pub cubes: Vec<Cube>,
}

impl Cube {
    /// Reads this valuation of the propositions of `of`, whatever the others are.
    pub fn exactly(valuation: Valuation, of: Valuation) -> Cube {
        Cube {
            holds: valuation & of,
            fails: !valuation & of,
        }
    }

    pub fn reads(self, valuation: Valuation) -> bool {
        valuation & self.holds == self.holds && valuation & self.fails == 0
    }

    /// Whether it reads nothing.
    pub fn is_empty(self) -> bool {
        self.holds & self.fails != 0
    }

    /// The propositions in it.
    pub fn mentions(self) -> Valuation {
        self.holds | self.fails
    }

    /// Reads what both read.
    pub fn and(self, other: Cube) -> Cube {
        Cube {
            holds: self.holds | other.holds,
            fails: self.fails | other.fails,
        }
    }

    /// Whether it reads all that the other reads, which is not empty.
    pub fn includes(self, other: Cube) -> bool {
        self.holds & !other.holds == 0 && self.fails & !other.fails == 0
    }

    /// The one in which exactly one proposition is opposed in the two: the cube that both together
    /// include, and that neither need include.
    fn consensus(self, other: Cube) -> Option<Cube> {
        let opposed = (self.holds & other.fails) | (self.fails & other.holds);
        (opposed.count_ones() == 1).then(|| {
            let both = self.and(other);
            Cube {
                holds: both.holds & !opposed,
                fails: both.fails & !opposed,
            }
        })
    }
}

impl Label {
    /// Reads every valuation.
    pub fn any() -> Label {
        Label {
            cubes: vec![Cube::default()],
        }
    }

    /// Reads nothing.
    pub fn none() -> Label {
        Label::default()
    }

    pub fn of_cube(cube: Cube) -> Label {
        let mut label = Label::none();
        label.absorb(cube);
        label
    }

    /// The valuations in which a formula without temporal operators holds, [simplified](Self::simplified).
    /// Of a temporal operator it takes what it says of one state that is repeated for ever.
    ///
    /// # Errors
    /// Where it would have too many cubes, or the work has been stopped.
    pub fn of_formula(formula: &Formula, work: &Work<'_>) -> Result<Label, NotMade> {
        // Each operand leaves a label on `labels`, which its operator takes.
        enum Task<'a> {
            Read(&'a Formula, bool),
            All(usize),
            Any(usize),
        }
        let mut tasks = vec![Task::Read(formula, true)];
        let mut labels: Vec<Label> = Vec::new();
        while let Some(task) = tasks.pop() {
            work.spend(1)?;
            match task {
                Task::Read(formula, positive) => match formula {
                    Formula::Constant(value) => labels.push(if *value == positive {
                        Label::any()
                    } else {
                        Label::none()
                    }),
                    Formula::Proposition(number) => {
                        // What has more propositions is refused when the automaton is made.
                        let bit = 1u64.checked_shl(*number).unwrap_or(0);
                        let (holds, fails) = if positive { (bit, 0) } else { (0, bit) };
                        labels.push(Label::of_cube(Cube { holds, fails }));
                    }
                    Formula::Not(part) => tasks.push(Task::Read(part, !positive)),
                    Formula::All(parts) | Formula::Any(parts) => {
                        let conjunction = matches!(formula, Formula::All(_)) == positive;
                        tasks.push(if conjunction {
                            Task::All(parts.len())
                        } else {
                            Task::Any(parts.len())
                        });
                        tasks.extend(parts.iter().map(|part| Task::Read(part, positive)));
                    }
                    Formula::Always(part) | Formula::Eventually(part) => {
                        tasks.push(Task::Read(part, positive));
                    }
                    Formula::Until(_, goal) | Formula::Release(_, goal) => {
                        tasks.push(Task::Read(goal, positive));
                    }
                    Formula::WeakUntil(before, goal) => {
                        tasks.push(if positive { Task::Any(2) } else { Task::All(2) });
                        tasks.push(Task::Read(before, positive));
                        tasks.push(Task::Read(goal, positive));
                    }
                },
                Task::All(count) => {
                    let parts = labels.split_off(labels.len().saturating_sub(count));
                    let mut all = Label::any();
                    for part in &parts {
                        all = all.intersection(part, work)?;
                    }
                    labels.push(all);
                }
                Task::Any(count) => {
                    let parts = labels.split_off(labels.len().saturating_sub(count));
                    let mut any = Label::none();
                    for part in &parts {
                        any = any.union(part, work)?;
                    }
                    labels.push(any);
                }
            }
        }
        let label = labels.pop().unwrap_or_default();
        work.spend(label.comparisons())?;
        Ok(label.simplified())
    }

    pub fn reads(&self, valuation: Valuation) -> bool {
        self.cubes.iter().any(|cube| cube.reads(valuation))
    }

    /// About how many pairs of cubes are compared when it is simplified.
    pub(crate) fn comparisons(&self) -> usize {
        1 + self.cubes.len() * self.cubes.len()
    }

    /// Whether it reads nothing.
    pub fn is_empty(&self) -> bool {
        self.cubes.iter().all(|cube| cube.is_empty())
    }

    /// The propositions in its cubes.
    pub fn mentions(&self) -> Valuation {
        let mentions = self.cubes.iter().map(|cube| cube.mentions());
        mentions.fold(0, |all, some| all | some)
    }

    /// Reads what one of both reads.
    ///
    /// # Errors
    /// As those of [`of_formula`](Self::of_formula).
    pub fn union(&self, other: &Label, work: &Work<'_>) -> Result<Label, NotMade> {
        let mut union = Label::none();
        for &cube in self.cubes.iter().chain(&other.cubes) {
            work.spend(1 + union.cubes.len())?;
            union.absorb(cube);
            union.within_limit()?;
        }
        Ok(union)
    }

    /// Reads what both read.
    ///
    /// # Errors
    /// As those of [`of_formula`](Self::of_formula).
    pub fn intersection(&self, other: &Label, work: &Work<'_>) -> Result<Label, NotMade> {
        let mut intersection = Label::none();
        for &one in &self.cubes {
            for &two in &other.cubes {
                work.spend(1 + intersection.cubes.len())?;
                intersection.absorb(one.and(two));
                intersection.within_limit()?;
            }
        }
        Ok(intersection)
    }

    /// Reads what this does not read.
    ///
    /// # Errors
    /// As those of [`of_formula`](Self::of_formula).
    pub fn complement(&self, work: &Work<'_>) -> Result<Label, NotMade> {
        let mut rest = Label::any();
        for &cube in self.cubes.iter().filter(|cube| !cube.is_empty()) {
            let opposed = |bit| match cube.holds & bit {
                0 => Cube {
                    holds: bit,
                    fails: 0,
                },
                _ => Cube {
                    holds: 0,
                    fails: bit,
                },
            };
            let outside = Label {
                cubes: bits(cube.mentions()).map(opposed).collect(),
            };
            rest = rest.intersection(&outside, work)?;
        }
        Ok(rest)
    }

    /// Whether some valuation is read by both.
    pub fn meets(&self, other: &Label) -> bool {
        let both = |&one: &Cube| other.cubes.iter().any(|&two| !one.and(two).is_empty());
        self.cubes.iter().any(both)
    }

    /// Whether it reads all that the other reads. Where that would take too long, false.
    pub fn includes(&self, other: &Label) -> bool {
        let mut work = MOST.work;
        other
            .cubes
            .iter()
            .all(|&cube| covers(&self.cubes, cube, &mut work))
    }

    /// The same set of valuations, always with the same cubes: the prime implicants (by iterated
    /// consensus), without those that the rest covers. A set for which there are too many prime
    /// implicants stays as it is, so that two equal sets may have different labels: no harm is done
    /// where equal labels are looked for to save states.
    pub fn simplified(&self) -> Label {
        self.simplified_within(MOST)
    }

    fn simplified_within(&self, most: Most) -> Label {
        let mut primes = Label::none();
        for &cube in &self.cubes {
            primes.absorb(cube);
        }
        let given = primes.clone();
        // Whatever is new meets all that is there, until nothing is new.
        let mut waiting = primes.cubes.clone();
        let mut met = 0;
        while let Some(cube) = waiting.pop() {
            met += 1;
            if !primes.cubes.contains(&cube) {
                continue;
            }
            for other in primes.cubes.clone() {
                if let Some(new) = cube.consensus(other)
                    && primes.absorb(new)
                {
                    waiting.push(new);
                }
            }
            if primes.cubes.len() > most.primes || met > most.met {
                return given;
            }
        }
        primes.cubes.sort_unstable_by_key(|cube| {
            (
                cube.mentions().count_ones(),
                cube.mentions(),
                std::cmp::Reverse(cube.holds),
            )
        });
        let mut work = most.work;
        let mut kept = primes.cubes;
        for index in (0..kept.len()).rev() {
            let cube = kept.remove(index);
            if !covers(&kept, cube, &mut work) {
                kept.insert(index, cube);
            }
        }
        Label { cubes: kept }
    }

    /// The valuations of the propositions in `of` that it reads, ascending; it mentions no others.
    /// `None` where there are more than `most`.
    pub fn valuations(&self, of: Valuation, most: usize) -> Option<Vec<Valuation>> {
        let mut all = Vec::new();
        for cube in self.cubes.iter().filter(|cube| !cube.is_empty()) {
            let free = of & !cube.mentions();
            if free.count_ones() >= usize::BITS - 1 || 1usize << free.count_ones() > most {
                return None;
            }
            // The subsets of `free`, one after the other.
            let mut subset = 0u64;
            loop {
                all.push(cube.holds | subset);
                subset = subset.wrapping_sub(free) & free;
                if subset == 0 {
                    break;
                }
            }
            if all.len() > 2 * most {
                all.sort_unstable();
                all.dedup();
            }
            if all.len() > 2 * most {
                return None;
            }
        }
        all.sort_unstable();
        all.dedup();
        (all.len() <= most).then_some(all)
    }

    /// Reads what one of them reads; simplified on the way, so that many labels that read little and
    /// are in order may become one that is small.
    ///
    /// # Errors
    /// As those of [`of_formula`](Self::of_formula).
    pub fn union_of(mut labels: Vec<Label>, work: &Work<'_>) -> Result<Label, NotMade> {
        while labels.len() > 1 {
            let pairs = labels.chunks(2).map(|pair| match pair {
                [one, two] => {
                    let both = one.union(two, work)?;
                    work.spend(both.comparisons())?;
                    Ok(both.simplified())
                }
                other => Ok(other[0].clone()),
            });
            labels = pairs.collect::<Result<_, NotMade>>()?;
        }
        Ok(labels.pop().unwrap_or_default())
    }

    /// Adds a cube, and drops what it includes. Whether it was not included.
    fn absorb(&mut self, cube: Cube) -> bool {
        if cube.is_empty() || self.cubes.iter().any(|old| old.includes(cube)) {
            return false;
        }
        self.cubes.retain(|old| !cube.includes(*old));
        self.cubes.push(cube);
        true
    }

    fn within_limit(&self) -> Result<(), TooLarge> {
        if self.cubes.len() > MOST_CUBES {
            return Err(TooLarge::cases());
        }
        Ok(())
    }
}

/// How much is done for a simple label.
#[derive(Clone, Copy, Debug)]
struct Most {
    /// The most prime implicants that are worked out,
    primes: usize,
    /// by meeting no more cubes than that with all others.
    met: usize,
    /// The most steps for finding whether cubes cover one.
    work: u32,
}

const MOST: Most = Most {
    primes: 256,
    met: 2_048,
    work: 100_000,
};

/// Whether all that a cube reads is read by one of some others. False where no `work` is left.
fn covers(cubes: &[Cube], cube: Cube, work: &mut u32) -> bool {
    // What is left of the cube, and from which of the others on it must be covered.
    let mut left = vec![(cube, 0)];
    while let Some((cube, from)) = left.pop() {
        let Some(left_of_it) = work.checked_sub(1) else {
            return false;
        };
        *work = left_of_it;
        if cube.is_empty() {
            continue;
        }
        let next = (from..cubes.len()).find(|&at| !cubes[at].and(cube).is_empty());
        let Some(at) = next else {
            return false;
        };
        // What the other does not read falls apart into one piece for each of its literals.
        let mut rest = cube;
        for bit in bits(cubes[at].mentions() & !cube.mentions()) {
            let (holds, fails) = (cubes[at].holds & bit, cubes[at].fails & bit);
            let outside = Cube {
                holds: fails,
                fails: holds,
            };
            left.push((rest.and(outside), at + 1));
            rest = rest.and(Cube { holds, fails });
        }
    }
    true
}

/// Its one-element subsets, ascending.
pub fn bits(set: Valuation) -> impl Iterator<Item = Valuation> {
    let mut left = set;
    std::iter::from_fn(move || {
        let bit = left & left.wrapping_neg();
        left ^= bit;
        (bit != 0).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(number: u32) -> Formula {
        Formula::Proposition(number)
    }

    fn not(formula: Formula) -> Formula {
        Formula::Not(Box::new(formula))
    }

    fn label(formula: &Formula) -> Label {
        Label::of_formula(formula, &Work::unlimited()).unwrap()
    }

    #[test]
    fn a_contradiction_reads_nothing_and_a_tautology_everything() {
        let never = Formula::All(vec![atom(0), not(atom(0))]);
        assert_eq!(label(&never), Label::none());
        let always = Formula::Any(vec![atom(0), not(atom(0))]);
        assert_eq!(label(&always), Label::any());
        assert_eq!(label(&Formula::All(Vec::new())), Label::any());
        assert_eq!(label(&Formula::Any(Vec::new())), Label::none());
    }

    #[test]
    fn equal_conditions_have_equal_labels() {
        let one = Formula::Any(vec![
            Formula::All(vec![atom(0), atom(1)]),
            Formula::All(vec![atom(0), not(atom(1))]),
            Formula::All(vec![not(atom(0)), atom(2)]),
        ]);
        let two = not(Formula::All(vec![not(atom(0)), not(atom(2))]));
        assert_eq!(label(&one), label(&two));
        assert_eq!(label(&one).cubes.len(), 2);
    }

    #[test]
    fn operations_on_labels_are_those_on_sets_of_valuations() {
        let mut random = crate::tests::random::Random::new(7);
        let work = &Work::unlimited();
        for _ in 0..2_000 {
            let (one, two) = (random.label(4), random.label(4));
            let union = one.union(&two, work).unwrap();
            let intersection = one.intersection(&two, work).unwrap();
            let complement = one.complement(work).unwrap();
            let simplified = one.simplified();
            let mut includes = true;
            let mut meets = false;
            for valuation in 0..16 {
                let (first, second) = (one.reads(valuation), two.reads(valuation));
                assert_eq!(union.reads(valuation), first || second);
                assert_eq!(intersection.reads(valuation), first && second);
                assert_eq!(complement.reads(valuation), !first);
                assert_eq!(simplified.reads(valuation), first);
                includes &= first || !second;
                meets |= first && second;
            }
            assert_eq!(one.includes(&two), includes);
            assert_eq!(one.meets(&two), meets);
            assert_eq!(
                one.simplified() == two.simplified(),
                includes && two.includes(&one)
            );
            let read: Vec<u64> = (0..16).filter(|&valuation| one.reads(valuation)).collect();
            assert_eq!(one.valuations(15, 16), Some(read));
        }
    }

    #[test]
    fn a_label_that_is_simplified_with_little_reads_what_it_read() {
        let mut random = crate::tests::random::Random::new(11);
        let mut are_simple = [0; 2];
        for number in 0..2_000_u32 {
            let label = random.label(4);
            let most = Most {
                primes: number as usize % 5,
                met: number as usize % 7,
                work: number % 11,
            };
            let simplified = label.simplified_within(most);
            are_simple[usize::from(simplified == label.simplified())] += 1;
            for valuation in 0..16 {
                let reads = simplified.reads(valuation);
                assert_eq!(reads, label.reads(valuation), "{label:?} with {most:?}");
            }
        }
        assert!(
            are_simple.iter().all(|count| *count > 100),
            "{are_simple:?}"
        );
    }

    #[test]
    fn a_label_is_simplified_with_as_much_as_is_allowed() {
        // `a` or not `a` and `b`: two cubes are met, then the `b` that comes of them, and there are no more
        // than two at any time.
        let label = Label {
            cubes: vec![Cube { holds: 1, fails: 0 }, Cube { holds: 2, fails: 1 }],
        };
        let simple = label.simplified();
        let is_simple = |most: Most| label.simplified_within(most) == simple;
        assert_eq!(
            [1, 2, 3].map(|primes| is_simple(Most { primes, ..MOST })),
            [false, true, true]
        );
        assert_eq!(
            [2, 3, 4].map(|met| is_simple(Most { met, ..MOST })),
            [false, true, true]
        );
        assert_ne!(simple, label);
    }

    #[test]
    fn as_much_work_as_allowed_is_done_to_find_that_cubes_cover_one() {
        // Each half of it.
        let halves = [Cube { holds: 1, fails: 0 }, Cube { holds: 0, fails: 1 }];
        let covered = |mut work: u32| covers(&halves, Cube::default(), &mut work);
        let least = (0..100).find(|work| covered(*work)).expect("they cover it");
        assert!(least > 1);
        assert_eq!(
            [least - 1, least, least + 1].map(covered),
            [false, true, true]
        );
    }

    #[test]
    fn as_many_valuations_as_allowed_are_listed() {
        let mut random = crate::tests::random::Random::new(13);
        for _ in 0..500 {
            let label = random.label(4);
            let read: Vec<u64> = (0..16)
                .filter(|valuation| label.reads(*valuation))
                .collect();
            let count = read.len();
            assert_eq!(label.valuations(15, count + 1), Some(read.clone()));
            assert_eq!(label.valuations(15, count), Some(read));
            if let Some(fewer) = count.checked_sub(1) {
                assert_eq!(label.valuations(15, fewer), None);
            }
        }
    }

    #[test]
    fn a_condition_with_too_many_cases_is_refused() {
        // (a1 or b1) and (a2 or b2) and …
        let pairs = (0..20).map(|pair| Formula::Any(vec![atom(2 * pair), atom(2 * pair + 1)]));
        let refused = Label::of_formula(&Formula::All(pairs.collect()), &Work::unlimited());
        assert_eq!(refused, Err(TooLarge::cases().into()));
    }

    #[test]
    fn a_limit_is_heard_while_one_label_is_made() {
        // As many cases as are allowed, again and again.
        let pairs = (0..10).map(|pair| Formula::Any(vec![atom(2 * pair), atom(2 * pair + 1)]));
        let cases = Formula::All(pairs.collect());
        let most = 5_000_000;
        let work = Work::of_most(most);
        let made = Label::of_formula(&Formula::All(vec![cases; 1_000]), &work);
        assert_eq!(made, Err(NotMade::Stopped));
        // It ends as soon as it hears of it.
        assert!(work.done() < most + 2 * MOST_CUBES as u64 * MOST_CUBES as u64);
    }
}
