//! Which properties are searched together.

use std::collections::HashMap;

use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Dependencies, needs_every_process};

/// Properties that share a search.
pub struct Group {
    /// Ascending.
    pub properties: Vec<usize>,
    /// What of the System is searched; `None` for all of it, where nothing that matters goes.
    pub cone: Option<Cone>,
}

/// Puts each property into one group. Small slices come first.
///
/// One search for all is the rule. A property that can do without some instance, or some data, which
/// the others need is searched by itself or with its like, as long as all these searches together
/// are not likely to take more states than the one for all: the number of valuations, which bounds
/// the number of states, stands for it.
pub fn groups(dependencies: &Dependencies<'_>, properties: &[Property]) -> Vec<Group> {
    let all = dependencies.cone(properties);
    let bits_of_all = dependencies.bits(&all);
    let mut by_cone: HashMap<Cone, Vec<usize>> = HashMap::new();
    for (number, property) in properties.iter().enumerate() {
        if !needs_every_process(property) {
            let cone = dependencies.cone([property]);
            by_cone.entry(cone).or_default().push(number);
        }
    }
    let measured = by_cone.into_iter().map(|(cone, properties)| {
        let bits = dependencies.bits(&cone);
        (bits, properties, cone)
    });
    let mut smaller: Vec<(f64, Vec<usize>, Cone)> = measured
        .filter(|(bits, _, cone)| cone.instances() < all.instances() || *bits < bits_of_all)
        .collect();
    smaller.sort_by(|(a, first, _), (b, other, _)| a.total_cmp(b).then(first.cmp(other)));
    let mut groups = Vec::new();
    let mut is_apart = vec![false; properties.len()];
    let mut share = 0.0;
    for (bits, apart, cone) in smaller {
        share += (bits - bits_of_all).exp2();
        if share > 1.0 {
            break;
        }
        apart.iter().for_each(|property| is_apart[*property] = true);
        groups.push(Group {
            properties: apart,
            cone: Some(cone),
        });
    }
    let rest: Vec<usize> = (0..properties.len())
        .filter(|property| !is_apart[*property])
        .collect();
    if !rest.is_empty() {
        let searched = rest.iter().map(|property| &properties[*property]);
        let cone = dependencies.cone(searched);
        groups.push(Group {
            properties: rest,
            cone: Some(cone),
        });
    }
    for group in &mut groups {
        let cone = group.cone.take();
        group.cone = cone.filter(|cone| !dependencies.is_whole(cone));
    }
    groups
}
