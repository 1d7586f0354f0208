import Faults
import Sockets
import SquallCore

/// Reads and writes a proxy connection's bytes, and applies backpressure.
extension ProxyConnection {
    /// Returns whether to read from this side now.
    ///
    /// A side is read if its bytes can be forwarded immediately, or if faults affect them and the other side's backlog
    /// is still small.
    func mayRead(_ side: LinkSide) -> Bool {
        let source = self[side]
        guard source.isOpen, !source.hasReadEnd, case .none = source.readMode else { return false }
        // The client's bytes are left in the kernel until the server is connected. If the client has closed the
        // connection, its socket is read now, because the close must be reported immediately.
        if case .client = side, linkStatus.isPlainOnceOpen, !source.hasHungUp, !source.isSecured { return false }
        let sink = self[side.opposite]
        let enough = sink.job == nil ? Self.highWaterMark : Self.highWaterMarkInBulk
        // If no fault affects the bytes and they cannot be written now, they are left in the kernel. If a fault affects
        // them, reading continues, because the fault can delay or discard them.
        return !sink.hasPendingWrites || sink.backlog.count < enough && !isPlain(from: side)
    }

    /// Reads from one side and processes the bytes.
    ///
    /// Reading stops when the socket would block, when backpressure requires it, or when the limit of consecutive reads
    /// is reached.
    func pump(_ side: LinkSide) {
        let source = self[side]
        guard !isPerforming else {
            // Link outputs are still being executed, and bytes read now would overtake them.
            if source.isReadable { reactor.requeue(source.token) }
            return
        }
        var turns = 0
        while source.isReadable, mayRead(side), let socket = source.socket {
            turns += 1
            guard turns <= Self.turns else {
                reactor.requeue(source.token)
                return
            }
            let isPlain = isPlain(from: side)
            let room = isPlain ? reactor.scratch.count : min(reactor.scratch.count, link.chunkLimit(from: side))
            // With a fault that splits the stream, one small read costs as much as many large ones, so this is the last
            // read in this call.
            if room < reactor.scratch.count { turns = Self.turns }
            // To avoid a copy, large reads that a fault will delay go directly to an array that the link can store.
            var kept: [UInt8] = []
            let received: SystemSocket.Received
            if isPlain || !source.readsInBulk {
                received = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: reactor.scratch[..<room]))
            } else {
                (received, kept) = socket.receive(room)
            }
            switch received {
            case .bytes(let count):
                source.readsInBulk = count >= Self.largeRead
                // A short read has emptied the socket's buffer, but after a hang-up the end of the stream is still to
                // be read.
                if count < room, !source.hasHungUp { source.isReadable = false }
                source.received += UInt64(count)
                proxy.count(received: count, from: side)
                if kept.isEmpty {
                    take(UnsafeRawBufferPointer(rebasing: reactor.scratch[..<count]), from: side)
                } else if source.isSecured || gate != nil || sniffer.isListening || recorder != nil {
                    kept.withUnsafeBytes { take($0, from: side) }
                } else {
                    perform(link.received(kept, from: side, at: reactor.now))
                }
            case .nothing: source.isReadable = false
            case .end: socketEnded(side, source.hasWriteFailed || wasReset(source, socket) ? .rst : .fin)
            case .broken: socketEnded(side, .rst)
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, from side: LinkSide) {
        if self[side].isSecured { decrypt(bytes, from: side) } else { pass(bytes, from: side) }
    }

    /// Processes plaintext from one side.
    ///
    /// A closed request gate buffers the client's bytes. Otherwise the bytes go to the link if faults affect them, and
    /// directly to the other side if not.
    func pass(_ bytes: UnsafeRawBufferPointer, from side: LinkSide) {
        recorder?.received(bytes, from: side)
        if case .client = side, sniffer.isListening { sniff(bytes) }
        if case .client = side, let verdict = gate?.take(Array(bytes)) {
            switch verdict {
            case .wait: break
            case .open(let request): openGate(request)
            case .hello(let hello): openGate(nil, hello)
            }
        } else if isPlain(from: side) {
            write(bytes, to: side.opposite)
        } else {
            perform(link.received(Array(bytes), from: side, at: reactor.now))
        }
    }

    /// Returns whether an apparent end of stream was in fact a reset.
    ///
    /// The kernel reports a reset only once, and a write job on another thread may have consumed that report.
    private func wasReset(_ source: LinkSocket, _ socket: SystemSocket) -> Bool {
        source.job != nil && !socket.isConnected
    }

    private func socketEnded(_ side: LinkSide, _ how: LinkEnd) {
        if self[side].isSecured { securedSocketEnded(side) } else { ended(side, how) }
    }

    /// Handles the end of one side's stream.
    func ended(_ side: LinkSide, _ how: LinkEnd) {
        // A request or ClientHello that is still incomplete will never be completed.
        if side == .client { openGate(nil) }
        recorder?.recordPeerEnd(how, of: side)
        self[side].hasReadEnd = true
        self[side].isReadable = false
        if how == .rst { discard(side) }
        perform(link.ended(side, how, at: reactor.now))
        closeIfDone(side)
        finishIfOver()
    }

    // MARK: - Writing

