/// What a text message turned out to be.
package enum Decoded<Frame: Hashable & Sendable>: Hashable, Sendable {
    case frame(Frame)
    /// A JSON object whose type no frame of this direction has. A client ignores it, a server answers
    /// ``ErrorCode/unknownType``.
    case unknownType(String)
    /// A JSON object without a type, or with one that is no text; otherwise as ``malformed(_:)``.
    case untyped(String)
    /// For the reason given. A client ignores it, a server answers ``ErrorCode/malformed``.
    case malformed(String)
}
