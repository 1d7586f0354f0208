import SquallCore

/// What one end of a connection, or who reads along, must remember to speak the frames of a profile's templates:
/// references, and which frames they were given to; numbers.
///
/// The built-in protocol needs none of it.
package struct WireDialogue: Sendable {
    /// A client's frame that an answer can refer to.
    struct Request: Sendable {
        var role: FrameRole
        var fields: [JSONMember]
    }

    /// The client's frame that the server is answering.
    package struct Reference: Hashable, Sendable {
        package let role: FrameRole
        let value: JSON
    }

    /// Requests that can still be answered; beyond, the oldest is forgotten.
    static let most = 256

    /// The last frame read that an answer could refer to; nil where the last frame read was another.
    package private(set) var heard: Reference?
    private(set) var given: Int64 = 0
    private var requests: [JSON: Request] = [:]
    private var order: [JSON] = []
    private(set) var references: [FrameRole: JSON] = [:]
    private(set) var number: Int64 = 0
    private(set) var seen: Int64?

    package init() {}

    /// What the same client's next connection begins with: it knows what it has seen.
    package var successor: WireDialogue {
        var next = WireDialogue()
        next.seen = seen
        return next
    }

    func request(_ reference: JSON) -> Request? { requests[reference] }

    mutating func nextReference() -> JSON {
        given += 1
        return .integer(given)
    }

    mutating func nextNumber() -> Int64 {
        number = number == .max ? 1 : number + 1
        return number
    }

    /// A client's frame with a reference was written or read.
    mutating func remember(_ reference: JSON, _ role: FrameRole, _ fields: [JSONMember]) {
        references[role] = reference
        if requests.updateValue(Request(role: role, fields: fields), forKey: reference) == nil {
            order.append(reference)
            if order.count > Self.most { requests[order.removeFirst()] = nil }
        }
    }

    /// A frame was read.
    mutating func heard(_ reference: JSON?, _ role: FrameRole) {
        heard = reference.map { Reference(role: role, value: $0) }
    }

    mutating func saw(_ number: Int64) {
        seen = number
    }

    /// A server that has numbered nothing yet goes on where the client says that it was.
    mutating func goOn(from seen: Int64) {
        if number == 0 { number = max(seen, 0) }
    }
}
