/// The verdict of a case on the peer, in the terms of the published suite.
package enum CaseBehavior: String, Hashable, Sendable, CaseIterable {
    case ok = "OK"
    /// Valid, but not what the RFC recommends, or later than it should be.
    case nonStrict = "NON-STRICT"
    /// Left open by the RFC; reported but not judged.
    case informational = "INFORMATIONAL"
    case failed = "FAILED"
    /// The peer did not agree to the extension that the case tests.
    case unimplemented = "UNIMPLEMENTED"
}

/// The verdict of a case on how the connection ended, in the terms of the published suite.
package enum CloseBehavior: String, Hashable, Sendable, CaseIterable {
    case ok = "OK"
    case wrongCode = "WRONG CODE"
    /// The connection ended without the required closing handshake.
    case unclean = "UNCLEAN"
    case failed = "FAILED"
    /// The server left it to the client to end the TCP connection (RFC 6455, section 7.1.1).
    case failedByClient = "FAILED BY CLIENT"
    case informational = "INFORMATIONAL"
}

/// An action of the peer that cases check.
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

    /// A pause of the case passed with the connection still open.
    case waited(String)
}
