//! Of which type something is that is written, or that is wanted, as far as names and their types
//! tell: enough to say what fits a place.

use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_syntax::ast::{self, AstNode, BinaryOp, Expr, HasParams, PrefixOp, TypeExpr};
use stubborn_syntax::{SyntaxKind, SyntaxNode, parse};

use super::super::parameters::Names;
use super::around::callee;

/// A type as far as it decides what fits. All ranges are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Integer,
    Enumeration(String),
    /// An array or a record, as it is written.
    Composite(String),
}

impl Type {
    /// The type that is written so; aliases are none of it.
    pub fn of(text: &str) -> Option<Type> {
        let begins_number = |c: char| c.is_ascii_digit() || c == '-';
        Some(match text {
            "" => return None,
            "bool" => Type::Bool,
            "integer" => Type::Integer,
            _ if text.starts_with(begins_number) => Type::Integer,
            _ if text.contains([' ', '[', '{']) => Type::Composite(text.to_owned()),
            _ => Type::Enumeration(text.to_owned()),
        })
    }

    /// As it is shown.
    pub fn shown(self) -> String {
        match self {
            Type::Bool => "bool".to_owned(),
            Type::Integer => "integer".to_owned(),
            Type::Enumeration(name) | Type::Composite(name) => name,
        }
    }

    fn written(text: &str) -> Option<TypeExpr> {
        let tree = parse(&format!("type t = {text}")).tree();
        match tree.items().next()? {
            ast::Item::Type(declared) => declared.ty(),
            _ => None,
        }
    }

    /// The types of an array's index and of its cells.
    fn array(&self, names: &Names<'_>) -> Option<(Option<Type>, Option<Type>)> {
        let Type::Composite(text) = self else {
            return None;
        };
        let part = |one: Option<TypeExpr>| one.and_then(|one| names.resolved(&one));
        match Type::written(text)? {
            TypeExpr::Array(array) => {
                let indices: Vec<TypeExpr> = array.indices().collect();
                let element = match indices.get(1..) {
                    None | Some([]) => part(array.element()),
                    Some(others) => {
                        let others = others.iter().map(|index| index.syntax().text().to_string());
                        let others: Vec<String> = others.collect();
                        let element = array.element()?.syntax().text().to_string();
                        Type::of(&format!("array[{}] of {element}", others.join(", ")))
                    }
                };
                Some((part(indices.into_iter().next()), element))
            }
            TypeExpr::Set(set) => Some((None, part(set.element()))),
            TypeExpr::List(list) => Some((Some(Type::Integer), part(list.element()))),
            _ => None,
        }
    }

    /// The fields of a record with their types as they are written.
    pub fn fields(&self) -> Vec<(String, String)> {
        let Type::Composite(text) = self else {
            return Vec::new();
        };
        let Some(TypeExpr::Record(record)) = Type::written(text) else {
            return Vec::new();
        };
        let fields = record.fields().filter_map(|field| {
            let name = ast::HasName::name(&field)?.text();
            Some((name, field.ty()?.syntax().text().to_string()))
        });
        fields.collect()
    }
}

impl Names<'_> {
    /// A type that is written, without its alias.
    pub fn resolved(&self, ty: &TypeExpr) -> Option<Type> {
        match ty {
            TypeExpr::Bool(_) => Some(Type::Bool),
            TypeExpr::Range(_) => Some(Type::Integer),
            TypeExpr::Named(named) => {
                let symbol = self.general(&named.name_ref()?.text())?;
                match symbol.kind {
                    SymbolKind::Enumeration => Some(Type::Enumeration(symbol.name.to_string())),
                    SymbolKind::Type => Type::of(&symbol.ty),
                    _ => None,
                }
            }
            TypeExpr::Array(_) | TypeExpr::Record(_) | TypeExpr::Set(_) | TypeExpr::List(_) => {
                Type::of(&ty.syntax().text().to_string())
            }
        }
    }
}

