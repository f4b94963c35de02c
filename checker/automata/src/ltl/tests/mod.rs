//! Translations, against evaluating formulas directly.

mod random;
mod sizes;
mod text;
