//! Channels and arrays of channels.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast;

use super::infos::{ChannelInfo, number_of_channels};
use crate::declarations::behind;
use crate::elaborate::Elaborator;
use crate::evaluate::position;
use crate::names::declarations::{Declaration, DeclarationId, DeclarationKind};
use crate::problem::{Code, Mend, Words};
use crate::types::{Declared, Domain};
use stubborn_system::source_map::{ChannelSource, MessagePart};
use stubborn_system::system::{
    Channel, ChannelId, ChannelIndex, ChannelRef, Failure, Order, Range, Value,
};
use stubborn_system::value::{ranges, scalars};

/// An array of channels has no more members.
const MAX_CHANNELS: u64 = 10_000;
/// An array of channels has no more indices.
const MOST_INDICES: usize = 2;
/// A channel holds no more messages.
const MAX_CAPACITY: i64 = 1_000_000;

impl Elaborator<'_> {
    /// The channel that `name` and the indices stand for, and how it is declared; `None`, with a
    /// message, where there is none. An index that is known to fail for this instance gives one
    /// that fails when it is evaluated.
    pub fn channel(
        &mut self,
        name: &ast::NameRef,
        indices: &[ast::Expr],
    ) -> Option<(ChannelRef, Rc<ChannelInfo>)> {
        let is_channel = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Channel(_));
        let id = self.declared_as(
            name,
            is_channel,
            "a channel",
            "`channel NAME: queue[1] of bool` declares one",
        );
        let Some(info) = id.and_then(|id| self.channel_info(id)) else {
            self.loose_indices(indices);
            return None;
        };
        let span = self.span(name);
        match (info.indices.len(), indices) {
            (0, []) => Some((ChannelRef::One(info.first), info)),
            (0, [first, ..]) => {
                self.loose_indices(indices);
                let message = format!(
                    "`{}` is one channel, not an array of them; without the index it can stand here",
                    info.name
                );
                self.error(Code::WrongArguments, self.span(first), message);
                None
            }
            (1, []) => {
                let message = format!(
                    "`{0}` is an array of channels; `{0}[…]` with an index is one of them",
                    info.name
                );
                self.error(Code::WrongArguments, behind(span), message);
                None
            }
            (wanted, given) if wanted != given.len() => {
                self.loose_indices(indices);
                let form = ["i", "j", "k"][..wanted.min(3)].join(", ");
                let message = format!(
                    "`{0}` has {wanted} {1}, and {2} here; write `{0}[{form}]`",
                    info.name,
                    if wanted == 1 { "index" } else { "indices" },
                    match given.len() {
                        0 => String::from("none is given"),
                        1 => String::from("one is given"),
                        many => format!("{many} are given"),
                    }
                );
                // The first that is too many, or where one is missing.
                let at = match (given.get(wanted), given.last()) {
                    (Some(extra), _) => self.span(extra),
                    (None, Some(last)) => behind(self.span(last)),
                    (None, None) => behind(span),
                };
                self.error(Code::WrongArguments, at, message);
                None
            }
            _ => {
                let channel = self.indexed_channel(&info, indices)?;
                Some((channel, info))
            }
        }
    }

    /// Indices of something unknown: what they say by themselves is still checked.
    fn loose_indices(&mut self, indices: &[ast::Expr]) {
        for index in indices {
            self.expr(index, None);
        }
    }

    fn indexed_channel(&mut self, info: &ChannelInfo, indices: &[ast::Expr]) -> Option<ChannelRef> {
        let mut chosen = Vec::new();
        // Where the channel is, as long as all indices are known to be inside.
        let mut at = Some(0);
        for (domain, index) in info.indices.iter().zip(indices) {
            let typed = self.expr(index, Some(&domain.ty));
            let what = format!("the index of `{}`", info.name);
            if !self.fits(index, &typed, &domain.ty, &what) {
                return None;
            }
            let Range { lo, hi } = domain.range;
            self.only_within(&typed, domain.range);
            let len = match domain.known {
                true => domain.range.size() as u32,
                false => 1,
            };
            at = match (typed.scalar(), domain.known) {
                (Some(value), true) => {
                    let offset = position(value, lo, len as usize);
                    if offset.is_none() {
                        let index_fails = Failure::OutsideArray {
                            index: value,
                            lo,
                            hi,
                        };
                        self.fails_if_text(index, &typed, &index_fails, &info.name, &domain.shape);
                    }
                    at.and_then(|at| Some(at * len + offset? as u32))
                }
                _ => None,
            };
            let index = typed.expr;
            chosen.push(ChannelIndex { lo, len, index });
        }
        Some(match at {
            Some(at) => ChannelRef::One(info.first + at),
            None => ChannelRef::Indexed {
                first: info.first,
                indices: chosen.into(),
            },
        })
    }

    /// A declared channel; `None` while the channels are being worked out.
    pub(crate) fn channel_info(&mut self, id: DeclarationId) -> Option<Rc<ChannelInfo>> {
        if self.resolutions.channels.is_none() {
            self.resolutions.channels = Some(FxHashMap::default());
            let infos = self.work_out_channels();
            self.resolutions.channels = Some(infos);
        }
        self.resolutions.channels.as_ref()?.get(&id).cloned()
    }

    fn work_out_channels(&mut self) -> FxHashMap<DeclarationId, Rc<ChannelInfo>> {
        let mut infos = FxHashMap::default();
        let mut first: ChannelId = 0;
        for id in 0..self.names.declarations.len() {
            let id = DeclarationId(id as u32);
            let declaration = self.declaration(id).clone();
            let DeclarationKind::Channel(ast) = &declaration.kind else {
                continue;
            };
            let info = self.working_out(id, |this| this.read_channel(&declaration, ast, first));
            if let Some(info) = info {
                first = first.saturating_add(info.size());
                infos.insert(id, Rc::new(info));
            }
        }
        infos
    }

    fn read_channel(
        &mut self,
        declaration: &Declaration,
        ast: &ast::ChannelDecl,
        first: ChannelId,
    ) -> ChannelInfo {
        let name = &declaration.name;
        let indices = self.channel_indices(name, &ast.indices());
        let capacity = ast.capacity().and_then(|capacity| capacity.value());
        let capacity = capacity.and_then(|capacity| {
            let range = Range::new(1, MAX_CAPACITY);
            let what = format!("the capacity of `{name}`");
            let mend = "it is at least 1; what is handed over at once is an `action`, `on a(e)` and `on a(?x)`";
            self.constant_number(&capacity, range, &what, mend)
        });
        let message: Vec<Declared> = ast
            .message_types()
            .iter()
            .map(|ty| self.declared(ty))
            .collect();
        let order = match ast.kind() {
            Some(ast::ChannelKind::Bag) => Order::Bag,
            _ => Order::Queue,
        };
        let initial = ast
            .value()
            .map(|value| self.channel_content(name, &value, &message, capacity))
            .unwrap_or_default();
        let types: Vec<String> = message
            .iter()
            .map(|declared| self.type_text(declared))
            .collect();
        let kind = match order {
            Order::Queue => "queue",
            Order::Bag => "bag",
        };
        let size = capacity.map_or_else(|| String::from("…"), |n| n.to_string());
        self.symbols.set_type(
            declaration.span,
            format!("{kind}[{size}] of {}", types.join(", ")),
        );
        ChannelInfo {
            name: name.to_string(),
            span: declaration.span,
            first,
            indices,
            order,
            capacity: capacity.unwrap_or(1) as u32,
            message,
            initial,
        }
    }

    /// The indices of an array of channels; all of them are unknown where there are too many channels.
    fn channel_indices(&mut self, name: &str, types: &[ast::TypeExpr]) -> Vec<Domain> {
        let mut indices: Vec<Domain> = types
            .iter()
            .map(|ty| self.listed_domain(ty, "the index of an array of channels"))
            .collect();
        if let Some(third) = types.get(MOST_INDICES) {
            let message = format!(
                "a channel has at most {MOST_INDICES} indices; make one type of two of them, \
                 `{name}[0..N*N-1, K]`, and write `{name}[i * N + j, k]`"
            );
            self.error(Code::WrongArguments, self.span(third), message);
            indices.iter_mut().for_each(|index| index.known = false);
        }
        let is_known = indices.iter().all(|index| index.known);
        let number = number_of_channels(&indices);
        if let (Some(last), true) = (types.last(), is_known && number > MAX_CHANNELS) {
            let message = format!(
                "these are {number} channels, too many to check; at most {MAX_CHANNELS} can be"
            );
            self.error(Code::TooLarge, self.span(last), message);
            indices.iter_mut().for_each(|index| index.known = false);
        }
        indices
    }

    /// `[e, e]`, or `[[e, f], [e, f]]` for messages of several parts.
    fn channel_content(
        &mut self,
        name: &str,
        value: &ast::Expr,
        message: &[Declared],
        capacity: Option<i64>,
    ) -> Vec<Vec<i64>> {
        let span = self.span(value);
        let Some(ast::Expr::Array(list)) = value.clone().without_parens() else {
            let words = format!("what `{name}` holds at first is a list of its messages: `[e, e]`");
            self.error(Code::WrongType, span, words);
            return Vec::new();
        };
        let messages: Vec<ast::Expr> = list.elements().collect();
        let is_list =
            |one: &ast::Expr| matches!(one.clone().without_parens(), Some(ast::Expr::Array(_)));
        let is_scalar = message.len() == 1 && message[0].ty.is_scalar();
        if is_scalar && !messages.is_empty() && messages.iter().all(is_list) {
            let words = format!(
                "a message of `{name}` is one value and stands without brackets: `[e, e]`; of an array of \
                     channels each begins with all of them"
            );
            self.error(Code::WrongType, span, words);
            return Vec::new();
        }
        if let Some(capacity) = capacity
            && messages.len() as i64 > capacity
        {
            let words = Words::new(
                format!(
                    "`{name}` can hold {capacity} {}, but these are {}; `queue[{}]` would mend it",
                    if capacity == 1 { "message" } else { "messages" },
                    messages.len(),
                    messages.len()
                ),
                Some(Mend::Capacity(messages.len())),
            );
            self.error(Code::OutsideType, span, words);
        }
        let mut content = Vec::new();
        for element in messages {
            let parts: Vec<ast::Expr> = match (message, element.clone().without_parens()) {
                ([_], _) => vec![element.clone()],
                (_, Some(ast::Expr::Array(tuple))) => tuple.elements().collect(),
                _ => Vec::new(),
            };
            if parts.len() != message.len() {
                let form = vec!["e"; message.len()].join(", ");
                let words = format!(
                    "a message of `{name}` has {} parts and is written `[{form}]` here",
                    message.len()
                );
                self.error(Code::WrongArguments, self.span(&element), words);
                continue;
            }
            let values: Option<Vec<Value>> = parts
                .iter()
                .zip(message)
                .map(|(part, declared)| {
                    let what = format!("a message of `{name}`");
                    Some(self.constant_in(part, declared, &what)?.value)
                })
                .collect();
            let values = values.filter(|_| message.iter().all(|declared| declared.known));
            let scalars = values.map(|values| values.iter().flat_map(scalars).collect());
            content.extend(scalars);
        }
        content
    }

    /// All channels in the order of their ids, those of an array one by one, with their names and
    /// places.
    pub fn channels(&mut self) -> (Vec<Channel>, Vec<ChannelSource>) {
        let mut channels = Vec::new();
        let mut sources = Vec::new();
        for id in 0..self.names.declarations.len() {
            let Some(info) = self.channel_info(DeclarationId(id as u32)) else {
                continue;
            };
            for offset in 0..info.size() {
                channels.push(Channel {
                    order: info.order,
                    capacity: info.capacity,
                    message: (info.message.iter())
                        .flat_map(|declared| ranges(&declared.system))
                        .collect(),
                    initial: info.initial.clone(),
                });
                let name = match info.indices.is_empty() {
                    true => info.name.clone(),
                    false => format!("{}[{}]", info.name, index_of(&info.indices, offset)),
                };
                sources.push(ChannelSource {
                    name,
                    span: info.span,
                    message: (info.message.iter())
                        .map(|declared| MessagePart {
                            ty: declared.system.clone(),
                            shape: declared.shape.clone(),
                        })
                        .collect(),
                });
            }
        }
        (channels, sources)
    }

    /// The channel that an expression names, for `len`, `empty` and `full`.
    pub(crate) fn channel_named(&mut self, argument: &ast::Expr) -> Option<ChannelRef> {
        match argument.clone().without_parens()? {
            ast::Expr::Name(name) => {
                let (channel, _) = self.channel(&name.name_ref()?, &[])?;
                return Some(channel);
            }
            ast::Expr::Index(indexed) => {
                if let ast::Expr::Name(name) = indexed.base()?.without_parens()? {
                    let indices: Vec<ast::Expr> = indexed.indices().collect();
                    let (channel, _) = self.channel(&name.name_ref()?, &indices)?;
                    return Some(channel);
                }
            }
            _ => {}
        }
        let quoted = self.quoted(argument);
        let message = format!("the name of a channel is asked for here, but {quoted} is none");
        self.error(Code::WrongType, self.span(argument), message);
        None
    }
}

/// The indices of a channel of an array, counted from 0, as they are shown.
fn index_of(indices: &[Domain], mut offset: u32) -> String {
    let mut shown = Vec::new();
    for index in indices.iter().rev() {
        let size = u32::try_from(index.range.size()).unwrap_or(u32::MAX);
        let value = index.range.lo + i64::from(offset % size);
        shown.push(index.shape.scalar(value));
        offset /= size;
    }
    shown.reverse();
    shown.join(", ")
}
