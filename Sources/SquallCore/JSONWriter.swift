/// Encodes a value through a small buffer, so that the output array grows by hundreds of bytes at a time.
struct JSONWriter {
    private static let capacity = 1024
    /// The number of bytes of a string to write between checks of the buffer's free space.
    private static let piece = 64
    /// The length of the longest escape for a single byte, such as `\u001f`.
    private static let longestEscape = 6

    private let buffer: UnsafeMutablePointer<UInt8>
    private var used = 0
    private var output: [UInt8]
    private let pretty: Bool
    private let escapingHTML: Bool
    private var depth = 0

    static func write(_ value: JSON, into bytes: inout [UInt8], pretty: Bool, escapingHTML: Bool) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return }
            var writer = JSONWriter(start, output: bytes, pretty: pretty, escapingHTML: escapingHTML)
            // Makes the writer the only owner of the array, so that it appends in place.
            bytes = []
            writer.write(value)
            writer.flush()
            bytes = writer.output
        }
    }

    private init(_ buffer: UnsafeMutablePointer<UInt8>, output: [UInt8], pretty: Bool, escapingHTML: Bool) {
        self.buffer = buffer
        self.output = output
        self.pretty = pretty
        self.escapingHTML = escapingHTML
    }

    private mutating func write(_ value: JSON) {
        switch value {
        case .null: write(word: "null")
        case .bool(let flag): write(word: flag ? "true" : "false")
        case .integer(let number): write(number)
        case .number(let number): number.text.withBytes { write(verbatim: $0) }
        case .string(let text): write(quoted: text)
        case .array(let elements):
            write(byte: UInt8(ascii: "["))
            depth += 1
            for (index, element) in elements.enumerated() {
                separate(index)
                write(element)
            }
            close(with: UInt8(ascii: "]"), empty: elements.isEmpty)
        case .object(let members):
            write(byte: UInt8(ascii: "{"))
            depth += 1
            for (index, member) in members.enumerated() {
                separate(index)
                write(quoted: member.name)
                write(byte: UInt8(ascii: ":"))
                if pretty { write(byte: UInt8(ascii: " ")) }
                write(member.value)
            }
            close(with: UInt8(ascii: "}"), empty: members.isEmpty)
        }
    }

    private mutating func separate(_ index: Int) {
        if index > 0 { write(byte: UInt8(ascii: ",")) }
        if pretty { breakLine() }
    }

    private mutating func close(with bracket: UInt8, empty: Bool) {
        depth -= 1
        if pretty, !empty { breakLine() }
        write(byte: bracket)
    }

    private mutating func breakLine() {
        write(byte: UInt8(ascii: "\n"))
        for _ in 0..<depth { write(word: "  ") }
    }

    private mutating func write(quoted text: String) {
        text.withBytes { write(quoted: $0) }
    }

    private mutating func write(quoted text: UnsafeBufferPointer<UInt8>) {
        write(byte: UInt8(ascii: "\""))
        if let bytes = text.baseAddress {
            var index = 0
            while index < text.count {
                makeRoom(for: (JSONWriter.piece + 8) * JSONWriter.longestEscape)
                let end = min(text.count, index + JSONWriter.piece)
                while index < end { copy(bytes, &index, of: text.count) }
            }
        }
        write(byte: UInt8(ascii: "\""))
    }

    /// Writes the next one to eight bytes of a string, escaping at most one of them. The buffer must have room for
    /// eight escapes.
    @inline(__always)
    private mutating func copy(_ bytes: UnsafePointer<UInt8>, _ index: inout Int, of count: Int) {
        guard count - index >= 8 else {
            return copyOne(bytes, &index, of: count)
        }
        let word = JSONBytes.load(bytes + index)
        var found = JSONBytes.needingEscape(word)
        if escapingHTML { found |= JSONBytes.hazardousInHTML(word) }
        UnsafeMutableRawPointer(buffer + used).storeBytes(of: word.littleEndian, as: UInt64.self)
        guard found != 0 else {
            used += 8
            index += 8
            return
        }
        let clean = found.trailingZeroBitCount / 8
        used += clean
        index += clean
        copyOne(bytes, &index, of: count)
    }

    @inline(__always)
    private mutating func copyOne(_ bytes: UnsafePointer<UInt8>, _ index: inout Int, of count: Int) {
        let byte = bytes[index]
        if JSONBytes.needsEscape(byte) {
            escape(byte)
        } else if escapingHTML, byte == UInt8(ascii: "<") {
            escape(unicode: byte)
        } else if escapingHTML, byte == 0xE2, count - index >= 3, endsLine(bytes[index + 1], bytes[index + 2]) {
            write(word: "\\u202")
            put(UInt8(ascii: "8") + (bytes[index + 2] & 1))
            index += 2
        } else {
            put(byte)
        }
        index += 1
    }

    /// Returns whether 0xE2 and these two bytes encode U+2028 or U+2029, which JavaScript string literals could not
    /// contain before ECMAScript 2019.
    private func endsLine(_ second: UInt8, _ third: UInt8) -> Bool {
        second == 0x80 && third & 0xFE == 0xA8
    }

    private mutating func escape(_ byte: UInt8) {
        let letter: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
        case 0x08: letter = UInt8(ascii: "b")
        case 0x09: letter = UInt8(ascii: "t")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0D: letter = UInt8(ascii: "r")
        default: return escape(unicode: byte)
        }
        put(UInt8(ascii: "\\"))
        put(letter)
    }

    /// Writes an escape such as `\u001f`, with lower-case digits.
    private mutating func escape(unicode byte: UInt8) {
        put(UInt8(ascii: "\\"))
        put(UInt8(ascii: "u"))
        put(UInt8(ascii: "0"))
        put(UInt8(ascii: "0"))
        put(hexDigit(byte >> 4))
        put(hexDigit(byte & 0xF))
    }

    private func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private mutating func write(_ number: Int64) {
        makeRoom(for: 20)
        if number < 0 { put(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var length = 1
        var bound: UInt64 = 10
        // The largest magnitude has 19 digits, and 10^19 fits into `UInt64`.
        while rest >= bound, length < 19 {
            length += 1
            bound *= 10
        }
        for place in stride(from: length - 1, through: 0, by: -1) {
            (buffer + used)[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        used += length
    }

    private mutating func write(word: StaticString) {
        write(verbatim: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func write(verbatim bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= JSONWriter.capacity, let start = bytes.baseAddress else {
            flush()
            output.append(contentsOf: bytes)
            return
        }
        makeRoom(for: bytes.count)
        (buffer + used).update(from: start, count: bytes.count)
        used += bytes.count
    }

    private mutating func write(byte: UInt8) {
        makeRoom(for: 1)
        put(byte)
    }

    /// Writes a byte; the buffer must have room for it.
    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        buffer[used] = byte
        used += 1
    }

    @inline(__always)
    private mutating func makeRoom(for count: Int) {
        if used + count > JSONWriter.capacity { flush() }
    }

    private mutating func flush() {
        output.append(contentsOf: UnsafeBufferPointer(start: buffer, count: used))
        used = 0
    }
}
