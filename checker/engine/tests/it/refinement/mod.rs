//! Canonical testers against the definitions: what a tester finds in a process, by trying all of
//! their product, must be what the process does and its specification cannot do (Valmari 1993,
//! Def. 2.4 and Thm 3.3).

mod checks;
mod definition;
mod laws;
mod process;
mod product;
mod textbook;
mod texts;
