extension HTTPRequestHead: HTTPHead {
    /// Parses a request line, `method SP request-target SP HTTP-version` (RFC 9112 section 3).
    init(startLine line: ArraySlice<UInt8>) throws(HTTPError) {
        let parts = line.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: false)
        guard
            parts.count == 3,
            isToken(parts[0]),
            !parts[1].isEmpty, parts[1].allSatisfy({ 0x21...0x7E ~= $0 }),
            let version = try HTTPVersion(parsing: parts[2])
        else { throw .malformedStartLine(latin1(line)) }
        self.init(method: latin1(parts[0]), target: latin1(parts[1]), version: version)
    }
}

extension HTTPResponseHead: HTTPHead {
    /// Parses a status line, `HTTP-version SP status-code SP [ reason-phrase ]`. The second space is mandatory (RFC
    /// 9112 section 4).
    init(startLine line: ArraySlice<UInt8>) throws(HTTPError) {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard
            parts.count == 3,
            let version = try HTTPVersion(parsing: parts[0]),
            parts[1].count == 3, isDigits(parts[1]), let status = Int(latin1(parts[1])), status >= 100,
            parts[2].allSatisfy(isFieldByte)
        else { throw .malformedStartLine(latin1(line)) }
        self.init(status: status, reason: latin1(parts[2]), version: version)
    }
}

extension HTTPVersion {
    /// Parses a version; returns nil if its syntax is invalid.
    fileprivate init?(parsing bytes: ArraySlice<UInt8>) throws(HTTPError) {
        let text = latin1(bytes)
        if let known = HTTPVersion(rawValue: text) {
            self = known
            return
        }
        let shape = bytes.map { isDigit($0) ? UInt8(ascii: "0") : $0 }
        guard shape == Array("HTTP/0.0".utf8) else { return nil }
        throw .unsupportedVersion(text)
    }
}

extension HTTPHeaders.Field {
    /// Parses a header line, `field-name ":" OWS field-value OWS`, without whitespace before the name or the colon (RFC
    /// 9112 section 5).
    init(line: ArraySlice<UInt8>) throws(HTTPError) {
        guard
            let colon = line.firstIndex(of: UInt8(ascii: ":")),
            isToken(line[..<colon]),
            line[(colon + 1)...].allSatisfy(isFieldByte)
        else { throw .malformedHeader(latin1(line)) }
        self.init(name: latin1(line[..<colon]), value: latin1(trimmed(line[(colon + 1)...])))
    }
}

/// Returns whether the bytes are a token (RFC 9110 section 5.6.2).
private func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
}

func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "#")...UInt8(ascii: "'"),
        UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
    default:
        false
    }
}

/// Returns whether the byte is allowed in a field value, a reason phrase or a chunk extension: any byte except a
/// control character other than the tab.
func isFieldByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
}

/// Returns whether the bytes are one or more decimal digits.
func isDigits(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isDigit)
}

private func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
}

func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
}
