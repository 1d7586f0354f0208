/// What becomes of the files that the user shares.
package struct UploadPolicy: Hashable, Sendable {
    /// Who has the link where files and everything else want it.
    package enum Priority: Hashable, Sendable {
        /// Files: one chunk at a time, and only while nothing else is on its way.
        case yields
        /// All chunks at once, whatever else there is.
        case goesFirst
    }

    package enum Chunks: Hashable, Sendable { case adapt, areFixed }

    /// Who carries on with a file when the app leaves the screen.
    package enum Background: Hashable, Sendable {
        /// The phone's transfer service, which goes on without the app.
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
            ["WS-17"],
            "a file takes the whole link, and whatever else is to be sent waits behind it",
            policy: { $0.uploads.priority = .goesFirst }
        ),
        Defect(
            "fixedPayload",
            ["WS-19"],
            "chunks that fail are sent again as large as they were, for ever",
            policy: { $0.uploads.chunks = .areFixed }
        ),
        Defect(
            "uploadDiesWithApp",
            ["WS-26"],
            "an upload stands still while the app is suspended or gone",
            policy: { $0.uploads.background = .staysWithApp }
        ),
    ]
}
