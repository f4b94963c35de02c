//! A model that leaves out steps, as one with a reduction does, without any theorem that justifies it.

use std::ops::ControlFlow;

use stubborn_space::successors::{Footprints, Label, Successors, Visit, Wanted};
use stubborn_system::system::Failure;

/// In some states the last step of the model is left out, wherever steps may be.
pub struct Thinned<'m, M>(pub &'m M);

/// Takes so many steps, and hands them on if there is a visitor.
struct First<'v> {
    many: usize,
    visitor: Option<&'v mut dyn Visit>,
}

impl Visit for First<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let Some(visitor) = &mut self.visitor else {
            self.many += 1;
            return ControlFlow::Continue(());
        };
        if self.many == 0 {
            return ControlFlow::Continue(());
        }
        self.many -= 1;
        visitor.step(label, outcome)
    }
}

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
        let mut all = First {
            many: 0,
            visitor: None,
        };
        self.0.visit(state, scratch, &mut all)?;
        if all.many < 2 || visitor.wanted() == Wanted::All || !is_thinned(state) {
            return self.0.visit(state, scratch, visitor);
        }
        visitor.leaves_out();
        let mut first = First {
            many: all.many - 1,
            visitor: Some(visitor),
        };
        self.0.visit(state, scratch, &mut first)
    }
}

impl<M: Successors> Footprints for Thinned<'_, M> {}
