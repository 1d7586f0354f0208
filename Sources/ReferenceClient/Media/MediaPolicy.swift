/// How the client handles images, and content of unknown types.
package struct MediaPolicy: Hashable, Sendable {
    package enum Preview: Hashable, Sendable { case asksFirst, uploadsAtOnce }
    package enum Compression: Hashable, Sendable { case keepsBelowLimit, none }
    package enum Offline: Hashable, Sendable { case queues, drops }
    package enum Errors: Hashable, Sendable { case nameTheRemedy, areUnclear }
    /// How the client handles an incomplete upload: it completes the upload, or sends the message with a partial image.
    package enum Partial: Hashable, Sendable { case isCompleted, isSentAsItIs }
    package enum Box: Hashable, Sendable { case keepsProportions, isSquare }
    package enum Arrival: Hashable, Sendable { case isShown, isShownLate, isUnnoticed }
    package enum Cache: Hashable, Sendable { case isBounded, growsForEver }
    /// The path to which an image is uploaded: it contains the message's ID, or is the same for all messages.
    package enum Path: Hashable, Sendable { case namesTheMessage, isShared }
    package enum Unknown: Hashable, Sendable { case isShownAsUnsupported, crashes }

    package var preview = Preview.asksFirst
    package var compression = Compression.keepsBelowLimit
    package var offline = Offline.queues
    package var errors = Errors.nameTheRemedy
    package var partial = Partial.isCompleted
    package var box = Box.keepsProportions
    package var arrival = Arrival.isShown
    package var cache = Cache.isBounded
    package var path = Path.namesTheMessage
    package var unknown = Unknown.isShownAsUnsupported

    static let defects: [Defect] = [
        Defect(
            "uploadBeforePreview",
            ["PO-1.3c", "PO-1.3a"],
            "an image is uploaded as soon as it is chosen, before the user has confirmed it",
            policy: { $0.media.preview = .uploadsAtOnce }
        ),
        Defect(
            "hiddenImagesFetched",
            ["PO-1.3i"],
            "images in rows far from the screen are fetched as well",
            profile: { $0.images.margin = 1000 }
        ),
        Defect(
            "noCompression",
            ["PO-1.3d", "PO-1.3k"],
            "images are sent uncompressed",
            policy: { $0.media.compression = .none }
        ),
        Defect(
            "imageDroppedOffline",
            ["PO-1.3h", "UX-X1"],
            "an image sent without a connection is lost",
            policy: { $0.media.offline = .drops }
        ),
        Defect(
            "uploadErrorUnclear",
            ["PO-1.3j", "PO-1.2a", "PO-C4"],
            "a failed image shows neither the reason nor a remedy, and cannot be retried",
            policy: { $0.media.errors = .areUnclear }
        ),
        Defect(
            "partialUploadAccepted",
            ["PO-1.3m"],
            "an interrupted upload counts as complete, and a partial image is sent",
            policy: { $0.media.partial = .isSentAsItIs }
        ),
        Defect(
            "imagePathShared",
            ["PO-V4"],
            "images are uploaded under a path without the message's id",
            policy: { $0.media.path = .isShared }
        ),
        Defect(
            "imageCacheLeak",
            ["PO-1.3n"],
            "the image cache grows without bound",
            policy: { $0.media.cache = .growsForEver }
        ),
        Defect(
            "unknownContentCrash",
            ["PO-N1"],
            "content of an unknown type crashes the app",
            policy: { $0.media.unknown = .crashes }
        ),
        Defect(
            "squareBubbles",
            ["PO-1.3f"],
            "every image is shown in a square bubble",
            policy: { $0.media.box = .isSquare }
        ),
        Defect(
            "imageStaysLoading",
            ["PO-1.3k"],
            "an image that has arrived is still shown as loading",
            policy: { $0.media.arrival = .isUnnoticed }
        ),
        Defect(
            "slowImages",
            ["PO-1.3k"],
            "an image is shown five seconds after it has arrived",
            policy: { $0.media.arrival = .isShownLate }
        ),
    ]
}
