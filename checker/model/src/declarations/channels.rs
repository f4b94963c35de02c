//! Channels and arrays of channels.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast;

use super::infos::ChannelInfo;
use crate::declarations::behind;
use crate::elaborate::Elaborator;
use crate::evaluate::position;
use crate::names::declarations::{Declaration, DeclarationId, DeclarationKind};
use crate::problem::{Code, Mend, Words};
use crate::types::{Domain, Ty};
use stubborn_system::source_map::ChannelSource;
use stubborn_system::system::{Channel, ChannelId, ChannelRef, Failure, Order, Range};

/// An array of channels has no more members.
const MAX_CHANNELS: u64 = 10_000;
/// A channel holds no more messages.
const MAX_CAPACITY: i64 = 1_000_000;

impl Elaborator<'_> {
    /// The channel that `name` and `index` stand for, and how it is declared; `None`, with a
    /// message, where there is none. An index that is known to fail for this instance gives an index
    /// that fails when it is evaluated.
    pub fn channel(
        &mut self,
        name: &ast::NameRef,
        index: Option<&ast::Expr>,
    ) -> Option<(ChannelRef, Rc<ChannelInfo>)> {
        let is_channel = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Channel(_));
        let id = self.declared_as(
            name,
            is_channel,
            "a channel",
            "`channel NAME: queue[1] of bool` declares one",
        );
        let Some(info) = id.and_then(|id| self.channel_info(id)) else {
            if let Some(index) = index {
                self.expr(index, None);
            }
            return None;
        };
        let span = self.span(name);
        match (&info.index, index) {
            (None, None) => Some((ChannelRef::One(info.first), info)),
            (None, Some(index)) => {
                self.expr(index, None);
                let message = format!(
                    "`{}` is one channel, not an array of them; without the index it can stand here",
                    info.name
                );
                self.error(Code::WrongArguments, self.span(index), message);
                None
            }
            (Some(_), None) => {
                let message = format!(
                    "`{0}` is an array of channels; `{0}[…]` with an index is one of them",
                    info.name
                );
                self.error(Code::WrongArguments, behind(span), message);
                None
            }
            (Some(domain), Some(index)) => {
                let channel = self.indexed_channel(&info, domain, index)?;
                Some((channel, info))
            }
        }
    }

    fn indexed_channel(
        &mut self,
        info: &ChannelInfo,
        domain: &Domain,
        index: &ast::Expr,
    ) -> Option<ChannelRef> {
        let typed = self.expr(index, Some(&domain.ty));
        let what = format!("the index of `{}`", info.name);
        if !self.fits(index, &typed, &domain.ty, &what) {
            return None;
        }
        let Range { lo, hi } = domain.range;
        self.only_within(&typed, domain.range);
        if let (Some(value), true) = (typed.scalar(), domain.known) {
            if let Some(offset) = position(value, lo, info.size() as usize) {
                return Some(ChannelRef::One(info.first + offset as ChannelId));
            }
            let failure = Failure::OutsideArray {
                index: value,
                lo,
                hi,
            };
            self.fails_if_text(index, &typed, &failure, &info.name, &domain.shape);
        }
        Some(ChannelRef::Indexed {
            first: info.first,
            lo,
            len: info.size(),
            index: Box::new(typed.expr),
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
        let index = ast.index().map(|ty| {
            let domain = self.listed_domain(&ty, "the index of an array of channels");
            if domain.known && domain.range.size() > MAX_CHANNELS {
                let message = format!(
                    "these are {} channels, too many to check; at most {MAX_CHANNELS} can be",
                    domain.range.size()
                );
                self.error(Code::TooLarge, self.span(&ty), message);
                return Domain {
                    known: false,
                    ..domain
                };
            }
            domain
        });
        let capacity = ast.capacity().and_then(|capacity| capacity.value());
        let capacity = capacity.and_then(|capacity| {
            let range = Range::new(1, MAX_CAPACITY);
            let what = format!("the capacity of `{name}`");
            let mend = "it is at least 1; what is handed over at once is an `action`, `on a(e)` and `on a(?x)`";
            self.constant_number(&capacity, range, &what, mend)
        });
        let message: Vec<Domain> = ast
            .message_types()
            .iter()
            .map(|ty| {
                self.domain_or(ty, "a part of a message", &|this, found| match found {
                    Ty::Record(_) => this.parts_of_record(ty),
                    _ => String::new(),
                })
            })
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
            .map(|domain| self.type_text(&domain.declared()))
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
            index,
            order,
            capacity: capacity.unwrap_or(1) as u32,
            message,
            initial,
        }
    }

    /// How the fields of a record are sent one by one.
    fn parts_of_record(&self, ty: &ast::TypeExpr) -> String {
        let mut ty = ty.clone();
        // A name for a name is not followed for ever.
        for _ in 0..10 {
            match &ty {
                ast::TypeExpr::Record(record) => {
                    let fields = record.fields().filter_map(|field| field.ty());
                    let fields = fields.map(|ty| self.quoted(&ty).trim_matches('`').to_owned());
                    let fields: Vec<String> = fields.collect();
                    return format!("; write its parts: `of {}`", fields.join(", "));
                }
                ast::TypeExpr::Named(named) => {
                    let name = named.name_ref().map(|name| name.text());
                    let id = name.and_then(|name| self.declared_name(self.env.file, &name));
                    let declared = id.map(|id| &self.declaration(id).kind);
                    let Some(DeclarationKind::Type(declared)) = declared else {
                        break;
                    };
                    let Some(other) = declared.ty() else { break };
                    ty = other;
                }
                _ => break,
            }
        }
        "; write its fields as parts: `of T, U`".to_owned()
    }

    /// `[e, e]`, or `[[e, f], [e, f]]` for messages of several parts.
    fn channel_content(
        &mut self,
        name: &str,
        value: &ast::Expr,
        message: &[Domain],
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
        if message.len() == 1 && !messages.is_empty() && messages.iter().all(is_list) {
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
            let values: Option<Vec<i64>> = parts
                .iter()
                .zip(message)
                .map(|(part, domain)| {
                    let what = format!("a message of `{name}`");
                    let constant = self.constant_in(part, &domain.declared(), &what)?;
                    match constant.value {
                        stubborn_system::system::Value::Int(value) => Some(value),
                        stubborn_system::system::Value::Cells(_) => None,
                    }
                })
                .collect();
            content.extend(values);
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
                    message: info.message.iter().map(|domain| domain.range).collect(),
                    initial: info.initial.clone(),
                });
                let name = match &info.index {
                    Some(index) => {
                        let value = index.range.lo + i64::from(offset);
                        format!("{}[{}]", info.name, index.shape.scalar(value))
                    }
                    None => info.name.clone(),
                };
                sources.push(ChannelSource {
                    name,
                    span: info.span,
                    message: info.message.iter().map(|d| d.shape.clone()).collect(),
                });
            }
        }
        (channels, sources)
    }

    /// The channel that an expression names, for `len`, `empty` and `full`.
    pub(crate) fn channel_named(&mut self, argument: &ast::Expr) -> Option<ChannelRef> {
        match argument.clone().without_parens()? {
            ast::Expr::Name(name) => {
                let (channel, _) = self.channel(&name.name_ref()?, None)?;
                return Some(channel);
            }
            ast::Expr::Index(indexed) => {
                if let ast::Expr::Name(name) = indexed.base()?.without_parens()? {
                    let index = indexed.index();
                    let (channel, _) = self.channel(&name.name_ref()?, index.as_ref())?;
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