/// The type of an expression.
pub fn of_expression(expression: &Expr, names: &Names<'_>) -> Option<Type> {
    match expression {
        Expr::Literal(literal) => Some(match literal.token()?.kind() {
            SyntaxKind::INT => Type::Integer,
            _ => Type::Bool,
        }),
        Expr::Name(name) => of_name(&name.name_ref()?.text(), names),
        Expr::Paren(inner) => of_expression(&inner.inner()?, names),
        Expr::Prefix(prefix) => Some(match prefix.op()? {
            PrefixOp::Neg => Type::Integer,
            _ => Type::Bool,
        }),
        Expr::Binary(binary) => Some(match binary.op()? {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                // Of sets and lists another one of them.
                match binary.lhs().and_then(|lhs| of_expression(&lhs, names)) {
                    Some(ty @ Type::Composite(_)) => ty,
                    _ => Type::Integer,
                }
            }
            BinaryOp::Div | BinaryOp::Rem => Type::Integer,
            _ => Type::Bool,
        }),
        Expr::In(_) | Expr::Quantifier(_) | Expr::At(_) => Some(Type::Bool),
        Expr::Aggregate(_) => Some(Type::Integer),
        Expr::If(chosen) => of_expression(&chosen.then_value()?, names),
        Expr::Index(cell) => {
            let base = of_expression(&cell.base()?, names)?;
            let mut indices = cell.indices();
            indices.try_fold(base, |whole, _| whole.array(names)?.1)
        }
        Expr::Field(field) => {
            let name = field.field()?.text();
            let fields = fields(&field.base()?, names);
            let (_, ty) = fields.into_iter().find(|(field, _)| *field == name)?;
            names.resolved(&Type::written(&ty)?)
        }
        Expr::Call(call) => match call.name_ref()?.text().as_str() {
            "empty" | "full" => Some(Type::Bool),
            "min" | "max" | "len" | "bit_and" | "bit_or" | "bit_xor" | "bit_not" | "shift_left"
            | "shift_right" => Some(Type::Integer),
            name => of_name(name, names),
        },
        Expr::With(with) => of_expression(&with.base()?, names),
        Expr::Slice(slice) => of_expression(&slice.base()?, names),
        Expr::Array(_)
        | Expr::Comprehension(_)
        | Expr::Record(_)
        | Expr::Set(_)
        | Expr::SetComprehension(_) => None,
    }
}

fn of_name(name: &str, names: &Names<'_>) -> Option<Type> {
    let symbol = names.general(name)?;
    match symbol.kind {
        SymbolKind::Channel | SymbolKind::Action | SymbolKind::Type => None,
        _ => Type::of(&symbol.ty),
    }
}

/// What may stand behind the `.` after an expression, with its type: the fields of a record, the
/// local variables of a process.
pub fn fields(base: &Expr, names: &Names<'_>) -> Vec<(String, String)> {
    let process = callee(base)
        .and_then(|name| names.general(&name))
        .filter(|symbol| symbol.kind == SymbolKind::Process);
    if let Some(process) = process {
        let locals = names.within(process);
        let locals = locals.filter(|local| local.kind == SymbolKind::LocalVariable);
        return locals
            .map(|local| (local.name.to_string(), local.ty.to_string()))
            .collect();
    }
    of_expression(base, names).map_or_else(Vec::new, |ty| ty.fields())
}

/// The type that the place of an expression asks for.
pub fn wanted(node: &SyntaxNode, names: &Names<'_>) -> Option<Type> {
    let parent = node.parent()?;
    let is = |other: Option<Expr>| other.is_some_and(|other| other.syntax() == node);
    match parent.kind() {
        SyntaxKind::PAREN_EXPR => wanted(&parent, names),
        SyntaxKind::WITH_EXPR => match ast::WithExpr::cast(parent.clone())?.base()? {
            base if base.syntax() == node => wanted(&parent, names),
            base => of_expression(&base, names),
        },
        SyntaxKind::ASSIGNMENT => of_expression(&ast::Assignment::cast(parent)?.place()?, names),
        SyntaxKind::BINARY_EXPR => {
            let binary = ast::BinaryExpr::cast(parent)?;
            match binary.op()? {
                BinaryOp::Eq | BinaryOp::Ne => of_expression(&binary.lhs()?, names),
                BinaryOp::Implies
                | BinaryOp::Or
                | BinaryOp::And
                | BinaryOp::Until
                | BinaryOp::WeakUntil
                | BinaryOp::Release => Some(Type::Bool),
                _ => Some(Type::Integer),
            }
        }
        SyntaxKind::SET_EXPR => match wanted(&parent, names)? {
            // `s + {e}`
            Type::Integer => {
                let binary = ast::BinaryExpr::cast(parent.parent()?)?;
                of_expression(&binary.lhs()?, names)?.array(names)?.1
            }
            ty => ty.array(names)?.1,
        },
        SyntaxKind::IN_EXPR => of_expression(&ast::InExpr::cast(parent)?.element()?, names),
        SyntaxKind::PREFIX_EXPR => Some(match ast::PrefixExpr::cast(parent)?.op()? {
            PrefixOp::Neg => Type::Integer,
            _ => Type::Bool,
        }),
        SyntaxKind::WHEN_CLAUSE
        | SyntaxKind::WHERE_CLAUSE
        | SyntaxKind::AWAIT_STMT
        | SyntaxKind::ASSERT_STMT
        | SyntaxKind::IF_STMT
        | SyntaxKind::WHILE_STMT
        | SyntaxKind::OBSERVE_DECL
        | SyntaxKind::INVARIANT_DECL
        | SyntaxKind::PROGRESS_DECL
        | SyntaxKind::REACHABLE_DECL
        | SyntaxKind::BOUND_DECL
        | SyntaxKind::LTL_DECL
        | SyntaxKind::DEADLOCK_SETTING
        | SyntaxKind::QUANTIFIER_EXPR => Some(Type::Bool),
        SyntaxKind::AGGREGATE_EXPR => {
            let count =
                ast::AggregateExpr::cast(parent)?.aggregate() == Some(ast::Aggregate::Count);
            Some(if count { Type::Bool } else { Type::Integer })
        }
        SyntaxKind::IF_EXPR => {
            let chosen = ast::IfExpr::cast(parent.clone())?;
            if is(chosen.condition()) {
                Some(Type::Bool)
            } else {
                wanted(&parent, names)
            }
        }
        SyntaxKind::INDEX_EXPR => {
            let cell = ast::IndexExpr::cast(parent)?;
            if is(cell.base()) {
                return None;
            }
            // Of the array that those before it lead to.
            let base = of_expression(&cell.base()?, names)?;
            let mut before = cell.indices().take_while(|index| index.syntax() != node);
            let whole = before.try_fold(base, |whole, _| whole.array(names)?.1)?;
            whole.array(names)?.0
        }
        SyntaxKind::RANGE_TYPE | SyntaxKind::CAPACITY => Some(Type::Integer),
        SyntaxKind::CONST_DECL => names.resolved(&ast::ConstDecl::cast(parent)?.ty()?),
        SyntaxKind::PARAM_DECL => Some(Type::Integer),
        SyntaxKind::VAR_DECL => names.resolved(&ast::VarDecl::cast(parent)?.ty()?),
        SyntaxKind::ARRAY_EXPR | SyntaxKind::COMPREHENSION_EXPR => {
            wanted(&parent, names)?.array(names)?.1
        }
        SyntaxKind::RECORD_FIELD => {
            let name = ast::RecordField::cast(parent.clone())?.name_ref()?.text();
            let fields = of_record(&parent, names);
            let (_, ty) = fields.into_iter().find(|(field, _)| *field == name)?;
            names.resolved(&Type::written(&ty)?)
        }
        SyntaxKind::SEND_CLAUSE | SyntaxKind::RECEIVE_CLAUSE => {
            // The index into an array of channels.
            let name = names.general(&parent.children().find_map(ast::NameRef::cast)?.text())?;
            let declared = names.declaration(name).and_then(ast::ChannelDecl::cast)?;
            let mut indices = parent.children().filter_map(Expr::cast);
            let position = indices.position(|index| index.syntax() == node)?;
            names.resolved(declared.indices().get(position)?)
        }
        SyntaxKind::ARG_LIST => of_argument(&parent, node, names),
        SyntaxKind::BIND_ARG => of_argument(&parent.parent()?, &parent, names),
        _ => None,
    }
}

