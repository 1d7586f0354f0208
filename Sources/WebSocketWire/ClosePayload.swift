/// The payload of a close frame (RFC 6455 section 5.5.1).
package struct ClosePayload: Hashable, Sendable {
    /// The close code; nil for a frame without a code, which is reported as ``CloseCode/noStatus``.
    package var code: CloseCode?
    /// The reason text; empty if there is no code.
    package var reason: String

    package init(_ code: CloseCode? = nil, reason: String = "") {
        self.code = code
        self.reason = reason
    }

    init(parsing payload: [UInt8]) throws(ProtocolViolation) {
        guard payload.count != 1 else { throw .truncatedCloseCode }
        guard payload.count >= 2 else {
            self.init()
            return
        }
        let code = CloseCode(UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isAllowedOnWire else { throw .invalidCloseCode(code) }
        var validator = UTF8Validator()
        guard validator.firstError(in: payload, from: 2) == nil, validator.isComplete else { throw .invalidUTF8 }
        self.init(code, reason: String(decoding: payload[2...], as: UTF8.self))
    }

    /// Encodes the payload in at most `limit` bytes. `limit` must not exceed the 125 bytes of a control frame.
    ///
    /// A reason that is too long is truncated at a Unicode scalar boundary. The result is empty if the code does not
    /// fit.
    ///
    /// The code is written as is, even if it is not allowed in a close frame.
    package func encode(atMost limit: Int = 125) -> [UInt8] {
        guard let code, limit >= 2 else { return [] }
        var bytes = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for scalar in reason.unicodeScalars {
            guard bytes.count + UTF8.width(scalar) <= min(limit, 125) else { break }
            bytes.append(contentsOf: String(scalar).utf8)
        }
        return bytes
    }
}