    /// Writes plaintext to one side. It is encrypted if the proxy terminates or originates TLS there.
    func write(_ bytes: UnsafeRawBufferPointer, to side: LinkSide) {
        recorder?.wrote(bytes, to: side)
        if self[side].isSecured { encrypt(bytes, to: side) } else { send(bytes, to: side) }
    }

    /// Writes an array to one side; if the array has to be queued, it is not copied.
    func write(_ bytes: [UInt8], to side: LinkSide) {
        let sink = self[side]
        guard !sink.isSecured, recorder == nil, let socket = sink.socket, !sink.hasWriteFailed else {
            bytes.withUnsafeBytes { write($0, to: side) }
            return
        }
        guard !sink.hasPendingWrites else {
            sink.queue(bytes)
            return
        }
        guard bytes.count < Self.bulk else {
            sink.backlog.begin(with: bytes, at: 0)
            flush(side)
            return
        }
        switch bytes.withUnsafeBytes({ socket.send($0) }) {
        case .bytes(let count):
            wrote(count, to: side)
            guard count < bytes.count else { return }
            sink.isWritable = false
            sink.backlog.begin(with: bytes, at: count)
        case .blocked:
            sink.isWritable = false
            sink.backlog.begin(with: bytes, at: 0)
        case .broken: writeFailed(side)
        }
    }

    /// Writes bytes, plaintext or ciphertext, to the socket without processing them, and queues those that the kernel
    /// does not accept.
    func send(_ bytes: UnsafeRawBufferPointer, to side: LinkSide) {
        let sink = self[side]
        guard let socket = sink.socket, !sink.hasWriteFailed else { return }
        guard !sink.hasPendingWrites else {
            sink.queue(Array(bytes))
            return
        }
        switch socket.send(bytes) {
        case .bytes(let count):
            wrote(count, to: side)
            guard count < bytes.count else { return }
            sink.isWritable = false
            sink.queue(Array(bytes[count...]))
        case .blocked:
            sink.isWritable = false
            sink.queue(Array(bytes))
        case .broken: writeFailed(side)
        }
    }

    /// Adds the number of written bytes to this side's counter and the worker's.
    func wrote(_ count: Int, to side: LinkSide) {
        self[side].sent += UInt64(count)
        proxy.count(sent: count, to: side)
    }

    /// Handles a failed write by dropping the backlog.
    ///
    /// Reading continues, because bytes that the peer sent earlier may still be unread.
    func writeFailed(_ side: LinkSide) {
        self[side].hasWriteFailed = true
        self[side].isReadable = true
        self[side].discardBacklog()
        reactor.requeue(self[side].token)
    }

    /// Writes one side's backlog, on the bulk writer's thread if it is large.
    func flush(_ side: LinkSide) {
        guard self[side].isWritable, self[side].job == nil, !self[side].backlog.isEmpty else { return }
        if sendByWriter(side) { return }
        drain(backlogOf: side)
    }

    private func drain(backlogOf side: LinkSide) {
        assert(self[side].job == nil, "the write job and this thread would write at the same time")
        guard let socket = self[side].socket else { return }
        var isBlocked = false
        var hasWriteFailed = false
        var total = 0
        self[side].backlog.drain { bytes in
            switch socket.send(bytes) {
            case .bytes(let count):
                total += count
                if count < bytes.count { isBlocked = true }
                return count
            case .blocked:
                isBlocked = true
                return 0
            case .broken:
                hasWriteFailed = true
                return 0
            }
        }
        wrote(total, to: side)
        if isBlocked { self[side].isWritable = false }
        if hasWriteFailed { writeFailed(side) } else { flushed(side) }
    }

    private func flushed(_ side: LinkSide) {
        if self[side].backlog.isEmpty, let how = self[side].pendingEnd { end(side, how) }
        pump(side.opposite)
    }

    // MARK: - Bulk writes

    /// Passes a large backlog to the bulk writer. Returns false if the backlog must be written on this thread.
    private func sendByWriter(_ side: LinkSide) -> Bool {
        let sink = self[side]
        // Bytes that no fault delays are still in this core's cache, so writing them here is cheaper.
        guard sink.backlog.count >= Self.bulk, !isPlain(from: side.opposite), !reactor.descriptors.areScarce,
            let own = try? sink.socket?.duplicate()
        else { return false }
        writeJobCount += 1
        let (pieces, start) = sink.backlog.remainder
        let job = WriteJob(to: own, pieces, from: start, token: sink.token, number: writeJobCount)
        sink.job = job
        reactor.writer.send(job)
        return true
    }

    func delivered(_ tag: Int, _ number: Int, _ bytes: Int, _ progress: WriteJob.Progress) {
        let side: LinkSide = tag == 0 ? .client : .server
        let sink = self[side]
        guard let job = sink.job, job.number == number else { return }
        sink.backlog.remove(bytes)
        wrote(bytes, to: side)
        switch progress {
        case .underWay: pump(side.opposite)
        case .done:
            sink.job = nil
            flush(side)
            flushed(side)
        case .stuck:
            sink.job = nil
            // Writing on this thread reveals whether the socket is full or broken; if it is full, the poller reports
            // when it becomes writable.
            drain(backlogOf: side)
        }
        finishIfOver()
    }
}
