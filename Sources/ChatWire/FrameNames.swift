/// The names of the trace events that record frames sent or received by the client or the server.
///
/// They are created once, because creating them for each frame would be slower.
package struct FrameNames: Sendable {
    private let names: [FrameRole: String]

    private init(_ prefix: String) {
        names = Dictionary(uniqueKeysWithValues: FrameRole.allCases.map { ($0, "\(prefix).\($0.rawValue)") })
    }

    package subscript(role: FrameRole) -> String { names[role] ?? role.rawValue }

    package static let sentByClient = FrameNames("client.sent")
    package static let receivedByClient = FrameNames("client.received")
    package static let sentByServer = FrameNames("server.sent")
    package static let receivedByServer = FrameNames("server.received")
}
