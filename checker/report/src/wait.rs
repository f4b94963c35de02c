//! Who is stuck in a state in which nothing can happen, and what they wait for.

use std::collections::BTreeSet;

use stubborn_engine::State;
use stubborn_engine::interpreter::{evaluate, holds, steps};
use stubborn_system::system::{
    ActionId, Argument, ChannelRef, Communication, Expr, InstanceId, Order, Step, StepId, Value,
    VariableRef,
};

use super::about::About;
use super::dependence::{helpers, influences, matches};
use super::expression::Written;
use super::failing::name_of;
use super::place::{Place, excerpt};

/// An instance that cannot go on and is not where it may stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub instance: String,
    /// The name of its location.
    pub at: String,
    /// The state's name, or the statement that is next.
    pub place: Place,
    /// What it waits for, one for each step of the text that could be taken there: "`x > 0`",
    /// "room in `c`". Empty where there is no step at all.
    pub reasons: Vec<String>,
    /// It waits for nothing but what other stuck instances could do.
    pub(super) for_others: bool,
    /// Those of them, by their names, that could make a difference to it as things stand.
    pub(super) helpers: Vec<String>,
}

/// In a system of more instances nobody asks whether they wait for each other, which takes time in
/// proportion to the square of their number.
const MOST_RELATED: usize = 64;
/// Of more that is waited for at one place only the first are named.
const MOST_REASONS: usize = 9;

/// Tells of every instance that is not at a final location of a state without a step.
pub fn waits(about: About<'_>, state: &State) -> Vec<Wait> {
    let system = about.system;
    let stuck: Vec<InstanceId> = (0..system.instances.len() as InstanceId)
        .filter(|instance| {
            let owner = &system.instances[*instance as usize];
            let at = state.instances[*instance as usize].location;
            !owner.locations[at as usize].is_final
        })
        .collect();
    let told = Waiting { about, state };
    stuck
        .iter()
        .map(|instance| told.wait(*instance, &stuck))
        .collect()
}

/// Tells of those that are stuck by themselves where a tester may keep others from going on: that
/// are not at a final location, and could not take a step without the tester either.
pub fn waits_beside_tester(about: About<'_>, state: &State) -> Vec<Wait> {
    let moving: BTreeSet<&str> = steps(about.system, state)
        .iter()
        .flat_map(|occurrence| &occurrence.participants)
        .map(|(instance, _)| about.map.instance(*instance))
        .collect();
    let mut waits = waits(about, state);
    waits.retain(|wait| !moving.contains(&*wait.instance));
    waits
}

impl Wait {
    /// "customer(0) at `look` waits for `last[j] != i`".
    pub fn sentence(&self) -> String {
        let Wait { instance, at, .. } = self;
        match self.awaited() {
            None => format!("{instance} is at {at}, which has no step and is not final"),
            Some(awaited) => format!("{instance} at {at} waits for {awaited}"),
        }
    }

    /// The same, told where it waits: "customer(0) waits here for `last[j] != i`".
    pub fn here(&self) -> String {
        let instance = &self.instance;
        match self.awaited() {
            None => format!("{instance} is here, where there is no step and which is not final"),
            Some(awaited) => format!("{instance} waits here for {awaited}"),
        }
    }

    fn awaited(&self) -> Option<String> {
        Some(match &self.reasons[..] {
            [] => return None,
            [one] => one.clone(),
            [most @ .., last] if self.reasons.len() <= MOST_REASONS => {
                format!("{} or {last}", most.join(", "))
            }
            [one, two, others @ ..] => format!("{one}, {two} or {} more", others.len()),
        })
    }
}

struct Waiting<'a> {
    about: About<'a>,
    state: &'a State,
}

