/// The verdict of a case on the peer's behaviour, in the terms of the Autobahn test suite.
package enum CaseBehavior: String, Hashable, Sendable, CaseIterable {
    case ok = "OK"
    /// The peer's behaviour is valid, but it is not what the RFC recommends, or the peer reacted too late.
    case nonStrict = "NON-STRICT"
    /// The RFC does not prescribe a behaviour, so the peer's is reported but not judged.
    case informational = "INFORMATIONAL"
    case failed = "FAILED"
    /// The peer did not accept the extension that the case tests.
    case unimplemented = "UNIMPLEMENTED"
}

/// The verdict of a case on how the connection ended, in the terms of the Autobahn test suite.
package enum CloseBehavior: String, Hashable, Sendable, CaseIterable {
    case ok = "OK"
    case wrongCode = "WRONG CODE"
    /// The connection ended without the required closing handshake.
    case unclean = "UNCLEAN"
    case failed = "FAILED"
    /// The server left it to the client to close the TCP connection (RFC 6455, section 7.1.1).
    case failedByClient = "FAILED BY CLIENT"
    case informational = "INFORMATIONAL"
}

/// An event that a case checks: a message or pong from the peer, or the end of a pause.
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

    /// One of the case's pauses ended while the connection was still open. The value is the name of the pause.
    case waited(String)
}
