//! Values of `param`s on the command line: `-D N=4`, `-D N=2..4`, `-D BUG=none,lost`.

/// Most combinations of values that one command checks.
const MOST_COMBINATIONS: usize = 1_000;

/// Name of a `param` with its values, as they were written: one after the other, or as a range.
pub type Definition = (String, String);

/// One value for each name.
pub type Values = Vec<(String, String)>;

/// Name of a `param` and its values, from `NAME=VALUES`.
pub fn several(text: &str) -> Result<Definition, String> {
    let wrong = || "it is written NAME=VALUE: -D N=4, -D N=2..4, -D BUG=none,lost".to_owned();
    let (name, values) = named(text).ok_or_else(wrong)?;
    values_of(&values).ok_or_else(wrong)?;
    Ok((name, values))
}

/// Name of a `param` and its value, from `NAME=VALUE`.
pub fn one(text: &str) -> Result<Definition, String> {
    let wrong = || "it is written NAME=VALUE, with one value: -D N=4, -D BUG=lost".to_owned();
    let (name, value) = named(text).ok_or_else(wrong)?;
    match is_value(&value) {
        true => Ok((name, value)),
        false => Err(wrong()),
    }
}

fn named(text: &str) -> Option<Definition> {
    let (name, values) = text.split_once('=')?;
    let (name, values) = (name.trim(), values.trim());
    is_name(name).then(|| (name.to_owned(), values.to_owned()))
}

fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts_well && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '_')
}

/// A number, or the name of a value.
fn is_value(text: &str) -> bool {
    is_number(text) || is_name(text)
}

/// Each value once, in the order in which they are written.
fn values_of(text: &str) -> Option<Vec<String>> {
    let mut values: Vec<String> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let part = match part.split_once("..") {
            Some((from, to)) => range(from.trim(), to.trim())?,
            None if is_value(part) => vec![part.to_owned()],
            None => return None,
        };
        for value in part {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    Some(values)
}

fn range(from: &str, to: &str) -> Option<Vec<String>> {
    let number = |text: &str| text.replace('_', "").parse::<i64>().ok();
    let ends = [from, to].map(|end| is_number(end).then(|| number(end)).flatten());
    let [Some(from), Some(to)] = ends else {
        return None;
    };
    // One more than are checked, so that too many are told apart from as many as there may be.
    let values = (from..=to).take(MOST_COMBINATIONS + 1);
    (from <= to).then(|| values.map(|value| value.to_string()).collect())
}

/// Returns all combinations of the values; of one name the last definition counts.
///
/// # Errors
/// There are too many.
pub fn combinations(definitions: &[Definition]) -> Result<Vec<Values>, String> {
    let mut all: Vec<Values> = vec![Vec::new()];
    for (at, (name, values)) in definitions.iter().enumerate() {
        if definitions[at + 1..].iter().any(|(later, _)| later == name) {
            continue;
        }
        let values = values_of(values).unwrap_or_default();
        if all.len() * values.len() > MOST_COMBINATIONS {
            return Err(format!(
                "`-D {name}=…`: the values make more than {MOST_COMBINATIONS} combinations; write fewer"
            ));
        }
        let mut more = Vec::new();
        for before in &all {
            for value in &values {
                let mut combination = before.clone();
                combination.push((name.clone(), value.clone()));
                more.push(combination);
            }
        }
        all = more;
    }
    Ok(all)
}

/// Returns those of the values that differ between combinations.
pub fn varying(all: &[Values], values: &Values) -> Values {
    let differs = |(name, value): &&(String, String)| {
        let mut others = all.iter().flatten();
        others.any(|(other, another)| other == name && another != value)
    };
    values.iter().filter(differs).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, value: &str) -> Definition {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn a_definition_is_a_name_and_a_value() {
        assert_eq!(one("N=4"), Ok(pair("N", "4")));
        assert_eq!(one(" N = 4 "), Ok(pair("N", "4")));
        assert_eq!(one("low=-1_000"), Ok(pair("low", "-1_000")));
        assert_eq!(one("BUG=lost"), Ok(pair("BUG", "lost")));
        for wrong in ["N", "N=", "=4", "N=4x", "2N=4", "N=--4", "N=2..4", "N=2,4"] {
            assert!(one(wrong).is_err(), "{wrong}");
        }
        for wrong in ["N=2..", "N=4..2", "N=a..b", "N=2,,4", "N=,"] {
            assert!(several(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_combination_of_values_comes_once() {
        let given = [pair("N", "9"), pair("B", "on,off,on"), pair("N", "2..3")];
        let all = combinations(&given).expect("a few");
        let told: Vec<String> = (all.iter())
            .map(|values| {
                values
                    .iter()
                    .map(|(_, value)| &**value)
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        assert_eq!(told, ["on 2", "on 3", "off 2", "off 3"]);
        assert_eq!(varying(&all, &all[0]), all[0]);
        let one = combinations(&[pair("N", "2")]).expect("one");
        assert!(varying(&one, &one[0]).is_empty());
        assert!(combinations(&[pair("N", "0..1000")]).is_err());
        assert_eq!(combinations(&[]), Ok(vec![Vec::new()]));
    }
}
