/// One member of a JSON object of the protocol.
package struct FieldShape: Hashable, Sendable {
    package let field: WireField
    package let kind: FieldKind
    /// An object without a required field is malformed; one that may be left out may also be `null`.
    package let required: Bool
    package let meaning: String

    private init(_ field: WireField, _ kind: FieldKind, required: Bool, _ meaning: String) {
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
}
