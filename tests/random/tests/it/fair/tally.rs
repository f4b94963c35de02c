//! Which kinds of verdicts there were.

use std::collections::BTreeMap;
use std::fmt;

use stubborn_random::sweep;
use stubborn_system::property::{Assumption, Property};

use super::strengths;

#[derive(Default)]
pub struct Tally {
    /// By the form, whether weak and strong ones are assumed, whether it is violated, and whether it is so of all runs.
    verdicts: BTreeMap<Kind, u64>,
}

type Kind = (&'static str, (bool, bool), bool, bool);

fn form(property: &Property) -> &'static str {
    match property {
        Property::MustProgress(_) => "must",
        Property::Recurrence(..) => "recurrence",
        Property::Ltl(_) => "ltl",
        Property::Buchi(_) => "buchi",
        Property::Testing(_) => "testing",
        _ => "others",
    }
}

impl Tally {
    pub fn verdict(
        &mut self,
        property: &Property,
        assumptions: &[Assumption],
        is_violated: bool,
        of_all_runs: bool,
    ) {
        let key = (
            form(property),
            strengths(assumptions),
            is_violated,
            of_all_runs,
        );
        *self.verdicts.entry(key).or_default() += 1;
    }

    /// Asserts that of each form some hold and some are violated, and that assumptions have made some of them hold; weak
    /// ones alone and strong ones alone some of all.
    pub fn assert_diverse(&self, forms: &[&str]) {
        let count = |wanted: &[&str], is: &dyn Fn((bool, bool), bool, bool) -> bool| {
            let of_forms = self.verdicts.iter();
            let of_forms = of_forms.filter(|((form, ..), _)| wanted.contains(form));
            let such = of_forms.filter(|((_, s, violated, all), _)| is(*s, *violated, *all));
            such.map(|(_, count)| count).sum::<u64>()
        };
        for form in forms {
            let wanted = [*form];
            let violated = count(&wanted, &|_, violated, _| violated);
            let of_none = count(&wanted, &|_, _, all| !all);
            let mended = count(&wanted, &|_, violated, all| !violated && all);
            let all = [violated, of_none, mended];
            assert!(all.iter().all(|count| *count > 0), "{form}: {self}");
        }
        for strength in [(true, false), (false, true)] {
            let mended = count(forms, &|s, violated, all| s == strength && !violated && all);
            assert!(mended > 0, "{strength:?}: {self}");
        }
    }
}

impl sweep::Tally for Tally {
    fn add(&mut self, other: &Tally) {
        for (key, count) in &other.verdicts {
            *self.verdicts.entry(*key).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((form, (weak, strong), violated, of_all), count) in &self.verdicts {
            writeln!(
                f,
                "{form}, weak {weak}, strong {strong}: violated {violated} ({of_all} of all runs): {count}"
            )?;
        }
        Ok(())
    }
}
