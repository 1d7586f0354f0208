/// How the client handles the files that the user shares.
package struct UploadPolicy: Hashable, Sendable {
    /// Which traffic goes first when files compete with everything else for the link.
    package enum Priority: Hashable, Sendable {
        /// Files are sent one chunk at a time, and only while nothing else is in flight.
        case yields
        /// All chunks are sent at once, regardless of other traffic.
        case goesFirst
    }

    package enum Chunks: Hashable, Sendable { case adapt, areFixed }

    /// What continues an upload when the app moves to the background.
    package enum Background: Hashable, Sendable {
        /// The phone's transfer service, which runs without the app.
        case isHandedOver
        /// The app itself, for as long as it runs.
        case staysWithApp
    }

    package var priority = Priority.yields
    package var chunks = Chunks.adapt
    package var background = Background.isHandedOver

    static let defects: [Defect] = [
        Defect(
            "headOfLine",
            ["WS-17", "PO-1.3e"],
            "a file occupies the whole link, and everything else waits behind it",
            policy: { $0.uploads.priority = .goesFirst }
        ),
        Defect(
            "fixedPayload",
            ["WS-19"],
            "failed chunks are repeated at the same size forever",
            policy: { $0.uploads.chunks = .areFixed }
        ),
        Defect(
            "uploadDiesWithApp",
            ["WS-26"],
            "an upload stops while the app is suspended or not running",
            policy: { $0.uploads.background = .staysWithApp }
        ),
    ]
}
