import Foundation
import Sockets
import Synchronization

/// A thread that performs large writes for one reactor, so that the reactor can go on reading.
///
/// Bytes that a fault has delayed are no longer in the processor's cache, so writing them costs as much as reading them
/// did. Doing both on one thread would halve the link's throughput.
final class BulkWriter: Sendable {
    private let jobs = Mutex<[WriteJob]>([])
    /// A semaphore that is signalled once for each queued job, and once more to stop the thread.
    private let arrivals = DispatchSemaphore(value: 0)

    /// Starts the thread, which posts the progress of each job to `mailbox`.
    init(reportingTo mailbox: ReactorInbox) {
        let thread = Thread { [self] in
            Thread.current.name = "squall writer"
            while true {
                arrivals.wait()
                guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
                job.deliver(reportingTo: mailbox)
            }
        }
        thread.start()
    }

    func send(_ job: WriteJob) {
        jobs.withLock { $0.append(job) }
        arrivals.signal()
    }

    /// Stops the thread after it has completed all jobs queued so far.
    func stop() { arrivals.signal() }
}

/// A job that writes bytes to one socket; executed by a ``BulkWriter``.
package final class WriteJob: Sendable {
    /// The progress of a write job.
    package enum Progress: Hashable, Sendable {
        case underWay
        /// All pieces are written, and the job accepts no more pieces.
        case done
        /// The socket is full or broken, so the job has ended.
        case stuck
    }

    private struct Contents {
        var pieces: [[UInt8]]
        /// The index of the first piece that has not been written.
        var next = 0
        /// Whether the job accepts no more pieces.
        var isOver = false
    }

    /// A duplicate of the connection's descriptor, because the connection can close its own descriptor at any time.
    private let socket: SystemSocket
    private let token: UInt64
    let number: Int
    /// How many bytes of the first piece have already been written.
    private let start: Int
    private let contents: Mutex<Contents>

    /// Creates a job that writes `pieces` to `socket`; its progress is reported under `token` and `number`.
    init(to socket: SystemSocket, _ pieces: [[UInt8]], from start: Int, token: UInt64, number: Int) {
        self.socket = socket
        self.start = start
        self.token = token
        self.number = number
        contents = Mutex(Contents(pieces: pieces))
    }

    /// Appends a piece, even while other pieces are being written. Returns false if the job accepts no more pieces.
    @discardableResult
    func add(_ piece: [UInt8]) -> Bool {
        contents.withLock { contents in
            guard !contents.isOver else { return false }
            contents.pieces.append(piece)
            return true
        }
    }

    /// Drops all pieces that are not yet being written.
    func dropPending() {
        contents.withLock { $0 = Contents(pieces: [], isOver: true) }
    }

    fileprivate func deliver(reportingTo mailbox: ReactorInbox) {
        defer { socket.close() }
        var isFirst = true
        while let piece = next() {
            let written = isFirst ? start : 0
            isFirst = false
            let result = piece.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[written...])) }
            var count = 0
            if case .bytes(let taken) = result { count = taken }
            guard count == piece.count - written else {
                contents.withLock { $0.isOver = true }
                mailbox.post(.delivered(token, number: number, bytes: count, .stuck))
                return
            }
            mailbox.post(.delivered(token, number: number, bytes: count, .underWay))
        }
        mailbox.post(.delivered(token, number: number, bytes: 0, .done))
    }

    private func next() -> [UInt8]? {
        contents.withLock { contents in
            guard contents.next < contents.pieces.count else {
                contents.isOver = true
                return nil
            }
            let piece = contents.pieces[contents.next]
            contents.pieces[contents.next] = []
            contents.next += 1
            return piece
        }
    }
}
