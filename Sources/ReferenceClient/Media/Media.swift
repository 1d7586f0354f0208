import ChatWire
import SquallCore

/// Owns what the user is about to send: an image in the preview, of which nothing leaves before it is confirmed.
struct Media {
    private let profile: ClientProfile.Media
    private let policy: MediaPolicy
    private(set) var preview: ChosenImage?

    init(_ rules: Rules) {
        profile = rules.profile.media
        policy = rules.policy.media
    }

    /// Shows an image; true where a defect wants it uploaded at once.
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

    /// What the preview shows, made small enough, and the conversation it is for; the preview is closed.
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

    /// Bytes of an image when its quality is lowered step by step until it is below the limit; its pixels stay.
    func compressed(_ bytes: Int64) -> Int64 {
        guard policy.compression == .keepsBelowLimit else { return bytes }
        var size = bytes
        while size >= profile.limit { size = size * profile.stepPercent / 100 }
        return size
    }
}

extension Media {
    static let registry: [RegistryEntry] = [
        .observable("preview.file", .text, "The image in the preview; null without one."),
        .observable("preview.bytes", .integer, "How large it would go out; null without one."),
        .observable(
            "preview.source",
            .words(ChosenImage.Source.self),
            "Where it comes from; null without one."
        ),
        .observable(
            "image.progress",
            .integer,
            key: "message",
            "Of a hundred bytes of the user's image, how many the server is known to have."
        ),
        .observable("image.state", .words(ImageState.self), key: "message", "How the image looks in its bubble."),
        .observable("image.width", .integer, key: "message", "How wide its bubble is, in points, in proportion."),
        .observable("image.height", .integer, key: "message", "How high its bubble is, in points, in proportion."),
        .observable("image_cache.bytes", .integer, "Bytes of images that are kept to be shown again."),
        .event(
            "client.attached",
            ["file", "source", .integer("bytes")],
            "The user has chosen an image, which the preview shows."
        ),
    ]
}

/// What `image.state` shows.
enum ImageState: String, CaseIterable {
    case loading, shown, failed
}
