import ChatWire
import SquallCore

/// Owns the image in the preview. None of its data is sent until the user confirms it.
struct Media {
    private let profile: ClientProfile.Media
    private let policy: MediaPolicy
    private(set) var preview: ChosenImage?

    init(_ rules: Rules) {
        profile = rules.profile.media
        policy = rules.policy.media
    }

    /// Displays an image in the preview. Returns true only if a planted defect makes the client upload the image
    /// before the user confirms it.
    mutating func attach(_ image: ChosenImage, _ step: inout Step) -> Bool {
        preview = image
        step.changes.insert(.media)
        step.log(
            "client.attached",
            ["file": .string(image.file), "source": .string(image.source.rawValue), "bytes": .integer(image.bytes)]
        )
        return policy.preview == .uploadsAtOnce
    }

    mutating func cancel(_ step: inout Step) {
        preview = nil
        step.changes.insert(.media)
    }

    /// Closes the preview; returns its image in compressed form and the conversation for which the image was chosen, or
    /// nil if no preview is open.
    mutating func takePreview(_ step: inout Step) -> (image: OutgoingImage, conversation: String?)? {
        guard let chosen = preview else { return nil }
        preview = nil
        step.changes.insert(.media)
        let image = OutgoingImage(
            file: chosen.file,
            bytes: compressed(chosen.bytes),
            width: chosen.width,
            height: chosen.height
        )
        return (image, chosen.conversation)
    }

    /// Compresses an image shared from another app; the result has the dimensions of an image from the library.
    func compressed(_ file: String, bytes: Int64) -> OutgoingImage {
        OutgoingImage(file: file, bytes: compressed(bytes), width: 1200, height: 900)
    }

    /// Returns the size in bytes of an image after its quality has been reduced in steps until the size is below the
    /// limit; the dimensions in pixels do not change.
    func compressed(_ bytes: Int64) -> Int64 {
        guard policy.compression == .keepsBelowLimit else { return bytes }
        var size = bytes
        while size >= profile.limit { size = size * profile.stepPercent / 100 }
        return size
    }
}

extension Media {
    static let registry: [RegistryEntry] = [
        .observable("preview.file", .text, "The file name of the image in the preview; null if there is none."),
        .observable(
            "preview.bytes",
            .integer,
            "The size in bytes at which the image in the preview would be sent; null if there is none."
        ),
        .observable(
            "preview.source",
            .words(ChosenImage.Source.self),
            "The source of the image in the preview; null if there is none."
        ),
        .observable(
            "image.progress",
            .integer,
            key: "message",
            "The percentage of the user's image that the server has confirmed."
        ),
        .observable(
            "image.state",
            .words(ImageState.self),
            key: "message",
            "The state of the image that the message's bubble shows."
        ),
        .observable(
            "image.width",
            .integer,
            key: "message",
            "The width of the image's bubble in points; the bubble has the image's aspect ratio."
        ),
        .observable(
            "image.height",
            .integer,
            key: "message",
            "The height of the image's bubble in points; the bubble has the image's aspect ratio."
        ),
        .observable("image_cache.bytes", .integer, "The size of the image cache in bytes."),
        .event(
            "client.attached",
            ["file", "source", .integer("bytes")],
            "The user has chosen an image, which the preview shows."
        ),
    ]
}

/// The values of the observable `image.state`.
enum ImageState: String, CaseIterable {
    case loading, shown, failed
}
