/// How the client handles the files that the user shares.
package struct UploadPolicy: Hashable, Sendable {
    /// Whether files or all other traffic has priority on the connection.
    package enum Priority: Hashable, Sendable {
        /// Files are sent one chunk at a time, and only while nothing else is in flight.
        case yields
        /// All chunks are sent immediately, regardless of other traffic.
        case goesFirst
    }

    package enum Chunks: Hashable, Sendable { case adapt, areFixed }

    /// The process that continues an upload when the app enters the background.
    package enum Background: Hashable, Sendable {
        /// The phone's transfer service, which runs without the app.
        case isHandedOver
        /// The app itself, for as long as it runs.
        case staysWithApp
    }

    /// What happens to a file's record on disk once the server has received the whole file: it is removed, or it is
    /// kept.
    package enum Completed: Hashable, Sendable { case isRemoved, isKept }

    /// When an image's upload progress is shown: once the progress is on disk, so that it does not decrease if the
    /// process is killed, or immediately.
    package enum Progress: Hashable, Sendable { case isShownOnceStored, isShownAtOnce }

    /// Where an upload goes on after the app has started: after the bytes that the server has, or at the first byte.
    package enum Resumption: Hashable, Sendable { case fromRecord, fromFirstByte }

    package var priority = Priority.yields
    package var chunks = Chunks.adapt
    package var background = Background.isHandedOver
    package var completed = Completed.isRemoved
    package var progress = Progress.isShownOnceStored
    package var resumption = Resumption.fromRecord

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
        Defect(
            "uploadStartsAnew",
            ["WS-26"],
            "after a start, an upload begins with the file's first byte again",
            policy: { $0.uploads.resumption = .fromFirstByte }
        ),
        Defect(
            "uploadStaysOnDisk",
            ["WS-12d", "WS-21h", "PO-1.3h"],
            "an uploaded file stays in the queue on disk and is uploaded again after a restart",
            policy: { $0.uploads.completed = .isKept }
        ),
        Defect(
            "tinyChunks",
            ["PO-1.3k", "PO-1.3l"],
            "files are sent in chunks of two kilobytes, each of which waits for an answer",
            profile: { ($0.upload.chunk, $0.upload.chunkMax) = (2 << 10, 2 << 10) }
        ),
        Defect(
            "wholeFiles",
            ["WS-8"],
            "files are sent in one piece, whatever size the server accepts",
            profile: { ($0.upload.chunk, $0.upload.chunkMax) = (64 << 20, 64 << 20) }
        ),
        Defect(
            "progressForgotten",
            ["PO-1.3e"],
            "the progress of an image's upload is shown before it is on disk, so that a kill makes it decrease",
            policy: { $0.uploads.progress = .isShownAtOnce }
        ),
    ]
}
