/// The result of decoding a text message.
package enum Decoded<Frame: Hashable & Sendable>: Hashable, Sendable {
    case frame(Frame)
    /// A JSON object with a type that no frame of this direction has. A client ignores it; a server answers
    /// ``ErrorCode/unknownType``.
    case unknownType(String)
    /// A JSON object without a type or with one that is not a string; otherwise treated like ``malformed(_:)``.
    case untyped(String)
    /// Not a valid frame, for the given reason. A client ignores it; a server answers ``ErrorCode/malformed``.
    case malformed(String)
}
