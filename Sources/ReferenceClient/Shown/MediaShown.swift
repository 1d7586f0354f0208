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
        for (key, state) in images.takeChanged() {
            display.show("image.state", key: key, state?.rawValue, &step)
            guard var box = conversations.messages[key]?.media?.box(rules.profile.images) else { continue }
            if rules.policy.media.box == .isSquare { box.height = box.width }
            display.show("image.width", key: key, .integer(box.width), &step)
            display.show("image.height", key: key, .integer(box.height), &step)
        }
    }
}
