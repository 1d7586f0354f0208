import ChatWire
import SquallCore

// Dispatches image and deletion inputs to the client's components.

extension Client {
    /// Sends the image in the preview as a message.
    ///
    /// The message is displayed immediately and sent once its image has been uploaded.
    mutating func sendImage(label: String?, _ step: inout Step) {
        guard let (image, wanted) = media.takePreview(&step), let conversation = wanted ?? conversations.open else {
            return
        }
        let accepted = outbox.accept("", to: conversation, label: label, image: image, over: channel, &step)
        guard let entry = accepted else { return }
        show(entry, &step)
        upload(image, of: entry, &step)
    }

    /// Queues a message's image for upload.
    mutating func upload(_ image: OutgoingImage, of entry: OutboxEntry, _ step: inout Step) {
        images.has(own: entry.key, &step)
        let message = rules.policy.media.path == .namesTheMessage ? entry.key : "images"
        let name = MediaName(conversation: entry.conversation, message: message, file: image.file)
        uploads.queueImage(image, of: entry.key, to: name.text, &step)
        if rules.policy.metrics.uploads == .areTimed { metrics.images.began(entry.key, at: step.now) }
    }

    mutating func imageUploaded(_ key: String, _ receipt: UploadReceipt, _ step: inout Step) {
        guard let image = outbox.imageUploaded(key, receipt, &step)?.image else { return }
        conversations.uploaded(key, image.media)
        metrics.images.ended(key, at: step.now)
        step.changes.formUnion([.media, .metrics])
    }

    mutating func imageFailed(_ key: String, isFinal: Bool, _ step: inout Step) {
        outbox.imageFailed(key, isFinal: isFinal, &step)
        metrics.images.ended(isGood: false)
        step.changes.insert(.metrics)
    }

    /// Resumes failed image uploads for messages that are being retried.
    mutating func resumeImages(_ step: inout Step) {
        for key in outbox.imagesToUpload { uploads.resume(key, &step) }
    }

    /// Asks the user to confirm the deletion of the selected messages that can be deleted.
    mutating func askToDelete(from first: String, through last: String, _ step: inout Step) {
        let selected = conversations.selected(from: first, through: last)
        let deletable = selected.filter { conversations.messages[$0].map(canDelete) ?? false }
        guard !deletable.isEmpty else { return }
        deletions.ask(deletable, &step)
        if rules.policy.deletion.question == .none { delete(&step) }
    }

    /// Deletes the messages whose deletion the user has confirmed.
    mutating func delete(_ step: inout Step) {
        for key in deletions.takeAsked(&step) {
            guard let id = conversations.messages[key]?.id else { continue }
            deletions.begin(key, id: id, isConnected: channel != .none, &step)
            guard rules.policy.metrics.deletions == .areCountedWhenAsked else { continue }
            metrics.deletions.ended(isGood: true)
            step.changes.insert(.metrics)
        }
    }

    mutating func deletionAnswered(_ key: String, isGood: Bool, _ response: ChatResponse, _ step: inout Step) {
        if isGood {
            deletions.agreed(key, &step)
            conversations.markDeleted(key, &step)
            if rules.policy.metrics.deletions == .areCountedWhenDone { metrics.deletions.ended(isGood: true) }
        } else if deletions.unanswered(key, status: response.status, &step) {
            metrics.deletions.ended(isGood: rules.policy.metrics.refusals == .areSuccesses)
        }
        step.changes.insert(.metrics)
    }
}
