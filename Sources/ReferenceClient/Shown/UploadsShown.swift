import SquallCore

/// The values of the observable `upload.state`.
enum UploadState: String, CaseIterable {
    case waiting, uploading, done, failed
}

extension UploadState {
    init(_ status: Upload.Status) {
        switch status {
        case .waiting: self = .waiting
        case .sending, .handedOver: self = .uploading
        case .failed: self = .failed
        }
    }
}

extension Client {
    mutating func showUploads(_ step: inout Step) {
        display.show("uploads.pending", count: Int64(uploads.entries.count { !$0.isImage }), &step)
        if uploads.hasAny { display.show("upload.chunk_size", .integer(uploads.chunk.bytes), &step) }
        for entry in uploads.entries where entry.isImage {
            display.show("image.progress", key: entry.key, .integer(entry.shownPercent), &step)
        }
        for entry in uploads.entries where !entry.isImage {
            display.show("upload.state", key: entry.key, UploadState(entry.status).rawValue, &step)
            display.show("upload.progress", key: entry.key, .integer(entry.percent), &step)
        }
        for (key, isImage) in uploads.takeFinished() {
            guard !isImage else {
                display.show("image.progress", key: key, 100, &step)
                continue
            }
            display.show("upload.state", key: key, UploadState.done.rawValue, &step)
            display.show("upload.progress", key: key, 100, &step)
        }
    }
}
