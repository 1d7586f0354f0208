/// Reads a JSON value from bytes in memory, which must stay valid while the reader is used.
struct JSONReader {
    let bytes: UnsafePointer<UInt8>
    /// The number of bytes. Every read is checked against it.
    let count: Int
    /// The offset of the next byte to read; never above `count`.
    var position = 0
    /// A buffer for decoding strings that contain escapes.
    var unescaped: [UInt8] = []
    /// The hash of the last string that was read; see ``JSONNames/fingerprint(of:)``.
    var fingerprint: UInt64 = 0

    private let limits: JSONLimits
    private var depth = 0
    /// The capacity to reserve for an object's members.
    ///
    /// It is the number of members of the previous object, so the memory reserved for hostile input stays proportional
    /// to the input's size.
    private var expectedMembers = 8

    init(_ bytes: UnsafePointer<UInt8>, count: Int, limits: JSONLimits) {
        self.bytes = bytes
        self.count = count
        self.limits = limits
    }

    mutating func readText() throws(JSONError) -> JSON {
        if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw JSONError(.byteOrderMark, at: 0) }
        skipWhiteSpace()
        let value = try readValue()
        skipWhiteSpace()
        guard position == count else { throw JSONError(.trailingByte, at: position, found: bytes[position]) }
        return value
    }

    private mutating func readValue() throws(JSONError) -> JSON {
        guard position < count else { throw unexpected() }
        switch bytes[position] {
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "{"): return try readObject()
        case UInt8(ascii: "["): return try readArray()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        case UInt8(ascii: "t"):
            try readWord("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try readWord("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try readWord("null")
            return .null
        default: throw unexpected()
        }
    }

    private mutating func readArray() throws(JSONError) -> JSON {
        try enter()
        var elements: [JSON] = []
        guard !take(UInt8(ascii: "]")) else { return leave(with: .array(elements)) }
        while true {
            elements.append(try readValue())
            skipWhiteSpace()
            if take(UInt8(ascii: ",")) {
                skipWhiteSpace()
            } else if take(UInt8(ascii: "]")) {
                return leave(with: .array(elements))
            } else {
                throw unexpected()
            }
        }
    }

    private mutating func readObject() throws(JSONError) -> JSON {
        try enter()
        var members: [JSONMember] = []
        guard !take(UInt8(ascii: "}")) else { return leave(with: .object(members)) }
        members.reserveCapacity(expectedMembers)
        var names = JSONNames()
        while true {
            let start = position
            guard start < count, bytes[start] == UInt8(ascii: "\"") else { throw unexpected() }
            let name = try readString()
            if limits.duplicates == .refuse, !names.insert(name, fingerprint, into: members) {
                throw JSONError(.duplicateName, at: start)
            }
            skipWhiteSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected() }
            skipWhiteSpace()
            members.append(JSONMember(name, try readValue()))
            skipWhiteSpace()
            if take(UInt8(ascii: ",")) {
                skipWhiteSpace()
            } else if take(UInt8(ascii: "}")) {
                expectedMembers = members.count
                return leave(with: .object(members))
            } else {
                throw unexpected()
            }
        }
    }

    /// Skips an opening bracket and the white space after it.
    private mutating func enter() throws(JSONError) {
        guard depth < limits.depth else { throw JSONError(.tooDeep, at: position) }
        depth += 1
        position += 1
        skipWhiteSpace()
    }

    private mutating func leave(with value: JSON) -> JSON {
        depth -= 1
        return value
    }

    private mutating func readWord(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[index]) else { throw unexpected() }
        }
    }

    /// Skips `byte` if it is the next byte; returns whether it was skipped.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while position < count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Returns the error for an unexpected byte at the current position, or for the unexpected end of the text.
    func unexpected() -> JSONError {
        guard position < count else { return JSONError(.unexpectedEnd, at: count) }
        return JSONError(.unexpectedByte, at: position, found: bytes[position])
    }
}
