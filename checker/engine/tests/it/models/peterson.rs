//! Peterson's mutual exclusion for n customers, as in Figure 2 of A. Valmari's "Stop it, and be
//! stubborn!" (ACSD 2015), one step for each outcome of each of its cases.

use stubborn_system::system::*;

use super::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The figure as it is.
    NotRevealing,
    /// Customers may stop.
    Revealing,
    /// And `Q` tells a customer at the first gate from one that is not trying.
    Correct,
    /// And `T` is assigned before `Q`.
    MutexViolating,
}

pub const CRITICAL: LocationId = 7;
pub const STOPPED: LocationId = 8;

pub fn peterson(customers: u32, version: Version) -> System {
    let n = i64::from(customers);
    let q = VariableRef::Shared(0);
    let t = VariableRef::Shared(1);
    let gates = range(0, n - 1);
    let instances = (0..customers).map(|i| customer(i, customers, version, q, t));
    System {
        variables: vec![
            variable(array(customers, gates.clone())),
            variable(array(customers - 1, gates)),
        ],
        channels: vec![],
        actions: vec![],
        instances: instances.collect(),
        bounds: vec![],
    }
}

fn customer(i: u32, customers: u32, version: Version, q: VariableRef, t: VariableRef) -> Instance {
    let n = i64::from(customers);
    let me = int(i64::from(i));
    let (j, k) = (VariableRef::Local(i, 0), VariableRef::Local(i, 1));
    let (j_type, k_type, gate) = (range(0, n - 1), range(0, n), range(0, n - 1));
    let j_value = || Expr::Variable(j);
    let k_value = || Expr::Variable(k);
    let shift = matches!(version, Version::Correct | Version::MutexViolating);
    let next_gate = || set(j, j_type.clone(), add(j_value(), int(1)));
    let set_q = |value: Expr| set_cell(q, customers, me.clone(), gate.clone(), value);
    let announce = set_q(if shift {
        add(j_value(), int(1))
    } else {
        j_value()
    });
    let give_way = set_cell(t, customers - 1, j_value(), gate.clone(), me.clone());
    let (second, third) = if version == Version::MutexViolating {
        (give_way, announce)
    } else {
        (announce, give_way)
    };
    let at_gate = equal(cell(Expr::Variable(t), j_value()), me.clone());
    let seen = cell(Expr::Variable(q), k_value());
    let behind = if shift {
        binary(Binary::LessOrEqual, seen, j_value())
    } else {
        less(seen, j_value())
    };
    let passes = Expr::Any(vec![equal(k_value(), me.clone()), behind]);
    let last = binary(Binary::GreaterOrEqual, j_value(), int(n - 1));
    let done = binary(Binary::GreaterOrEqual, k_value(), int(n));
    let mut idle = vec![with(go(1), vec![set(j, j_type.clone(), int(0))])];
    if version != Version::NotRevealing {
        idle.push(go(STOPPED));
    }
    let mut locations = vec![
        idle,
        vec![when(last.clone(), CRITICAL), when(not(last), 2)],
        vec![with(go(3), vec![second])],
        vec![with(go(4), vec![third])],
        vec![
            with(when(not(at_gate.clone()), 1), vec![next_gate()]),
            with(when(at_gate, 5), vec![set(k, k_type.clone(), int(0))]),
        ],
        vec![
            with(when(done.clone(), 1), vec![next_gate()]),
            when(not(done), 6),
        ],
        vec![
            with(
                when(passes.clone(), 5),
                vec![set(k, k_type.clone(), add(k_value(), int(1)))],
            ),
            when(not(passes), 4),
        ],
        vec![with(go(0), vec![set_q(int(0))])],
    ];
    if version != Version::NotRevealing {
        locations.push(vec![]);
    }
    Instance {
        locals: vec![variable(j_type), variable(k_type)],
        ..instance(locations)
    }
}

/// At most one customer is in its critical section.
pub fn mutex(customers: u32) -> Expr {
    let critical = (0..customers).map(|i| Expr::At(i, vec![CRITICAL]));
    binary(Binary::LessOrEqual, Expr::Count(critical.collect()), int(1))
}

/// A customer is in its critical section or has stopped.
pub fn access(customer: u32, version: Version) -> Expr {
    if version == Version::NotRevealing {
        Expr::At(customer, vec![CRITICAL])
    } else {
        Expr::At(customer, vec![CRITICAL, STOPPED])
    }
}
