import ChatWire
import SquallCore

/// Owns the files that the user shares, until the server has received them: no file is lost or stored twice, and none
/// delays other traffic.
///
/// A file is recorded on disk before its first byte is sent, and deleted from disk once the server has received all of
/// it. It is sent in chunks that carry their offset, so that a repeated chunk has no effect. The app sends chunks in
/// ``flush(ifFree:isInForeground:_:)``; in the background the phone's transfer service sends the rest.
struct Uploads {
    let rules: Rules
    private var policy: UploadPolicy { rules.policy.uploads }
    /// The signed-in user's files, in the order in which the user shared them.
    private(set) var entries: [Upload] = []
    private(set) var chunk: ChunkSize
    /// Whether the user has shared any file; the chunk size is reported only then.
    private(set) var hasAny = false
    /// The instant at which a failed chunk may be retried; nil for no delay.
    private var heldUntil: Instant?
    /// The files that are complete, but not yet reported as complete.
    private var finished: [(key: String, isImage: Bool)] = []
    /// The images that are complete, but whose completion is not on disk yet.
    private var unrecorded: Set<String> = []
    /// The source of upload ids, created when the first file is shared.
    private var ids: SeededGenerator?
    private var lastOrderNumber: Int64 = 0
    /// The signed-in user; nil if no user is signed in.
    private var user: String?
    /// The files of users who are not signed in, kept until those users sign in again.
    private var others: [Upload] = []

    /// Restores the uploads from disk.
    ///
    /// `transfers` are the files that the phone's transfer service is sending, or has sent while the app was not
    /// running.
    init(_ rules: Rules, store: StoreImage, transfers: [String], user: String?) {
        self.rules = rules
        chunk = ChunkSize(rules)
        entries = store.entries.filter { $0.key.hasPrefix(Upload.storePrefix) }.compactMap { Upload(stored: $0.value) }
        for index in entries.indices {
            if policy.resumption == .fromFirstByte { entries[index].restart() }
            if transfers.contains(entries[index].key) { entries[index].status = .handedOver }
        }
        lastOrderNumber = entries.last?.orderNumber ?? 0
        signedIn(user)
    }

    /// Switches to the files of `user`, or to no files if `user` is nil.
    mutating func signedIn(_ user: String?) {
        self.user = user
        for index in entries.indices where entries[index].isSending { entries[index].rest(.waiting) }
        let all = (others + entries).sorted { $0.orderNumber < $1.orderNumber }
        others = all.filter { ($0.owner ?? rules.id.name) != user }
        entries = all.filter { ($0.owner ?? rules.id.name) == user }
        chunk = ChunkSize(rules)
        heldUntil = nil
        finished = []
        unrecorded = []
        hasAny = !entries.isEmpty
    }

    /// The signed-in user; nil for the default user, who is not stored.
    private var owner: String? { user == rules.id.name ? nil : user }

    /// The files of users who are not signed in.
    var waiting: [Upload] { others }

    var isEmpty: Bool { entries.isEmpty }
    var deadline: Instant? { heldUntil }

    mutating func timer(_ step: inout Step) {
        if let until = heldUntil, until <= step.now { heldUntil = nil }
    }

    // MARK: - From the user

    mutating func share(_ file: String, bytes: Int64, label: String?, _ step: inout Step) {
        lastOrderNumber += 1
        var draws = ids ?? rules.stream("client.uploads")
        let entry = Upload(
            key: draws.nextUUID(),
            file: file,
            size: max(bytes, 0),
            orderNumber: lastOrderNumber,
            owner: owner
        )
        ids = draws
        hasAny = true
        var fields: JSON = ["file": .string(file), "bytes": .integer(entry.size)]
        if let label { fields.set("label", to: .string(label)) }
        step.log("client.shared", key: entry.key, fields)
        step.store(entry.storeKey, entry.stored)
        step.onceStored(.upload(entry.key))
        entries.append(entry)
        step.changes.insert(.uploads)
    }

    /// Queues a message's image for upload to `path`.
    mutating func queueImage(_ image: OutgoingImage, of key: String, to path: String, _ step: inout Step) {
        lastOrderNumber += 1
        let size = max(image.bytes, 0)
        let entry = Upload(
            key: key,
            path: path,
            file: image.file,
            size: size,
            orderNumber: lastOrderNumber,
            owner: owner
        )
        hasAny = true
        step.store(entry.storeKey, entry.stored)
        step.onceStored(.upload(entry.key))
        entries.append(entry)
        step.changes.insert(.uploads)
    }

