extension JSONReader {
    /// Reads the string whose opening quote is at the current position.
    mutating func readString() throws(JSONError) -> String {
        let start = position + 1
        let isASCII = skipRun(from: start)
        guard position < count else { throw unexpected() }
        guard bytes[position] == UInt8(ascii: "\"") else { return try readEscapedString(from: start) }
        let run = UnsafeBufferPointer(start: bytes + start, count: position - start)
        position += 1
        if !isASCII { try checkUTF8(of: run, at: start) }
        fingerprint = JSONNames.fingerprint(of: run)
        return String(decoding: run, as: UTF8.self)
    }

    /// Reads a string with escapes. `start` is the offset of its first byte; the current position is that of the first
    /// backslash or control character.
    private mutating func readEscapedString(from start: Int) throws(JSONError) -> String {
        unescaped.removeAll(keepingCapacity: true)
        var runStart = start
        while true {
            guard position < count else { throw unexpected() }
            // Escapes are ASCII and represent whole scalars, so each run between them can be validated on its own.
            let run = UnsafeBufferPointer(start: bytes + runStart, count: position - runStart)
            try checkUTF8(of: run, at: runStart)
            unescaped.append(contentsOf: run)
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                fingerprint = unescaped.withUnsafeBufferPointer { JSONNames.fingerprint(of: $0) }
                return String(decoding: unescaped, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try readEscape()
            default:
                throw JSONError(.controlCharacter, at: position, found: bytes[position])
            }
            runStart = position
            skipRun(from: runStart)
        }
    }

    private func checkUTF8(of run: UnsafeBufferPointer<UInt8>, at start: Int) throws(JSONError) {
        if let fault = JSONBytes.firstInvalidUTF8(in: run) { throw JSONError(.invalidUTF8, at: start + fault) }
    }

    /// Moves the current position from `start` to the first quote, backslash or control character, or to the end.
    ///
    /// - Returns: Whether all bytes before the new position are ASCII. The result may also be `false` because of a
    ///   non-ASCII byte up to seven bytes beyond it.
    @inline(__always)
    @discardableResult
    private mutating func skipRun(from start: Int) -> Bool {
        var index = start
        var seen: UInt64 = 0
        while count - index >= 8 {
            let word = JSONBytes.load(bytes + index)
            seen |= word
            let found = JSONBytes.needingEscape(word)
            if found != 0 {
                position = index + found.trailingZeroBitCount / 8
                return JSONBytes.isASCII(seen)
            }
            index += 8
        }
        while index < count, !JSONBytes.needsEscape(bytes[index]) {
            seen |= UInt64(bytes[index])
            index += 1
        }
        position = index
        return JSONBytes.isASCII(seen)
    }

    /// Reads the escape whose backslash is at the current position.
    private mutating func readEscape() throws(JSONError) {
        let start = position
        guard start + 1 < count else { throw JSONError(.unexpectedEnd, at: count) }
        position += 2
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(bytes[start + 1])
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "u"): unescaped.append(contentsOf: UTF8.encode(try readScalar(escapeAt: start)) ?? .init())
        default: throw JSONError(.invalidEscape, at: start)
        }
    }

    /// Reads the four digits of a `\u` escape and, after a high surrogate, the low surrogate's escape as well.
    private mutating func readScalar(escapeAt start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try readUnit(escapeAt: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first) else { throw JSONError(.loneSurrogate, at: start) }
        let next = position
        for letter in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard position < count else { throw unexpected() }
            guard bytes[position] == letter else { throw JSONError(.loneSurrogate, at: start) }
            position += 1
        }
        let second = try readUnit(escapeAt: next)
        guard UTF16.isTrailSurrogate(second) else { throw JSONError(.loneSurrogate, at: start) }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func readUnit(escapeAt start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard position < count else { throw unexpected() }
            guard let digit = hexDigit(bytes[position]) else { throw JSONError(.invalidEscape, at: start) }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    private func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
