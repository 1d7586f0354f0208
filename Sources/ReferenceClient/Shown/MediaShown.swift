import ChatWire
import SquallCore

// Reports the preview of an attachment and the images in message bubbles.

extension Client {
    mutating func showMedia(_ step: inout Step) {
        if media.preview != nil || display.hasShown("preview.file") {
            display.show("preview.file", media.preview?.file, &step)
            let bytes = media.preview.map { JSON.integer(media.compressed($0.bytes)) }
            display.show("preview.bytes", bytes ?? .null, &step)
            display.show("preview.source", media.preview?.source.rawValue, &step)
        }
        guard images.wasUsed else { return }
        display.show("image_cache.bytes", .integer(images.bytes), &step)
        for (key, state) in images.takeChanged() { showImage(of: key, state, &step) }
    }

    /// Updates a message's image after the message was deleted, or its deletion was undone or rejected.
    mutating func showImageAfterDeletion(of message: Message, _ step: inout Step) {
        guard rules.policy.deletion.image == .disappears, images.isKnown(message.key) else { return }
        showImage(of: message.key, images.state(of: message.key, at: message.media?.pictureURL), &step)
    }

    /// Reports the image of a message's bubble; a message that is shown as deleted has none.
    private mutating func showImage(of key: String, _ state: ImageState?, _ step: inout Step) {
        let message = conversations.messages[key]
        if let message, kind(of: message) == .deleted, rules.policy.deletion.image == .disappears {
            for name in ["image.state", "image.width", "image.height"] { display.clear(name, key: key, &step) }
            return
        }
        display.show("image.state", key: key, state?.rawValue, &step)
        guard var box = message?.media?.box(rules.profile.images) else { return }
        if rules.policy.media.box == .isSquare { box.height = box.width }
        display.show("image.width", key: key, .integer(box.width), &step)
        display.show("image.height", key: key, .integer(box.height), &step)
    }
}
