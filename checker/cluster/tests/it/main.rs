//! Searches by several processes, each in threads of this one, with all connections that they would have.

mod handshake;
mod limits;
mod links;
mod random_systems;
mod shares;
mod silence;
mod together;
