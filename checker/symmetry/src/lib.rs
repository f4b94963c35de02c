//! Symmetry reduction: one state for all that permutations make of it.
//!
//! [`Symmetric`] wraps any model of packed states and puts what its steps lead to in canonical form
//! ([`canonical`]): the state that some permutation of the [`Orbits`] makes of it. Which
//! permutations there are, and why they are automorphisms that leave the properties as they are, is
//! told in [`stubborn_system::symmetry`].
//!
//! # What is searched, and what follows from it
//!
//! Let G be the group and c(s) = π(s), for some π in G, the canonical form of s. The states of the
//! search are the c(s), and c(s) has a step to c(t) for each step from c(s) to t. The relation of s
//! to c(s) is a bisimulation: where s has a step to t, c(s) = π(s) has one to π(t), and c(π(t)) is
//! t moved by some member of G; and the other way round. Nothing of this depends on c being the
//! same for all of an orbit: where it is not, more states than one are kept of it. What the
//! properties see is the same in both: whether a state is terminal, final, has a failing step or
//! satisfies an expression, and of which sets of a recurrence a step is. So each of these
//! properties holds in the one graph if and only if it does in the other: errors, deadlocks,
//! termination (AG EF), invariants, `may` (AG EF) and `must` (AG AF) are told by bisimulation
//! (Clarke, Enders, Filkorn and Jha 1996, Theorem 3.1; Emerson and Sistla 1996; Ip and Dill 1996),
//! and so is whether some infinite path has infinitely many steps of one set and finitely many of
//! another.
//!
//! # With stubborn sets
//!
//! The set is chosen in the canonical state, and taken there: `Symmetric<Stubborn<M>>` (E. A.
//! Emerson, S. Jha, D. Peled, "Combining Partial Order and Symmetry Reductions", TACAS 1997). To
//! see what this is in the model, keep with each real state s, reached by a path, the π with π(s) =
//! r, the state of the search; and give (s, π) the set that T(r) becomes by the inverse of π. D0,
//! D1 and D2 speak of steps and of what they do to each other, so that an automorphism maps a set
//! that fulfils them in r to one that does in s. In the graph of these pairs each state has such a
//! set; and the pairs are bisimilar to the states of the search, by the same argument as above. The
//! theorems of "Stop It, and Be Stubborn!" are proved from the sets that a path meets, state by
//! state: they hold of the graph of pairs, whose states are those of the model, and what they
//! preserve is told by bisimulation.
//!
//! *Who* is in a set is not: between two states of the search the instances may have changed
//! places. So a step is known not to be ignored for ever in a terminal component only where some
//! state of it takes everything: what `stubborn_por::reduction` finds from the members of sets is
//! not used. The cycle proviso asks for states that take everything anyhow: a cycle of pairs goes
//! along a cycle of the search.
//!
//! # Beside a monitor
//!
//! A tester is an instance of the system, of a process of its own: permutations leave it where it
//! is, and its steps are among those that are proved to be mapped onto themselves, so that an
//! action with a value that it names keeps that value where it is. An automaton, and what a formula
//! is turned into, reads propositions, each of which is asked to be the same for all states that
//! permutations make of one, as an invariant is. So the permutations act on the system's part of
//! the product alone, and are automorphisms of the product: where the system has a step to t and
//! the monitor goes along to q, it does so with π's step to π(t) (Emerson and Sistla 1996, section
//! 4; Clarke et al. 1996). A state of the product and its canonical form are bisimilar with the
//! monitor's marks, with whether it sees a step, and with whether the run ends. The four kinds of
//! violation are about paths of these: to a marked state, to one that ends, and infinite ones along
//! which marks and seen steps come again and again. A path of the one graph is one of the other
//! with the same of all of these; and in a finite graph an infinite one goes round a cycle, whose
//! run in the system goes round until it closes.
//!
//! With stubborn sets it is `Symmetric<Stubborn<Product>>`. The theorem is that of
//! `stubborn_por::related::visibility`: what it asks of a set is asked of each state by itself,
//! without a condition on cycles, and is said of steps, of local states and of what the monitor
//! sees, all of which automorphisms map onto the same. So it holds of the graph of pairs, as above;
//! and a cycle of pairs is one of the search.
//!
//! # Coverage
//!
//! Coverage is computed from the visited states and their permuted images ([`images`]), with
//! permutations that fix the initial state ([`permutations::permutations`]): they map the reachable
//! states onto themselves, so that the images are reachable and no others are.
//!
//! # Without symmetry
//!
//! Fairness distinguishes instances along a run: the instance that is treated fairly in the search is
//! another one of the system from one state to the next (Emerson and Sistla 1997 keep track of it; nothing here
//! does). Properties of fair runs are searched for without. A round in which steps become sensitive
//! speaks of the model's own steps, which permutations move.

mod bags;
mod canonical;
mod families;
mod images;
mod monitored;
mod names;
mod orbits;
pub mod permutations;
mod symmetric;
mod table;
mod worth;

pub use canonical::Scratch as Canonical;
pub use images::{Images, swapped};
pub use orbits::{Orbits, inverse, then};
pub use symmetric::Symmetric;
pub use worth::{Sample, Worth};
