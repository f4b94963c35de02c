//! A model that leaves out steps, as one with a reduction does, without any theorem that justifies it.

use std::ops::ControlFlow;

use stubborn_space::successors::{Around, Footprints, Label, Successors, Visit, Wanted};
use stubborn_system::system::Failure;

/// In some states the last step of the model is left out, wherever steps may be.
pub struct Thinned<'m, M>(pub &'m M);

fn is_thinned(state: &[u64]) -> bool {
    let mix = |hash: u64, word: &u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state.iter().fold(0, mix) >> 62 == 0
}

impl<M: Successors> Successors for Thinned<'_, M> {
    type Scratch = M::Scratch;

    fn words(&self) -> usize {
        self.0.words()
    }

    fn initial(&self) -> &[u64] {
        self.0.initial()
    }

    fn scratch(&self) -> M::Scratch {
        self.0.scratch()
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut M::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let mut steps = 0;
        let mut count = |_: Label<'_>, _: Result<&[u64], &Failure>| {
            steps += 1;
            ControlFlow::Continue(())
        };
        self.0.visit(state, scratch, &mut count)?;
        if steps < 2 || visitor.wanted() == Wanted::All || !is_thinned(state) {
            return self.0.visit(state, scratch, visitor);
        }
        visitor.leaves_out();
        let mut all_but_last = Around(visitor, |visitor, label, outcome| {
            steps -= 1;
            match steps {
                0 => ControlFlow::Continue(()),
                _ => visitor.step(label, outcome),
            }
        });
        self.0.visit(state, scratch, &mut all_but_last)
    }
}

impl<M: Successors> Footprints for Thinned<'_, M> {}
