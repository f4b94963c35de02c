//! Types (§3).

use super::{AstNode, Expr, NameRef, ast_enum, ast_node, child, children};

ast_enum! {
    /// A type as it is written.
    TypeExpr {
        Bool(BoolType),
        Range(RangeType),
        Named(NamedType),
        Array(ArrayType),
        Record(RecordType),
        Set(SetType),
        List(ListType),
    }
}

ast_node! {
    /// `bool`
    BoolType = BOOL_TYPE
}

ast_node! {
    /// `lo..hi`
    RangeType = RANGE_TYPE
}

impl RangeType {
    /// The lower end.
    pub fn low(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The upper end.
    pub fn high(&self) -> Option<Expr> {
        children::<Expr>(&self.syntax).nth(1)
    }
}

ast_node! {
    /// The name of an enumeration or of another type.
    NamedType = NAMED_TYPE
}

impl NamedType {
    /// The name.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `array[I] of T`
    ArrayType = ARRAY_TYPE
}

impl ArrayType {
    /// The type of the index.
    pub fn index(&self) -> Option<TypeExpr> {
        let of = super::word(&self.syntax, "of")?;
        children::<TypeExpr>(&self.syntax)
            .find(|ty| AstNode::range(ty).end() <= of.text_range().start())
    }
    /// The type of the cells.
    pub fn element(&self) -> Option<TypeExpr> {
        let of = super::word(&self.syntax, "of")?;
        children::<TypeExpr>(&self.syntax)
            .find(|ty| AstNode::range(ty).start() >= of.text_range().end())
    }
}

ast_node! {
    /// `set of T`
    SetType = SET_TYPE
}

impl SetType {
    /// The type of the elements.
    pub fn element(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `list[n] of T`
    ListType = LIST_TYPE
}

impl ListType {
    /// How many elements it can have.
    pub fn capacity(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The type of the elements.
    pub fn element(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `record { f: T, g: U }`
    RecordType = RECORD_TYPE
}

impl RecordType {
    /// The fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = FieldDecl> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `f: T`
    FieldDecl = FIELD_DECL: HasName
}

impl FieldDecl {
    /// The type of the field.
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}
