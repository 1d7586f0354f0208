extension JSON {
    /// Adds this value in a canonical form that no other value has: a tag with a length or a flag, then what it holds.
    package func combine(into hasher: inout FNV1a) {
        switch self {
        case .null: hasher.combine(JSON.word(1, 0))
        case .bool(let flag): hasher.combine(JSON.word(2, flag ? 1 : 0))
        case .integer(let number):
            hasher.combine(JSON.word(3, 0))
            hasher.combine(UInt64(bitPattern: number))
        case .number(let number): JSON.combine(number.text, tag: 4, into: &hasher)
        case .string(let text): JSON.combine(text, tag: 5, into: &hasher)
        case .array(let elements):
            hasher.combine(JSON.word(6, elements.count))
            for element in elements { element.combine(into: &hasher) }
        case .object(let members):
            hasher.combine(JSON.word(7, members.count))
            for member in members {
                JSON.combine(member.name, tag: 5, into: &hasher)
                member.value.combine(into: &hasher)
            }
        }
    }

    private static func word(_ tag: UInt64, _ count: Int) -> UInt64 {
        tag << 56 | UInt64(count)
    }

    private static func combine(_ text: String, tag: UInt64, into hasher: inout FNV1a) {
        hasher.combine(word(tag, text.utf8.count))
        hasher.combineBytes(of: text)
    }
}

extension FNV1a {
    /// Adds a text's length and its UTF-8, so that `ab`, `c` and `a`, `bc` differ.
    package mutating func combine(_ text: String) {
        combine(UInt64(text.utf8.count))
        combineBytes(of: text)
    }

    /// Little-endian words; zeros fill up the last one, which is unambiguous behind the length.
    fileprivate mutating func combineBytes(of text: String) {
        text.withBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            var index = 0
            while bytes.count - index >= 8 {
                combine(JSONBytes.load(start + index))
                index += 8
            }
            guard index < bytes.count else { return }
            var last: UInt64 = 0
            for place in index..<bytes.count { last |= UInt64(start[place]) << UInt64((place - index) * 8) }
            combine(last)
        }
    }
}
