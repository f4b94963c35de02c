//! Expansion of the states of a layer, by the loop of all searches without numbers ([`States`]).
//!
//! Only own targets are looked up. Other ones are sent to their owners.

use std::ops::ControlFlow;

use stubborn_explorer::search::Stop;
use stubborn_explorer::search::layers::{Sink, States};
use stubborn_explorer::store::Store as _;
use stubborn_explorer::store::coding::Coding;
use stubborn_explorer::store::quotient::AT_ONCE;
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::{Explorer, WORDS_AT_ONCE};

/// States of a block. Few, since their targets may be many and wide.
const BLOCK: usize = 32;

impl<C: Coding> Sink for Explorer<'_, C> {
    type Coding = C;
    type Stop = Stop;

    fn coding(&mut self) -> &mut C {
        &mut self.coding
    }

    #[inline(always)]
    fn leads_to(&mut self, word: u64) -> ControlFlow<Stop> {
        self.ledger.count.edges += 1;
        if self.recent.meet(word) {
            self.met += 1;
            if self.met < AT_ONCE {
                return ControlFlow::Continue(());
            }
            self.met = 0;
            self.ledger.steps(AT_ONCE)
        } else if (self.present ^ word) & self.deciding == 0 {
            self.enqueue(word)
        } else {
            self.coding.state(word, &mut self.state);
            let owner = self.partition.owner(&self.state);
            match owner == self.own {
                true => self.enqueue(word),
                false => {
                    self.outbox[owner].extend_from_slice(&self.state);
                    self.collected += self.state.len();
                    self.ledger.step()
                }
            }
        }
    }

    #[inline(always)]
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<Stop, Option<u64>> {
        let word = self.word(state)?;
        self.ledger.count.edges += u64::from(word.is_none());
        ControlFlow::Continue(word)
    }

    fn leaves_out(&mut self) {
        self.ledger.count.leaves_out = true;
    }

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        self.ledger.count.edges += 1;
        self.ledger.count.failing += 1;
        self.show_present();
        self.observer.failing(label, failure)?;
        self.ledger.step()
    }

    fn pulse(&mut self) -> ControlFlow<Stop> {
        self.ledger.poll()
    }

    fn changes(&self) -> u64 {
        self.changes
    }

    fn holds(&mut self, bytes: u64) -> bool {
        self.ledger.cache(bytes)
    }

    fn lets_go(&mut self, bytes: u64) {
        self.ledger.drop_cached(bytes);
    }
}

impl<C: Coding> States for Explorer<'_, C> {
    fn next_block(&mut self, block: &mut Vec<u64>) -> ControlFlow<Stop, bool> {
        block.clear();
        if self.collected < WORDS_AT_ONCE {
            let rest = self.layer.len().saturating_sub(BLOCK);
            let words = self.layer.drain(rest..).rev();
            self.collected += words.len();
            match &self.whole {
                None => block.extend(words),
                Some(whole) => {
                    for number in words {
                        let at = block.len();
                        block.resize(at + self.used.len(), 0);
                        whole.get(number as u32, &mut block[at..]);
                    }
                }
            }
        }
        ControlFlow::Continue(!block.is_empty())
    }

    fn whole(&self) -> Option<usize> {
        self.is_whole().then_some(self.used.len())
    }

    #[inline]
    fn begins(&mut self, row: &[u64]) {
        match self.is_whole() {
            true => self.shown.copy_from_slice(row),
            false => self.present = row[0],
        }
    }

    #[inline]
    fn steps(&self) -> u64 {
        self.ledger.count.edges
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        self.ledger.count.terminal += 1;
        self.show_present();
        self.observer.terminal(state)?;
        self.ledger.step()
    }

    fn end_block(&mut self, _: &mut Vec<u64>, _: u64) -> ControlFlow<Stop> {
        self.make_words()
    }
}
