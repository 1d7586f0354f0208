/// What a text message turned out to be.
package enum Decoded<Frame: Hashable & Sendable>: Hashable, Sendable {
    case frame(Frame)
    /// A JSON object whose type no frame of this direction has. A client ignores it, a server answers
    /// ``ErrorCode/unknownType``.
    case unknownType(String)
    /// For the reason given. A client ignores it, a server answers ``ErrorCode/malformed``.
    case malformed(String)
}
