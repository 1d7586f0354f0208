package import Faults
import NIOCore
package import TLSLink

/// One end of a TCP connection, and everything that a fault can do to it.
///
/// Confined to its event loop.
///
/// What the peer does is told through ``onEvent``; nothing that the holder does itself is told back.
package final class Connection {
    package enum Event: Hashable {
        case received([UInt8])
        /// The peer has ended: ``LinkEnd/fin`` once everything before it was told, and ``LinkEnd/rst``, perhaps after a FIN.
        case ended(LinkEnd)
    }

    package var onEvent: (Event) -> Void = { _ in }
    /// Both ports are 0 until the connection stands, the peer's also where the peer was gone before anybody could ask.
    package private(set) var localPort = 0
    package private(set) var peerPort = 0
    package private(set) var readMode = ReadMode.none

    private let channel: any Channel
    private let socket: SystemSocket?
    private let lingering: TimeAmount
    private var lingerLimit: Scheduled<Void>?
    /// Something has come since the lingering was last looked at.
    private var hasHeard = false

    /// What arrived while the socket was hushed; TCP keeps it in order, and so does this.
    private var held: [Event] = []
    /// The kernel has given the peer's FIN out, told or not.
    private var inputOver = false
    private var resetSeen = false
    /// TLS on this end, and who waits for its handshake; nil where bytes are what they are.
    private var session: (any TLSSession)?
    private var onHandshake: (TLSFailure?) -> Void = { _ in }
    private var hasShakenHands = false

    /// False once nothing can be read or written any more.
    package private(set) var isOpen = true
    /// This side has said its last: a FIN or an RST is sent, or is queued behind what was written.
    package private(set) var hasEnded = false
    /// The peer's end was told.
    package private(set) var peerEnd: LinkEnd?

    init(_ channel: any Channel, settings: SocketSettings) {
        self.channel = channel
        lingering = settings.lingering
        let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { SystemSocket($0) }
        socket = handle ?? nil
        socket?.configure(settings)
    }

    /// The connection stands.
    func activated() {
        localPort = socket?.localPort ?? 0
        peerPort = socket?.peerPort ?? channel.remoteAddress?.port ?? 0
    }

    // MARK: - Writing

    /// Writes in order.
    ///
    /// A write into a connection that is dead without knowing succeeds; what the kernel does not take waits behind it
    /// without limit.
    package func write(_ bytes: [UInt8]) {
        if let session {
            bytes.withUnsafeBytes { take(session.write($0)) }
        } else {
            send(bytes)
        }
    }

    /// From now on what is written and told is plaintext, and TLS is on the wire.
    ///
    /// The outcome of the handshake comes once, nil where it is done, and may come before this returns; an end that comes
    /// before it is told by ``onEvent`` alone. What breaks TLS after it, an alert or what is no TLS, is an RST for whoever holds
    /// this end: no byte passes any more, and no FIN need ever come.
    ///
    /// `early` is what was told before and is TLS, too.
    package func secure(
        _ session: any TLSSession,
        early: [UInt8] = [],
        _ onOutcome: @escaping (TLSFailure?) -> Void
    ) {
        self.session = session
        onHandshake = onOutcome
        take(session.start())
        early.withUnsafeBytes { take(session.receive($0)) }
    }

    private func take(_ outputs: [TLSOutput]) {
        for output in outputs {
            switch output {
            case .wire(let bytes): send(bytes)
            case .plaintext(let bytes): emitOrHold(.received(bytes))
            case .secured:
                hasShakenHands = true
                finishHandshake(nil)
            // A FIN follows, from some only once they have been answered.
            case .ended: emitOrHold(.ended(.fin))
            case .failed(let failure): if hasShakenHands { broke() } else { finishHandshake(failure) }
            }
        }
    }

    private func finishHandshake(_ failure: TLSFailure?) {
        let emit = onHandshake
        onHandshake = { _ in }
        emit(failure)
    }

    private func send(_ bytes: [UInt8]) {
        guard isOpen, !hasEnded, !resetSeen, !bytes.isEmpty, let socket else { return }
        var sent = 0
        if queued == 0 {
            // Past SwiftNIO, which on a failed write would close at once and lose what the peer sent before its RST.
            switch bytes.withUnsafeBytes({ socket.send($0) }) {
            case .bytes(let count): sent = count
            case .blocked: break
            case .broken:
                // The failed call took the error with it: the end that follows looks like a FIN.
                resetSeen = true
                return
            }
        }
        guard sent < bytes.count else { return }
        channel.writeAndFlush(ByteBuffer(bytes: bytes[sent...]), promise: nil)
    }

    private var queued: Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Bytes written here that the peer's kernel has not acknowledged.
    package var undelivered: Int {
        guard isOpen, let socket else { return 0 }
        return queued + socket.unacknowledged
    }

    /// Bytes written here that have not even left.
    package var unsent: Int {
        guard isOpen, let socket else { return 0 }
        return queued + socket.unsent
    }

    /// Has the kernel acknowledge at once what was read, so that the peer's ``undelivered`` falls.
    package func acknowledgeNow() {
        if isOpen { socket?.acknowledgeNow() }
    }

    // MARK: - Ending

    /// Ends this side.
    ///
    /// After a FIN the peer is still heard, and read, until it ends or the lingering is over: closing with unread bytes
    /// would send an RST. What was written before it takes as long as it takes.
    package func end(_ how: LinkEnd) {
        guard isOpen else { return }
        switch how {
        case .rst:
            socket?.resetOnClose()
            close()
        case .fin:
            guard !hasEnded else { return }
            if let session, session.isSecured { take(session.endOutput()) }
            hasEnded = true
            guard !inputOver else {
                closeOnceWritten()
                return
            }
            channel.close(mode: .output, promise: nil)
            guard isOpen else { return }
            linger()
        }
    }

    /// Closes once everything has gone out and nothing has come in for a while.
    private func linger() {
        hasHeard = false
        lingerLimit = channel.eventLoop.assumeIsolated().scheduleTask(in: lingering) { [weak self] in
            guard let self else { return }
            if undelivered > 0 || hasHeard { linger() } else { close() }
        }
    }

    /// What the kernel does with a socket whose process is gone: a FIN, or an RST if something lies there unread.
    package func close() {
        held.removeAll()
        release()
    }

    /// Both sides have ended: what was written still goes out, what was read is still told.
    private func closeOnceWritten() {
        guard queued > 0 else {
            release()
            return
        }
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { [weak self] _ in self?.release() }
    }

    private func release() {
        guard isOpen else { return }
        stop()
        channel.close(promise: nil)
    }

    private func stop() {
        isOpen = false
        hasEnded = true
        lingerLimit?.cancel()
        lingerLimit = nil
        // Whoever waits for a handshake may hold this connection.
        onHandshake = { _ in }
    }

    // MARK: - Silence

    /// How this socket treats what arrives from now on.
    ///
    /// What came meanwhile is told, in order, when the silence ends.
    ///
    /// A socket that does not read still learns of an RST, and what it had not read is lost with it; one that acknowledges
    /// nothing learns nothing.
    package func readMode(_ new: ReadMode) throws(SocketError) {
        let old = readMode
        guard new != old else { return }
        readMode = new
        if isOpen, let socket {
            if new == .unacknowledged { try PacketFilter.attach(to: socket) }
            if old == .unacknowledged { try PacketFilter.detach(from: socket) }
            if (new == .none) != (old == .none) {
                try? channel.syncOptions?.setOption(.autoRead, value: new == .none)
            }
        }
        guard new == .none else { return }
        let waiting = held
        held.removeAll()
        for event in waiting { emit(event) }
    }

    // MARK: - What the channel brings

    func received(_ bytes: [UInt8]) {
        guard isOpen else { return }
        hasHeard = true
        // An acknowledgement held back would hold back the peer: it sends ten packets without one at first.
        acknowledgeNow()
        if let session {
            bytes.withUnsafeBytes { take(session.receive($0)) }
        } else {
            emitOrHold(.received(bytes))
        }
    }

    func inputClosed() {
        guard isOpen else { return }
        inputOver = true
        if resetSeen || hasEnded { over() } else { emitOrHold(.ended(.fin)) }
    }

    func failed() {
        resetSeen = true
    }

    /// The channel is gone.
    ///
    /// After the peer's FIN only an RST does that; after this side's own, the peer's FIN does.
    func closed() {
        guard isOpen else { return }
        if inputOver { resetSeen = true }
        over()
    }

    private func broke() {
        guard isOpen else { return }
        resetSeen = true
        over()
    }

    private func over() {
        release()
        if resetSeen {
            held.removeAll()
            emit(.ended(.rst))
        } else {
            emitOrHold(.ended(.fin))
        }
    }

    private func emitOrHold(_ event: Event) {
        if readMode == .none && held.isEmpty { emit(event) } else { held.append(event) }
    }

    private func emit(_ event: Event) {
        if case .ended(let end) = event {
            guard peerEnd != .rst, !(peerEnd == .fin && end == .fin) else { return }
            peerEnd = end
        }
        onEvent(event)
    }
}
