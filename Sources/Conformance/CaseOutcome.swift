/// What a case says of the peer, in the published suite's words.
package enum CaseBehavior: String, Hashable, Sendable, CaseIterable {
    case ok = "OK"
    /// Legal, but not what the RFC would rather have, or not at the first moment.
    case nonStrict = "NON-STRICT"
    /// The RFC leaves it open; told for whom it may concern.
    case informational = "INFORMATIONAL"
    case failed = "FAILED"
    /// The peer has not agreed to the extension that the case is about.
    case unimplemented = "UNIMPLEMENTED"
}

/// What a case says of the way in which the connection ended, in the published suite's words.
package enum CloseBehavior: String, Hashable, Sendable, CaseIterable {
    case ok = "OK"
    case wrongCode = "WRONG CODE"
    /// Without the closing handshake that was due.
    case unclean = "UNCLEAN"
    case failed = "FAILED"
    /// A server left it to its client to end the TCP connection (RFC 6455 section 7.1.1).
    case failedByClient = "FAILED BY CLIENT"
    case informational = "INFORMATIONAL"
}

/// What the peer did, as far as a case asks.
package enum CaseEvent: Hashable, Sendable {
    case text([UInt8])
    case binary([UInt8])
    case pong([UInt8])
    package enum Kind: Hashable, Sendable {
        case message, pong, wait
    }

    package var kind: Kind {
        switch self {
        case .text, .binary: .message
        case .pong: .pong
        case .waited: .wait
        }
    }

    /// A wait of the case's passed with the connection still open.
    case waited(String)
}
