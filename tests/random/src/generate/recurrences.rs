//! Draws what is said to recur: sets of actions and of places of processes.

use super::{Generator, all_values};
use crate::model::*;
use crate::value::{Type, Value};

impl Generator {
    pub(super) fn recurrences(&mut self) {
        for _ in 0..[0, 1, 1, 2][self.r.below(4)] {
            let name = self.name("rec");
            let mut parameters = Vec::new();
            if self.r.one_in(4) {
                let actions = self.m.actions.iter().flat_map(|a| &a.arguments);
                let processes = self.m.processes.iter().flat_map(|p| &p.parameters);
                let types: Vec<Type> = (actions.cloned())
                    .chain(processes.map(|(_, ty)| ty.clone()))
                    .collect();
                if !types.is_empty() {
                    let ty = self.r.pick(&types).clone();
                    parameters.push((self.inner_name("k"), ty));
                }
            }
            let most = 1 + self.r.below(3);
            let infinitely = (0..most).map(|_| self.event(&parameters)).collect();
            let implies = (0..[0, 1, 1, 2][self.r.below(4)])
                .map(|_| self.event(&parameters))
                .collect();
            self.m.recurrences.push(Recurrence {
                name,
                parameters,
                infinitely,
                implies,
            });
        }
    }

    fn event(&mut self, parameters: &[(String, Type)]) -> Event {
        if !self.m.actions.is_empty() && self.r.one_in(2) {
            let action = self.r.below(self.m.actions.len());
            let types = self.m.actions[action].arguments.clone();
            return Event::Action(action, self.wanted(parameters, &types));
        }
        let process = self.r.below(self.m.processes.len());
        let types = self.m.processes[process].parameters.iter();
        let types: Vec<_> = types.map(|(_, ty)| ty.clone()).collect();
        let mut places = vec![self.r.pick(&self.places[process]).clone()];
        let other = self.r.pick(&self.places[process]).clone();
        if self.r.one_in(3) && !places.contains(&other) {
            places.push(other);
        }
        let mut wanted = self.wanted(parameters, &types);
        // What means no instance would be a mistake in the text.
        let left_out = &self.m.processes[process].left_out;
        let means = |values: &Vec<Value>| {
            let agrees = |(one, value): (&Option<Expr>, &Value)| match one {
                Some(Expr::Literal(wanted)) => wanted == value,
                _ => true,
            };
            !left_out.contains(values) && wanted.iter().zip(values).all(agrees)
        };
        // For each value of the recurrence's own parameter it would have to mean one.
        let is_bound = |one: &Option<Expr>| matches!(one, Some(Expr::Bound(_)));
        let may_mean_none = !left_out.is_empty() && wanted.iter().any(is_bound);
        if may_mean_none || !all_values(&types).iter().any(means) {
            wanted.fill(None);
        }
        Event::At(process, wanted, places)
    }

    fn wanted(&mut self, parameters: &[(String, Type)], types: &[Type]) -> Vec<Option<Expr>> {
        let mut wanted = Vec::new();
        for ty in types {
            let mut same = parameters.iter().filter(|(_, p)| p.shape == ty.shape);
            wanted.push(match (same.next(), self.r.below(5)) {
                (Some((name, _)), 0..=3) => Some(Expr::Bound(name.clone())),
                (_, 0 | 1) => None,
                _ => Some(self.literal(ty)),
            });
        }
        wanted
    }
}