/// The fields of the record that a field is written in.
pub fn of_record(field: &SyntaxNode, names: &Names<'_>) -> Vec<(String, String)> {
    let record = field
        .parent()
        .filter(|it| it.kind() == SyntaxKind::RECORD_EXPR);
    let ty = record.and_then(|record| wanted(&record, names));
    ty.map_or_else(Vec::new, |ty| ty.fields())
}

fn of_argument(list: &SyntaxNode, argument: &SyntaxNode, names: &Names<'_>) -> Option<Type> {
    let mut arguments = ast::ArgList::cast(list.clone())?.arguments();
    let number = arguments.position(|one| one.syntax() == argument)?;
    let callee = list.parent()?.children().find_map(ast::NameRef::cast)?;
    let name = callee.text();
    match name.as_str() {
        "min" | "max" | "bit_and" | "bit_or" | "bit_xor" | "bit_not" | "shift_left"
        | "shift_right" => return Some(Type::Integer),
        _ => {}
    }
    let symbol = names.general(&name)?;
    let declared = names.declaration(symbol)?;
    let ty = match symbol.kind {
        SymbolKind::Action => ast::ActionDecl::cast(declared)?.types().nth(number),
        SymbolKind::Channel => ast::ChannelDecl::cast(declared)?
            .message_types()
            .into_iter()
            .nth(number),
        SymbolKind::Process => ast::ProcessDecl::cast(declared)?.params().get(number)?.ty(),
        SymbolKind::Definition => ast::DefDecl::cast(declared)?.params().get(number)?.ty(),
        SymbolKind::Macro => ast::MacroDecl::cast(declared)?.params().get(number)?.ty(),
        _ => None,
    };
    names.resolved(&ty?)
}

/// Whether what a name stands for is of a type, or may lead to something of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Exactly,
    Perhaps,
    Not,
}

pub fn fit(symbol: &Symbol, wanted: Option<&Type>) -> Fit {
    let Some(wanted) = wanted else {
        return Fit::Perhaps;
    };
    let own = match symbol.kind {
        // `p(i)@s`, `p(i).x`
        SymbolKind::Process if *wanted == Type::Bool => return Fit::Exactly,
        SymbolKind::Process => return Fit::Perhaps,
        SymbolKind::Observed => Some(Type::Bool),
        _ => Type::of(&symbol.ty),
    };
    match (own, wanted) {
        (Some(own), wanted) if own == *wanted => Fit::Exactly,
        (None | Some(Type::Composite(_)), _) => Fit::Perhaps,
        // It may begin a comparison.
        (Some(_), Type::Bool) => Fit::Perhaps,
        (Some(_), _) => Fit::Not,
    }
}
