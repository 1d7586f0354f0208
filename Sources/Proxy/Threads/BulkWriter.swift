import Foundation
import Sockets
import Synchronization

/// A thread that writes in bulk for a reactor, which reads on meanwhile.
///
/// What a fault has held was read some time ago: writing it costs as much as reading it did, and more than passing on what is at
/// hand. One thread for both would do half of what the link could carry.
final class BulkWriter: Sendable {
    private let jobs = Mutex<[WriteJob]>([])
    /// One for each parcel, and one more for the end.
    private let arrivals = DispatchSemaphore(value: 0)

    /// Runs until it is stopped, and posts to this mailbox how much of each parcel is written.
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

    /// Ends the thread behind what it was sent before.
    func stop() { arrivals.signal() }
}

/// Bytes on their way to one socket by a ``BulkWriter``.
package final class WriteJob: Sendable {
    /// How far it is.
    package enum Progress: Hashable, Sendable {
        case underWay
        /// All that was in it is written, and it takes no more.
        case done
        /// The kernel took no more, for whatever reason.
        case stuck
    }

    private struct Contents {
        var pieces: [[UInt8]]
        /// The first of them that is not written.
        var next = 0
        var isOver = false
    }

    /// Of its own: who sends it may close theirs.
    private let socket: SystemSocket
    private let token: UInt64
    let number: Int
    /// Of the first piece, what is written already.
    private let start: Int
    private let contents: Mutex<Contents>

    /// With whom to tell, and by what number they know it.
    init(to socket: SystemSocket, _ pieces: [[UInt8]], from start: Int, token: UInt64, number: Int) {
        self.socket = socket
        self.start = start
        self.token = token
        self.number = number
        contents = Mutex(Contents(pieces: pieces))
    }

    /// Puts one more piece behind the others, also while they are written; false where it is too late.
    @discardableResult
    func add(_ piece: [UInt8]) -> Bool {
        contents.withLock { contents in
            guard !contents.isOver else { return false }
            contents.pieces.append(piece)
            return true
        }
    }

    /// Nothing more of it is to be written.
    func recall() {
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
