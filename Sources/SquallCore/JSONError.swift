/// The reason that a text is not valid JSON or exceeds the limits, with the position of the error.
package struct JSONError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text ends before the value is complete.
        case unexpectedEnd
        /// A byte that is not allowed at its position.
        case unexpectedByte
        /// A byte other than white space after the value.
        case trailingByte
        /// A number without a required digit.
        case missingDigit
        case leadingZero
        /// A byte below 0x20 inside a string.
        case controlCharacter
        /// A backslash that is not followed by one of `"\/bfnrt`, or by `u` and four hexadecimal digits.
        case invalidEscape
        /// An escape for one half of a surrogate pair without the other half.
        case loneSurrogate
        case invalidUTF8
        case byteOrderMark
        /// An object with two members that have the same name.
        case duplicateName
        /// Arrays and objects nested more deeply than ``JSONLimits/depth``.
        case tooDeep
        /// A text longer than ``JSONLimits/size`` bytes.
        case tooLarge
    }

    package let code: Code
    /// The offset of the invalid byte, from 0.
    ///
    /// For an invalid escape it is the offset of the backslash, for a duplicate name that of the second name's opening
    /// quote, and for an unexpected end the length of the text.
    package let offset: Int
    /// The byte at ``offset``; nil if the message does not quote it.
    private let found: UInt8?

    init(_ code: Code, at offset: Int, found: UInt8? = nil) {
        self.code = code
        self.offset = offset
        self.found = found
    }
}

extension JSONError: CustomStringConvertible {
    /// A one-line message, such as `unexpected '}' at byte 12`.
    package var message: String { "\(problem) at byte \(offset)" }

    package var description: String { message }

    // Clients record these messages in `client.malformed_frame`, so changing their wording changes the digests of
    // traces.
    private var problem: String {
        switch code {
        case .unexpectedEnd: "unexpected end of text"
        case .unexpectedByte: "unexpected \(culprit)"
        case .trailingByte: "unexpected \(culprit) after the value"
        case .missingDigit: "\(culprit) where a number needs a digit"
        case .leadingZero: "leading zero in a number"
        case .controlCharacter: "control character \(culprit) in a string, which must be escaped"
        case .invalidEscape: "invalid escape in a string"
        case .loneSurrogate: "half a surrogate pair in a string"
        case .invalidUTF8: "invalid UTF-8 in a string"
        case .byteOrderMark: "byte order mark"
        case .duplicateName: "a member name given before in the same object"
        case .tooDeep: "too many levels of arrays and objects"
        case .tooLarge: "text longer than allowed"
        }
    }

    private var culprit: String {
        guard let found else { return "end of text" }
        if (0x20...0x7E).contains(found) { return "'\(Character(Unicode.Scalar(found)))'" }
        let digits = String(found, radix: 16, uppercase: true)
        return found < 0x10 ? "0x0\(digits)" : "0x\(digits)"
    }
}
