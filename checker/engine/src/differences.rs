//! The first obstacles to permutations, for explanations.

use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::symmetry::{Difference, Site};
use stubborn_system::system::{System, VariableRef};

use crate::options::{Options, Symmetry};

/// Returns for each process some instances of which no permutation swaps the first two of these
/// and preserves the property, with the first obstacle; none if symmetry is off. Numbers are
/// those of the whole system. Once `goes_on`, which is asked now and then, does not, there are
/// none.
pub fn differences(
    system: &System,
    property: &Property,
    options: &Options,
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<Difference> {
    if options.symmetry == Symmetry::Off || options.obstacle().is_some() {
        return Vec::new();
    }
    let mut poll = || match goes_on() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let slice = |poll: &mut dyn FnMut() -> ControlFlow<()>| {
        let dependencies = Dependencies::within(system, poll)?;
        let cone = dependencies.cone_within([property], poll)?;
        ControlFlow::Continue(Slice::new(system, &cone))
    };
    let ControlFlow::Continue(slice) = slice(&mut poll) else {
        return Vec::new();
    };
    // Steps keep their numbers unless they are merged.
    let (constants, unreached) = options.simplifies();
    let slice = slice.simplified(constants, unreached, goes_on);
    let sliced = [slice.property(property)];
    let slice = match options.keep_dead_variables {
        true => slice,
        false => slice.without_dead(&sliced),
    };
    let mut found = Difference::find(&slice.system, &sliced, goes_on);
    for difference in &mut found {
        let instance = |at: u32| slice.instances[at as usize];
        difference.instances = difference.instances.map(instance);
        difference.site = match difference.site {
            Site::Step(at, step) => Site::Step(instance(at), step),
            Site::Variable(VariableRef::Shared(v)) => {
                Site::Variable(VariableRef::Shared(slice.variables[v as usize]))
            }
            Site::Variable(VariableRef::Local(at, v)) => Site::Variable(VariableRef::Local(
                instance(at),
                slice.locals[at as usize][v as usize],
            )),
            site @ (Site::Declarations | Site::Property(_)) => site,
        };
    }
    found
}
