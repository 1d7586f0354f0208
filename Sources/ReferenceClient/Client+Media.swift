import ChatWire
import Foundations

// Who hears what of images and deletions.

extension Client {
    mutating func routeMedia(_ command: ClientCommand, _ step: inout Step) {
        switch command {
        case .attach(let image):
            guard media.attach(image, &step) else { return }
            uploads.share(image.file, bytes: image.bytes, label: nil, &step)
        case .cancelImage: media.cancel(&step)
        case .sendImage(let label): sendImage(label: label, &step)
        default: break
        }
    }

    /// The message stands there at once; it leaves when its image has.
    private mutating func sendImage(label: String?, _ step: inout Step) {
        guard let (image, wanted) = media.takePreview(&step), let conversation = wanted ?? conversations.open else {
            return
        }
        let accepted = outbox.accept("", to: conversation, label: label, image: image, over: channel, &step)
        guard let entry = accepted else { return }
        conversations.add(entry)
        step.changes.insert(.conversations)
        images.has(own: entry.key, &step)
        let path = OutgoingImage.path(of: image.file, in: conversation, message: entry.key)
        uploads.carry(image, of: entry.key, to: path, &step)
        metrics.images.began(entry.key, at: step.now)
    }

    mutating func imageUploaded(_ key: String, _ receipt: UploadReceipt, _ step: inout Step) {
        guard let image = outbox.imageUploaded(key, receipt, &step)?.image else { return }
        conversations.uploaded(key, image.media)
        metrics.images.ended(key, isGood: true, at: step.now)
        step.changes.formUnion([.media, .metrics])
    }

    mutating func imageFailed(_ key: String, isFinal: Bool, _ step: inout Step) {
        outbox.imageFailed(key, isFinal: isFinal, &step)
        metrics.images.ended(isGood: false)
        step.changes.insert(.metrics)
    }

    /// Images that were given up and are wanted again.
    mutating func resumeImages(_ step: inout Step) {
        for key in outbox.imagesToUpload { uploads.resume(key, &step) }
    }

    mutating func routeDeletion(_ command: ClientCommand, _ step: inout Step) {
        switch command {
        case .delete(let first, let last):
            let selected = conversations.selected(from: first, through: last ?? first)
            let deletable = selected.filter { conversations.messages[$0].map(canDelete) ?? false }
            guard !deletable.isEmpty else { return }
            deletions.ask(deletable, &step)
        case .confirmDelete:
            for key in deletions.takeAsked(&step) {
                guard let id = conversations.messages[key]?.id else { continue }
                deletions.begin(key, id: id, isConnected: channel != .none, &step)
            }
        case .cancelDelete: deletions.cancel(&step)
        case .undo(let key): deletions.undo(key, &step)
        default: break
        }
    }

    mutating func deletionAnswered(_ key: String, isGood: Bool, _ response: ChatResponse, _ step: inout Step) {
        if isGood {
            deletions.agreed(key, &step)
            conversations.markDeleted(key, &step)
            metrics.deletions.ended(isGood: true)
        } else if deletions.unanswered(key, status: response.status, &step) {
            metrics.deletions.ended(isGood: false)
        }
        step.changes.insert(.metrics)
    }
}
