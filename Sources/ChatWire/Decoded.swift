/// The result of decoding a text message.
package enum Decoded<Frame: Hashable & Sendable>: Hashable, Sendable {
    case frame(Frame)
    /// A JSON object whose type does not belong to any frame in this direction. A client ignores it; a server responds
    /// with ``ErrorCode/unknownType``.
    case unknownType(String)
    /// A JSON object whose type is missing or not a string. It is handled in the same way as a ``malformed(_:)``
    /// message.
    case untyped(String)
    /// A message that is not a valid frame; the associated string is the reason. A client ignores the message; a server
    /// responds with ``ErrorCode/malformed``.
    case malformed(String)
}
