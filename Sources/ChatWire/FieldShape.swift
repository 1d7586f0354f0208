/// The description of one member of a JSON object in the protocol.
package struct FieldShape: Hashable, Sendable {
    package let field: WireField
    package let kind: FieldKind
    /// Whether an object without this field is malformed. An optional field may also be `null`.
    package let required: Bool
    package let meaning: String
    /// Whether the field belongs to an optional feature, such as images, so that the conformance tests do not require
    /// it.
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

    /// Describes a field of an optional feature. A value of the wrong kind is treated as missing.
    static func extra(_ field: WireField, _ kind: FieldKind, _ meaning: String) -> FieldShape {
        FieldShape(field, kind, required: false, isExtra: true, meaning)
    }
}
