extension JSON: Hashable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.null, _), (.bool, _), (.integer, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null:
            hasher.combine(0 as UInt8)
        case .bool(let flag):
            hasher.combine(1 as UInt8)
            hasher.combine(flag)
        case .integer(let number):
            hasher.combine(2 as UInt8)
            hasher.combine(number)
        case .number(let number):
            hasher.combine(3 as UInt8)
            hasher.combine(number)
        case .string(let text):
            hasher.combine(4 as UInt8)
            text.hashBytes(into: &hasher)
        case .array(let elements):
            hasher.combine(5 as UInt8)
            hasher.combine(elements)
        case .object(let members):
            hasher.combine(6 as UInt8)
            hasher.combine(members)
        }
    }
}

extension JSONMember: Hashable {
    package static func == (left: JSONMember, right: JSONMember) -> Bool {
        left.name.hasSameBytes(as: right.name) && left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
        name.hashBytes(into: &hasher)
        hasher.combine(value)
    }
}

extension String {
    /// Returns whether the two strings have the same UTF-8, unlike `==`, which compares by canonical equivalence.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { left in other.withBytes { right in left.hasSameBytes(as: right) } }
    }

    func hashBytes(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
