/// What becomes of images, and of content of kinds that this client does not know.
package struct MediaPolicy: Hashable, Sendable {
    package enum Preview: Hashable, Sendable { case asksFirst, uploadsAtOnce }
    package enum Compression: Hashable, Sendable { case keepsBelowLimit, none }
    package enum Offline: Hashable, Sendable { case queues, drops }
    package enum Errors: Hashable, Sendable { case sayWhatToDo, areUnclear }
    /// What becomes of an upload of which only a part has arrived.
    package enum Partial: Hashable, Sendable { case isCompleted, isSentAsItIs }
    package enum Cache: Hashable, Sendable { case isBounded, growsForEver }
    package enum Unknown: Hashable, Sendable { case isShownAsUnsupported, crashes }

    package var preview = Preview.asksFirst
    package var compression = Compression.keepsBelowLimit
    package var offline = Offline.queues
    package var errors = Errors.sayWhatToDo
    package var partial = Partial.isCompleted
    package var cache = Cache.isBounded
    package var unknown = Unknown.isShownAsUnsupported

    static let defects: [Defect] = [
        Defect(
            "uploadBeforePreview",
            ["PO-1.3c"],
            "an image is uploaded as soon as it is chosen, before the user has said that it shall be sent",
            policy: { $0.media.preview = .uploadsAtOnce }
        ),
        Defect(
            "noCompression",
            ["PO-1.3d"],
            "images go out as large as they are",
            policy: { $0.media.compression = .none }
        ),
        Defect(
            "imageDroppedOffline",
            ["PO-1.3h"],
            "an image that is sent without a connection is gone",
            policy: { $0.media.offline = .drops }
        ),
        Defect(
            "uploadErrorUnclear",
            ["PO-1.3j"],
            "an image that was not uploaded says neither why nor what to do, and cannot be retried",
            policy: { $0.media.errors = .areUnclear }
        ),
        Defect(
            "partialUploadAccepted",
            ["PO-1.3m"],
            "an upload that was cut off counts as done, and half an image is sent",
            policy: { $0.media.partial = .isSentAsItIs }
        ),
        Defect(
            "imageCacheLeak",
            ["PO-1.3n"],
            "every image that was ever shown stays in memory",
            policy: { $0.media.cache = .growsForEver }
        ),
        Defect(
            "unknownContentCrash",
            ["PO-N1"],
            "content of an unknown kind ends the app",
            policy: { $0.media.unknown = .crashes }
        ),
    ]
}