impl Waiting<'_> {
    fn wait(&self, instance: InstanceId, stuck: &[InstanceId]) -> Wait {
        let owner = &self.about.system.instances[instance as usize];
        let source = &self.about.map.instances[instance as usize];
        let at = self.state.instances[instance as usize].location;
        let mut reasons: Vec<String> = Vec::new();
        let mut others = BTreeSet::new();
        let mut helping = BTreeSet::new();
        let step_of = |id: &StepId| &owner.steps[*id as usize];
        let mut ids = owner.locations[at as usize].steps.clone();
        // What can never be is not waited for, unless there is nothing else.
        let may_be = |id: &StepId| !step_of(id).guard.as_ref().is_some_and(is_never);
        if ids.iter().any(may_be) {
            ids.retain(may_be);
        }
        // What others have to say comes before what is asked of the state.
        ids.sort_by_key(|id| match step_of(id).communication {
            Some(Communication::Receive(..)) => 0,
            _ => 1,
        });
        for id in &ids {
            let step = step_of(id);
            if self.about.system.instances.len() <= MOST_RELATED {
                others.extend(influences(self.about.system, instance, step));
                helping.extend(helpers(self.about.system, self.state, instance, step));
            }
            let reason = self.reason(instance, *id, step);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        others.remove(&instance);
        helping.retain(|other| *other != instance && stuck.contains(other));
        let name = |other: InstanceId| self.about.map.instance(other).to_owned();
        let location = &source.locations[at as usize];
        Wait {
            instance: source.name.clone(),
            at: location.name.clone(),
            place: self.about.texts.place(location.span),
            reasons,
            for_others: !others.is_empty() && others.iter().all(|other| stuck.contains(other)),
            helpers: helping.into_iter().map(name).collect(),
        }
    }

    fn reason(&self, instance: InstanceId, id: StepId, step: &Step) -> String {
        let guard_is_true = match &step.guard {
            Some(guard) => holds(self.about.system, self.state, guard).unwrap_or(true),
            None => true,
        };
        if step.guard.as_ref().is_some_and(is_never) {
            // Whatever else it waits for would not help.
            let text = self
                .about
                .texts
                .excerpt(self.about.map.step(instance, id), usize::MAX);
            return format!("`{}`, which is never true", excerpt(condition(&text), 60));
        }
        let text = || {
            self.about
                .texts
                .excerpt(self.about.map.step(instance, id), 60)
        };
        match &step.communication {
            // A guard that sees what a `?` would receive says nothing yet.
            Some(Communication::On { action, arguments })
                if guard_is_true || arguments.iter().any(receives) =>
            {
                self.action_reason(instance, *action, arguments)
            }
            Some(Communication::Send { channel, .. }) if guard_is_true => {
                format!("room in `{}`", self.channel(channel))
            }
            Some(Communication::Receive(channel, arguments, onward)) => {
                let binds = arguments.iter().any(receives);
                if let Some(onward) = onward
                    && (guard_is_true || binds)
                    && self.has_message(channel, arguments)
                    && let Some(full) = self.full(&onward.channel, binds)
                {
                    return format!("room in `{full}`");
                }
                match self.channel_content(channel) {
                    Some(0) => format!("a message in `{}`", self.channel(channel)),
                    _ => format!(
                        "a message in `{}` that `{}` takes{}",
                        self.channel(channel),
                        text(),
                        self.first_message(instance, channel, arguments)
                            .unwrap_or_default()
                    ),
                }
            }
            _ => {
                let text = text();
                let text = condition(&text);
                let guard = step.guard.as_ref();
                let guard = guard.and_then(|guard| self.written().condition_of_text(guard, text));
                format!("`{}`", guard.as_deref().unwrap_or(text))
            }
        }
    }

    /// Whether a channel has a message to be received with these arguments, whatever the guard says.
    fn has_message(&self, channel: &ChannelRef, arguments: &[Argument]) -> bool {
        let Some(id) = self.written().channel_id(channel) else {
            return false;
        };
        let messages = self.state.channels.get(id as usize);
        let order = self
            .about
            .system
            .channels
            .get(id as usize)
            .map(|one| one.order);
        let some = match order {
            Some(Order::Queue) => 1,
            _ => usize::MAX,
        };
        let matches = |(argument, value): (&Argument, &i64)| match argument {
            Argument::Match(expr) => self.number(expr).is_none_or(|wanted| wanted == *value),
            Argument::Bind(_) | Argument::Skip => true,
        };
        let mut messages = messages.into_iter().flatten().take(some);
        messages.any(|message| arguments.iter().zip(message).all(matches))
    }

    /// The channel's name if it is full. Where its index may yet change, `c` if all that it may be are.
    fn full(&self, channel: &ChannelRef, may_change: bool) -> Option<String> {
        let is_full = |id: u32| {
            let capacity = self.about.system.channels.get(id as usize)?.capacity as usize;
            Some(self.state.channels.get(id as usize)?.len() == capacity)
        };
        match channel {
            ChannelRef::Indexed { first, .. } if may_change => {
                let mut all = channel.array();
                let name = self.about.map.channel(*first);
                let array = name.split('[').next().unwrap_or(name);
                (all.all(|id| is_full(id) == Some(true))).then(|| array.to_owned())
            }
            _ => {
                let id = self.written().channel_id(channel)?;
                is_full(id)?.then(|| self.about.map.channel(id).to_owned())
            }
        }
    }

    /// " (the first is [1], and `x` is 0: `?x` would store it)". What a variable has to be there is often meant to be
    /// what it becomes.
    fn first_message(
        &self,
        instance: InstanceId,
        channel: &ChannelRef,
        arguments: &[Argument],
    ) -> Option<String> {
        let id = self.written().channel_id(channel)? as usize;
        if self.about.system.channels.get(id)?.order == Order::Bag {
            return None;
        }
        let first = self.state.channels.get(id)?.first()?;
        let source = self.about.map.channels.get(id)?;
        let shapes = source.scalars();
        let differs = arguments.iter().zip(first).zip(shapes);
        let variable = differs
            .into_iter()
            .find_map(|((argument, value), (_, shape))| {
                let Argument::Match(Expr::Variable(variable)) = argument else {
                    return None;
                };
                let now = self.number(&Expr::Variable(*variable))?;
                if matches!(variable, VariableRef::Local(of, _) if *of != instance) {
                    return None;
                }
                let name = name_of(self.about, *variable)?;
                (now != *value).then(|| (name, shape.scalar(now)))
            });
        let stores = variable.map_or_else(String::new, |(name, now)| {
            format!(", and `{name}` is {now}: `?{name}` would store it")
        });
        Some(format!(
            " (the first is [{}]{stores})",
            source.written(first)
        ))
    }

    /// Who keeps an action from happening: those who have it in their alphabet and no step for it.
    fn action_reason(
        &self,
        instance: InstanceId,
        action: ActionId,
        arguments: &[Argument],
    ) -> String {
        let values: Vec<Option<i64>> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Match(expr) => self.number(expr),
                Argument::Bind(_) | Argument::Skip => None,
            })
            .collect();
        let name = match values.iter().copied().collect::<Option<Vec<i64>>>() {
            Some(values) => self.about.map.action(action, &values),
            None => self.about.map.actions[action as usize].name.clone(),
        };
        let blocking: Vec<&str> = (0..self.about.system.instances.len() as InstanceId)
            .filter(|other| *other != instance)
            .filter(|other| {
                let owner = &self.about.system.instances[*other as usize];
                matches(&owner.alphabet, action, &values) && !self.offers(*other, action, &values)
            })
            .map(|other| self.about.map.instance(other))
            .collect();
        match &blocking[..] {
            [] => format!("all who take part in `{name}` to agree"),
            [one] => format!("`{name}`, for which {one} is not ready"),
            [one, two] => format!("`{name}`, for which {one} and {two} are not ready"),
            [one, others @ ..] => {
                let others = others.len();
                format!("`{name}`, for which {one} and {others} others are not ready")
            }
        }
    }

    /// Whether an instance has a step here for the action, whose guard is true.
    fn offers(&self, instance: InstanceId, action: ActionId, values: &[Option<i64>]) -> bool {
        let owner = &self.about.system.instances[instance as usize];
        let at = self.state.instances[instance as usize].location;
        owner.locations[at as usize].steps.iter().any(|id| {
            let step = &owner.steps[*id as usize];
            let Some(Communication::On {
                action: offered,
                arguments,
            }) = &step.communication
            else {
                return false;
            };
            let agrees = |(argument, value): (&Argument, &Option<i64>)| match (argument, value) {
                (Argument::Match(expr), Some(value)) => {
                    self.number(expr).is_none_or(|offered| offered == *value)
                }
                _ => true,
            };
            let receives = arguments.iter().any(receives);
            *offered == action
                && arguments.iter().zip(values).all(agrees)
                && step.guard.as_ref().is_none_or(|guard| {
                    receives || holds(self.about.system, self.state, guard).unwrap_or(true)
                })
        })
    }

    fn number(&self, expr: &Expr) -> Option<i64> {
        match evaluate(self.about.system, self.state, expr) {
            Ok(Value::Int(value)) => Some(value),
            _ => None,
        }
    }

    fn written(&self) -> Written<'_> {
        Written {
            system: self.about.system,
            map: self.about.map,
            state: self.state,
            bound: &[],
        }
    }

    /// `c[1]`, or `c` where its index has no value.
    fn channel(&self, channel: &ChannelRef) -> String {
        if let Some(id) = self.written().channel_id(channel) {
            return self.about.map.channel(id).to_owned();
        }
        let name = self.about.map.channel(channel.first());
        name.split('[').next().unwrap_or(name).to_owned()
    }

    fn channel_content(&self, channel: &ChannelRef) -> Option<usize> {
        let id = self.written().channel_id(channel)?;
        self.state.channels.get(id as usize).map(Vec::len)
    }
}

