/// The server name in the first message of a TLS client (RFC 8446 section 4.1.2, RFC 6066 section 3).
package struct ClientHello: Hashable, Sendable {
    /// The host name that the client requests; nil if there is none, for example because the client connects to an
    /// address.
    package var serverName: String?

    package init(serverName: String? = nil) {
        self.serverName = serverName
    }

    package enum Verdict: Hashable, Sendable {
        case undecided
        case hello(ClientHello)
        case notTLS
    }

    /// The maximum size, in bytes, of a ClientHello that is parsed. No client sends a larger one.
    package static let limit = 16 * 1024

    /// Parses the bytes that a client has sent so far.
    package static func parse(_ bytes: [UInt8]) -> Verdict {
        var records = Cursor(bytes.prefix(limit))
        var message: [UInt8] = []
        while true {
            // A handshake record has type 22, and the first byte of its version is 3 (RFC 8446 section 5.1).
            let start = records.rest
            if let type = start.first, type != 22 { return .notTLS }
            if start.count > 1, start[start.startIndex + 1] != 3 { return .notTLS }
            guard records.skip(3), let payload = records.block(lengthBytes: 2) else {
                return bytes.count >= limit ? .notTLS : .undecided
            }
            guard !payload.isEmpty else { return .notTLS }
            message += payload
            guard message[0] == 1 else { return .notTLS }
            guard message.count >= 4 else { continue }
            let length = message[1...3].reduce(0) { $0 << 8 | Int($1) }
            guard length <= limit else { return .notTLS }
            if message.count >= 4 + length {
                return parseBody(message[4..<4 + length]).map { .hello($0) } ?? .notTLS
            }
        }
    }

    private static func parseBody(_ body: ArraySlice<UInt8>) -> ClientHello? {
        var cursor = Cursor(body)
        guard cursor.skip(34), cursor.block(lengthBytes: 1) != nil, cursor.block(lengthBytes: 2) != nil,
            cursor.block(lengthBytes: 1) != nil
        else { return nil }
        var hello = ClientHello()
        // Before TLS 1.3, a ClientHello may end here, without extensions.
        guard !cursor.rest.isEmpty else { return hello }
        guard let block = cursor.block(lengthBytes: 2) else { return nil }
        var extensions = Cursor(block)
        while !extensions.rest.isEmpty {
            guard let type = extensions.number(2), let content = extensions.block(lengthBytes: 2) else { return nil }
            guard type == 0 else { continue }
            var list = Cursor(content)
            guard let names = list.block(lengthBytes: 2) else { return nil }
            var name = Cursor(names)
            guard name.number(1) == 0, let host = name.block(lengthBytes: 2) else { continue }
            // Anything that is not a valid host name is skipped, because a certificate could not contain it either.
            guard host.allSatisfy({ 0x21...0x7E ~= $0 }), 1...255 ~= host.count else { continue }
            hello.serverName = String(decoding: host, as: UTF8.self).lowercased()
        }
        return hello
    }
}

/// Parses numbers and length-prefixed blocks.
private struct Cursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    mutating func number(_ bytes: Int) -> Int? {
        guard rest.count >= bytes else { return nil }
        defer { rest = rest.dropFirst(bytes) }
        return rest.prefix(bytes).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func block(lengthBytes: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= lengthBytes else { return nil }
        let length = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= lengthBytes + length else { return nil }
        rest = rest.dropFirst(lengthBytes)
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }
}
