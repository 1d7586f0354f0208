/// The status code of a close frame (RFC 6455 section 7.4 and the IANA registry).
package struct CloseCode: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let normal = CloseCode(1000)
    package static let goingAway = CloseCode(1001)
    package static let protocolError = CloseCode(1002)
    package static let unsupportedData = CloseCode(1003)
    /// The code reported for a close frame that contains none. It is never sent.
    package static let noStatus = CloseCode(1005)
    /// The code reported if a connection ends without a close frame. It is never sent.
    package static let abnormal = CloseCode(1006)
    package static let invalidPayload = CloseCode(1007)
    package static let policyViolation = CloseCode(1008)
    package static let messageTooBig = CloseCode(1009)
    package static let mandatoryExtension = CloseCode(1010)
    package static let internalError = CloseCode(1011)
    package static let serviceRestart = CloseCode(1012)
    package static let tryAgainLater = CloseCode(1013)
    package static let badGateway = CloseCode(1014)
    /// The code reported if the TLS handshake fails. It is never sent.
    package static let tlsHandshake = CloseCode(1015)

    /// Whether the code is allowed in a close frame.
    package var isAllowedOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension CloseCode: CustomStringConvertible {
    package var description: String { String(rawValue) }
}
