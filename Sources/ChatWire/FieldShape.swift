/// One member of a JSON object of the protocol.
package struct FieldShape: Hashable, Sendable {
    package let field: WireField
    package let kind: FieldKind
    /// An object without a required field is malformed; one that may be left out may also be `null`.
    package let required: Bool
    package let meaning: String
    /// Whether it belongs to what a server or a client need not have, such as images: nobody is judged by it.
    package let isExtra: Bool

    private init(_ field: WireField, _ kind: FieldKind, required: Bool, isExtra: Bool = false, _ meaning: String) {
        self.isExtra = isExtra
        self.field = field
        self.kind = kind
        self.required = required
        self.meaning = meaning
    }

    static func needs(_ field: WireField, _ kind: FieldKind, _ meaning: String) -> FieldShape {
        FieldShape(field, kind, required: true, meaning)
    }

    static func may(_ field: WireField, _ kind: FieldKind, _ meaning: String) -> FieldShape {
        FieldShape(field, kind, required: false, meaning)
    }

    /// May be left out, and need not be known; what is of another kind is taken for not there.
    static func extra(_ field: WireField, _ kind: FieldKind, _ meaning: String) -> FieldShape {
        FieldShape(field, kind, required: false, isExtra: true, meaning)
    }
}