    /// Retries the upload of an image that has failed.
    mutating func resume(_ key: String, _ step: inout Step) {
        guard let index = index(of: key), case .failed = entries[index].status else { return }
        entries[index].consecutiveFailures = 0
        entries[index].rest(.waiting)
        heldUntil = nil
        step.changes.insert(.uploads)
    }

    mutating func stored(_ key: String, isInForeground: Bool, _ step: inout Step) {
        if let index = others.firstIndex(where: { $0.key == key }) { others[index].isStored = true }
        guard let index = index(of: key) else { return }
        entries[index].isStored = true
        if !isInForeground { handOver(&step) }
    }

    /// Shows an image's upload progress, now that the progress has been saved to disk.
    mutating func stored(_ key: String, percent: Int64, _ step: inout Step) {
        if let index = index(of: key) {
            entries[index].show(percent: percent)
        } else if unrecorded.remove(key) != nil {
            finished.append((key, true))
        }
        step.changes.insert(.uploads)
    }

    // MARK: - Phone and link

    mutating func background(_ step: inout Step) { handOver(&step) }

    /// Cancels the chunks in flight: the reconnect needs the link, and the client does not know which chunks have
    /// arrived.
    mutating func linkLost(_ step: inout Step) {
        guard policy.priority == .yields else { return }
        cancelChunks(&step)
    }

    private mutating func handOver(_ step: inout Step) {
        guard policy.background == .isHandedOver, !isEmpty else { return }
        cancelChunks(&step)
        for index in entries.indices where entries[index].isStored {
            guard case .waiting = entries[index].status else { continue }
            var chunks: [Chunk] = []
            repeat {
                chunks.append(entries[index].takeChunk(chunk.bytes, at: step.now))
            } while !entries[index].isWholeAsked
            entries[index].rest(.handedOver)
            step.emit(.handOver(upload: entries[index].key, chunks))
        }
        step.changes.insert(.uploads)
    }

    /// Cancels the chunks in flight that the app has sent itself.
    private mutating func cancelChunks(_ step: inout Step) {
        var isAny = false
        for index in entries.indices {
            guard case .sending = entries[index].status else { continue }
            entries[index].rest(.waiting)
            isAny = true
        }
        guard isAny else { return }
        step.emit(.cancelRequests(.upload))
        step.changes.insert(.uploads)
    }

    // MARK: - From the server

    /// Handles the response to a chunk; `receipt` is nil if the server has not accepted the chunk.
    mutating func answered(_ part: Chunk, _ receipt: UploadReceipt?, _ response: ChatResponse, _ step: inout Step) {
        guard let index = index(of: part.upload), case .sending = entries[index].status else { return }
        guard let receipt else {
            entries[index].chunkEnded()
            refused(index, response, &step)
            return
        }
        chunk.passed(after: step.now - entries[index].askedAt)
        entries[index].chunkEnded(received: receipt.received)
        took(index, receipt, &step)
    }

    /// Handles a chunk without a response. The chunk may have arrived; the server ignores bytes that it already has.
    mutating func unanswered(_ part: Chunk, _ step: inout Step) {
        guard let index = index(of: part.upload), case .sending = entries[index].status else { return }
        entries[index].chunkEnded()
        chunk.failed()
        hold(for: nil, &step)
        missed(index, &step)
    }

    /// Counts a failed chunk of an image, and marks the image's message as failed once the consecutive failures reach
    /// the profile's limit.
    private mutating func missed(_ index: Int, _ step: inout Step) {
        guard entries[index].isImage else { return }
        entries[index].consecutiveFailures += 1
        if rules.policy.media.partial == .isSentAsItIs, entries[index].received > 0 {
            finish(index, UploadReceipt(received: entries[index].received, isComplete: true), &step)
        } else if entries[index].consecutiveFailures >= rules.profile.media.tries {
            fail(index, isFinal: false, &step)
        }
    }

    private mutating func fail(_ index: Int, isFinal: Bool, _ step: inout Step) {
        entries[index].rest(.failed)
        step.emit(.imageFailed(key: entries[index].key, isFinal: isFinal))
    }

    /// Handles the transfer service's result: the response to a file's last chunk, or to the first chunk that was
    /// rejected.
    mutating func transferred(_ key: String, _ receipt: UploadReceipt?, _ response: ChatResponse, _ step: inout Step) {
        if let index = others.firstIndex(where: { $0.key == key }), case .handedOver = others[index].status {
            // The upload continues once the file's user has signed in again, even if the server has received all bytes:
            // only the response to a request completes the upload.
            others[index].chunkEnded(received: receipt?.received)
            others[index].rest(.waiting)
            step.store(others[index].storeKey, others[index].stored)
        }
        guard let index = index(of: key), case .handedOver = entries[index].status else { return }
        entries[index].chunkEnded(received: receipt?.received)
        if let receipt { took(index, receipt, &step) } else { refused(index, response, &step) }
    }

