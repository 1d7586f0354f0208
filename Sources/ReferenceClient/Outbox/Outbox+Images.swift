import ChatWire
import SquallCore

// Handles messages with an image, each of which is sent once its image has been uploaded.

extension Outbox {
    /// The keys of the queued messages whose image has not been uploaded yet.
    var imagesToUpload: [String] { entries.filter { $0.awaitsUpload && $0.isWaiting }.map(\.key) }

    /// Records that a message's image has been uploaded, so that the message can be sent.
    mutating func imageUploaded(_ key: String, _ receipt: UploadReceipt, _ step: inout Step) -> OutboxEntry? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries[index].image?.url = receipt.url
        entries[index].image?.thumbnailURL = receipt.thumbnailURL
        entries[index].image?.trouble = nil
        if policy.storing == .beforeSending { step.store(entries[index].storeKey, entries[index].stored) }
        if entries[index].hasFailed { set(index, .queued, &step) }
        return entries[index]
    }

    mutating func imageFailed(_ key: String, isFinal: Bool, _ step: inout Step) {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
        entries[index].image?.trouble = isFinal ? .refused : .failed
        set(index, .failed(canRetry: !isFinal), &step)
    }
}
