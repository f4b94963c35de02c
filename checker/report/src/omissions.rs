//! Report of a search that may have missed states.

use stubborn_engine::Omissions;

use super::phrases::{counted, grouped};

/// Sentence without a full stop: why a search that found nothing proves nothing, and what it
/// searched.
pub fn omissions(covered: &Omissions) -> String {
    let storage = covered.storage.name();
    let (share, reach) = (share(covered), reach(covered));
    format!(
        "nothing was found in {} states{reach}, but {storage} storage may have missed states: {share}; \
         `--storage exact` would prove it",
        grouped(covered.states)
    )
}

/// Depth of the search, if known, and how full its table was, each after a comma.
fn reach(covered: &Omissions) -> String {
    let deep = match covered.depth {
        0 if covered.states > 1 => String::new(),
        depth => format!(", by ways of up to {}", counted(depth as usize, "step")),
    };
    match covered.fill {
        None => deep,
        Some(fill) if fill < 1e-4 => {
            format!("{deep}, with less than 0.01% of the table's bits set")
        }
        Some(fill) => format!("{deep}, with {:.2}% of the table's bits set", fill * 100.0),
    }
}

/// Least chance that is reported as a number: no hash function is as good as chance.
const LEAST_CHANCE: f64 = 1e-6;

/// Share of the states met that was searched. States to which only missed ones lead were never met,
/// so that this is no more than a bound where much was missed.
fn share(covered: &Omissions) -> String {
    if !covered.is_close() {
        return format!(
            "it searched at most {} of those that it met, estimated from how full the table was, and \
             nothing to which only the others lead; a larger `--bits` would miss less",
            percentage(covered.missed())
        );
    }
    if covered.expected_missed() < 0.5 {
        let chance = covered.chance_of_any();
        return match chance < LEAST_CHANCE {
            true => "the chance of even one is less than 1 in 1000000".to_owned(),
            false => format!("the chance of even one is about 1 in {:.0}", 1.0 / chance),
        };
    }
    format!(
        "it searched about {} of those that it met, estimated from how full the table was",
        percentage(covered.missed())
    )
}

/// Percentage that is left if this share is missed, with as many digits as the share needs.
fn percentage(missed: f64) -> String {
    let digits = -(missed * 100.0).log10().floor();
    let digits = digits.clamp(0.0, 12.0) as usize;
    format!("{:.digits$}%", (1.0 - missed) * 100.0)
}

#[cfg(test)]
mod tests {
    use stubborn_engine::Storage;

    use super::*;

    const BITSTATE: Storage = Storage::Bitstate { bits: 20 };

    #[test]
    fn as_many_digits_are_told_as_say_something() {
        let told = |states, missed| share(&Omissions::of(BITSTATE, states, missed));
        let starts = |told: String, with: &str| {
            let with = format!("it searched {with} of those");
            assert!(told.starts_with(&with), "{told}");
        };
        starts(told(1_000_000, 2.3e-4), "about 99.98%");
        starts(told(1_000_000_000, 5e-8), "about 99.999995%");
        starts(told(1_000, 0.01), "about 99%");
        starts(told(1_000, 0.012), "at most 99%");
        starts(told(1_000, 0.6), "at most 40%");
        starts(told(1_000, 1.0), "at most 0%");
        let chance = told(1_000, 1e-7);
        assert_eq!(chance, "the chance of even one is about 1 in 10000");
        assert!(told(1_000, 1e-12).contains("less than 1 in 1000000"));
    }

    #[test]
    fn how_far_it_came_and_how_full_the_table_was_is_said() {
        let told = |fill| omissions(&Omissions::of(BITSTATE, 1_000, 0.0).reaching(12, fill));
        let begins = "nothing was found in 1,000 states, by ways of up to 12 steps, ";
        let of_bits = told(Some(0.1234));
        assert!(
            of_bits.starts_with(&format!("{begins}with 12.34% of the table's bits set, but")),
            "{of_bits}"
        );
        let little = told(Some(1e-6));
        assert!(
            little.contains("with less than 0.01% of the table's bits set"),
            "{little}"
        );
        assert!(told(None).starts_with(&format!("{begins}but")));
    }

    #[test]
    fn the_kind_of_storage_is_named() {
        let compact = Omissions::of(Storage::Compact { bits: 64 }, 900, 0.0);
        assert!(omissions(&compact).contains("compact storage may have missed states"));
    }
}