    private mutating func took(_ index: Int, _ receipt: UploadReceipt, _ step: inout Step) {
        step.changes.insert(.uploads)
        entries[index].consecutiveFailures = 0
        guard receipt.isComplete else {
            step.store(entries[index].storeKey, entries[index].stored)
            showOnceStored(entries[index], percent: entries[index].highestPercent, &step)
            return
        }
        finish(index, receipt, &step)
    }

    private mutating func finish(_ index: Int, _ receipt: UploadReceipt, _ step: inout Step) {
        let entry = entries.remove(at: index)
        if policy.completed == .isRemoved { step.store(entry.storeKey, nil) }
        if let path = entry.path {
            unrecorded.insert(entry.key)
            showOnceStored(entry, percent: 100, &step)
            var receipt = receipt
            receipt.url = receipt.url ?? ChatRoute.media(name: path).target(rules.wire)
            step.emit(.imageUploaded(key: entry.key, receipt))
        } else {
            finished.append((entry.key, false))
            step.log("client.uploaded", key: entry.key, ["bytes": .integer(entry.size)])
        }
    }

    /// Shows an image's upload progress once the writes of the current input are on disk. Otherwise, the progress would
    /// decrease if the process were killed.
    private mutating func showOnceStored(_ entry: Upload, percent: Int64, _ step: inout Step) {
        guard entry.isImage else { return }
        guard policy.progress == .isShownOnceStored else { return stored(entry.key, percent: percent, &step) }
        step.onceStored(.imageProgress(upload: entry.key, percent: percent))
    }

    private mutating func refused(_ index: Int, _ response: ChatResponse, _ step: inout Step) {
        switch response.status {
        // A server that rejects even the smallest chunk as too large takes no chunk at all.
        case 400, 403, 404,
            ChatStatus.tooLarge.rawValue where chunk.isSmallest:
            if entries[index].isImage { return fail(index, isFinal: true, &step) }
            entries[index].rest(.failed)
            step.emit(.trouble(rules.profile.text.banner.fileRefused, .change))
        // A retry cannot succeed until the user has entered another key.
        case ChatStatus.unauthorized.rawValue where entries[index].isImage: fail(index, isFinal: false, &step)
        // Status 409 means that the server has lost the bytes that it had received, so the upload starts again.
        case ChatStatus.conflict.rawValue:
            entries[index].restart()
            missed(index, &step)
        case ChatStatus.tooLarge.rawValue: chunk.failed()
        default: missed(index, &step)
        }
        hold(for: response.retryAfter, &step)
    }

    private mutating func hold(for span: TimeSpan?, _ step: inout Step) {
        heldUntil = step.now + max(span ?? rules.profile.upload.retry, .milliseconds(1))
        step.changes.insert(.uploads)
    }

    func size(of key: String) -> Int64? { index(of: key).map { entries[$0].size } }

    private func index(of key: String) -> Int? {
        entries.firstIndex { $0.key == key }
    }

    // MARK: - Completed files

    mutating func takeFinished() -> [(key: String, isImage: Bool)] {
        defer { finished.removeAll() }
        return finished
    }
}

// MARK: - Sending

extension Uploads {
    /// Sends the chunks that may be sent now; `isFree` is true unless more urgent traffic needs the link.
    mutating func flush(ifFree isFree: Bool, isInForeground: Bool, _ step: inout Step) {
        guard heldUntil == nil, isInForeground || policy.background == .staysWithApp else { return }
        switch policy.priority {
        case .yields:
            guard isFree, !entries.contains(where: \.isSending), let index = entries.firstIndex(where: \.mayGo) else {
                return
            }
            begin(index, &step)
        case .goesFirst:
            for index in entries.indices where entries[index].mayGo {
                repeat { begin(index, &step) } while !entries[index].isWholeAsked
            }
        }
    }

    private mutating func begin(_ index: Int, _ step: inout Step) {
        step.changes.insert(.uploads)
        step.emit(.ask(.chunk(entries[index].takeChunk(chunk.bytes, at: step.now))))
    }
}

extension Upload {
    fileprivate var isSending: Bool {
        if case .sending = status { true } else { false }
    }

    fileprivate var mayGo: Bool {
        if case .waiting = status { isStored } else { false }
    }
}
