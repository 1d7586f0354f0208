/// Why a text is not JSON, or not JSON that the limits allow, and where.
package struct JSONError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text stops before the value does.
        case unexpectedEnd
        /// A byte that cannot stand where it does.
        case unexpectedByte
        /// Something other than white space after the value.
        case trailingByte
        /// A number that breaks off where a digit must follow.
        case missingDigit
        case leadingZero
        /// A byte below 0x20 inside a string.
        case controlCharacter
        /// A backslash followed by none of `"\/bfnrt`, or by a `u` without four hexadecimal digits.
        case invalidEscape
        /// Half of a surrogate pair, written as an escape, without the other half.
        case loneSurrogate
        case invalidUTF8
        case byteOrderMark
        /// An object gives a name twice.
        case duplicateName
        /// More levels than ``JSONLimits/depth``.
        case tooDeep
        /// More bytes than ``JSONLimits/size``.
        case tooLarge
    }

    package let code: Code
    /// Bytes before the one to blame, from 0. For an escape that is its backslash, for a name given twice its opening
    /// quote; at an unexpected end, the number of bytes there are.
    package let offset: Int
    /// The byte at the offset, where the message names it.
    private let found: UInt8?

    init(_ code: Code, at offset: Int, found: UInt8? = nil) {
        self.code = code
        self.offset = offset
        self.found = found
    }
}

extension JSONError: CustomStringConvertible {
    /// One line for a reader: `unexpected '}' at byte 12`.
    package var message: String { "\(problem) at byte \(offset)" }

    package var description: String { message }

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
