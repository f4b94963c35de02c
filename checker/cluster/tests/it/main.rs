//! Searches by several processes, each in threads of this one, with all connections that they would have.

mod random_systems;
mod together;
