//! Label expressions, as unions of cubes.
//!
//! What is written as a disjunction of conjunctions keeps its form, so that a label that was written
//! is read as the same one; anything else becomes an equal label with no more cubes than are needed.

use stubborn_automata::label::{Cube, Label};
use stubborn_automata::limits::MOST_CUBES;
use stubborn_automata::ltl::Letters;

/// A label that would have too many cubes.
#[derive(Debug)]
pub(super) struct TooManyCubes;

type Result<T> = std::result::Result<T, TooManyCubes>;

pub(super) fn constant(value: bool) -> Label {
    if value {
        Label::any()
    } else {
        Label::default()
    }
}

/// Of a proposition below 64.
pub(super) fn proposition(number: u32) -> Label {
    let holds = 1u64.checked_shl(number).unwrap_or_default();
    Label {
        cubes: vec![Cube { holds, fails: 0 }],
    }
}

pub(super) fn or(mut left: Label, right: Label) -> Result<Label> {
    left.cubes.extend(right.cubes);
    checked(left)
}

pub(super) fn and(left: Label, right: Label) -> Result<Label> {
    if let ([one], [other]) = (&left.cubes[..], &right.cubes[..]) {
        let cube = Cube {
            holds: one.holds | other.holds,
            fails: one.fails | other.fails,
        };
        return Ok(Label { cubes: vec![cube] });
    }
    let both = intersection(&Letters::of(&left), &Letters::of(&right))?;
    Ok(both.label())
}

pub(super) fn not(label: &Label) -> Result<Label> {
    match label.cubes[..] {
        [] => return Ok(Label::any()),
        [cube] if (cube.holds | cube.fails).count_ones() == 1 && !cube.is_empty() => {
            let cube = Cube {
                holds: cube.fails,
                fails: cube.holds,
            };
            return Ok(Label { cubes: vec![cube] });
        }
        _ => {}
    }
    let mut rest = Letters::any();
    for cube in &label.cubes {
        if cube.is_empty() {
            continue;
        }
        let mut outside = Letters::none();
        for number in 0..64 {
            let bit = 1u64 << number;
            if cube.holds & bit != 0 {
                outside = outside.union(&Letters::literal(number, false));
            }
            if cube.fails & bit != 0 {
                outside = outside.union(&Letters::literal(number, true));
            }
        }
        rest = intersection(&rest, &outside)?;
    }
    Ok(rest.label())
}

fn intersection(left: &Letters, right: &Letters) -> Result<Letters> {
    if left.size() * right.size() > 64 * MOST_CUBES {
        return Err(TooManyCubes);
    }
    let both = left.intersection(right);
    if both.size() > MOST_CUBES {
        return Err(TooManyCubes);
    }
    Ok(both)
}

fn checked(label: Label) -> Result<Label> {
    if label.cubes.len() > MOST_CUBES {
        return Err(TooManyCubes);
    }
    Ok(label)
}
