extension JSON {
    /// Adds this value to a hash in a canonical, unambiguous form: a tag with a length or a flag, then the content.
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
    /// Adds the length and the UTF-8 of a string; the length distinguishes `ab`, `c` from `a`, `bc`.
    package mutating func combine(_ text: String) {
        combine(UInt64(text.utf8.count))
        combineBytes(of: text)
    }

    fileprivate mutating func combineBytes(of text: String) {
        text.withBytes { combine($0) }
    }

    /// Adds bytes as little-endian words; the last word is padded with zeros, so the caller must also add the length.
    mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        var index = 0
        while bytes.count - index >= 8 {
            combine(JSONBytes.load(start + index))
            index += 8
        }
        let rest = bytes.count - index
        guard rest > 0 else { return }
        // Reads the remaining 1 to 7 bytes in groups of four, two and one.
        var last: UInt64 = 0
        var shift: UInt64 = 0
        if rest & 4 != 0 {
            last = UInt64(JSONBytes.loadFour(start + index))
            (index, shift) = (index + 4, 32)
        }
        if rest & 2 != 0 {
            last |= (UInt64(start[index]) | UInt64(start[index + 1]) << 8) << shift
            (index, shift) = (index + 2, shift + 16)
        }
        if rest & 1 != 0 { last |= UInt64(start[index]) << shift }
        combine(last)
    }
}