/// Whether a condition is false in every state, as constants alone tell.
fn is_never(condition: &Expr) -> bool {
    match condition {
        Expr::Const(value) => *value == Value::Int(0),
        Expr::All(parts) => parts.iter().any(is_never),
        Expr::Any(parts) => parts.iter().all(is_never),
        _ => false,
    }
}

fn receives(argument: &Argument) -> bool {
    matches!(argument, Argument::Bind(_))
}

/// What has to be true for a step of the text: `last[j] != i` of `await last[j] != i`, of
/// `when last[j] != i do j = 0 -> test`.
fn condition(step: &str) -> &str {
    let from = ["await ", "when "].iter().find_map(|keyword| {
        let at = if step.starts_with(keyword) {
            Some(0)
        } else {
            step.find(&format!(" {keyword}")).map(|at| at + 1)
        };
        at.map(|at| at + keyword.len())
    });
    let condition = &step[from.unwrap_or(0)..];
    let end = [" do ", " ->"]
        .iter()
        .filter_map(|after| condition.find(after))
        .min();
    condition[..end.unwrap_or(condition.len())]
        .trim_end()
        .trim_end_matches(';')
}

#[cfg(test)]
mod tests {
    use super::condition;

    #[test]
    fn the_condition_of_a_step_stands_between_its_keyword_and_its_effects() {
        assert_eq!(condition("await last[j] != i"), "last[j] != i");
        assert_eq!(condition("await free do free = false"), "free");
        assert_eq!(condition("on a when x > 0 do x = 1 -> s"), "x > 0");
        assert_eq!(condition("when x > 0 -> s"), "x > 0");
        assert_eq!(condition("x = 1"), "x = 1");
    }
}
