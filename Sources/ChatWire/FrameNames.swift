/// The event names of the frames that one side sends or receives, created once instead of for each frame.
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
