/// The result of decoding a text message.
package enum Decoded<Frame: Hashable & Sendable>: Hashable, Sendable {
    case frame(Frame)
    /// A JSON object whose type does not belong to any frame in this direction. A client ignores it; a server responds
    /// with ``ErrorCode/unknownType``.
    case unknownType(String)
    /// A JSON object whose type is missing or not a string; otherwise treated like ``malformed(_:)``.
    case untyped(String)
    /// A message that is not a valid frame, for the given reason. A client ignores it; a server responds with
    /// ``ErrorCode/malformed``.
    case malformed(String)
}
