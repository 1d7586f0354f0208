package import Faults
import NIOCore
package import TLSLink

/// One end of a TCP connection, with the operations that faults need: resetting, half-closing, and pausing or
/// discarding reads.
///
/// The connection must be used only on its event loop.
///
/// ``onEvent`` reports the peer's actions, not those of the owner.
package final class Connection {
    package enum Event: Hashable {
        case received([UInt8])
        /// The peer has ended the connection. A ``LinkEnd/fin`` is reported after all earlier bytes; a ``LinkEnd/rst``
        /// may follow a FIN.
        case ended(LinkEnd)
    }

    package var onEvent: (Event) -> Void = { _ in }
    /// The port of this end; 0 until the connection is established.
    package private(set) var localPort = 0
    /// The port of the peer; 0 until the connection is established. It stays 0 if the peer had already closed by then.
    package private(set) var peerPort = 0
    /// How this end treats arriving bytes; see ``readMode(_:)``.
    package private(set) var readMode = ReadMode.none

    private let channel: any Channel
    private let socket: SystemSocket?
    private let lingerTimeout: TimeAmount
    private var lingerLimit: Scheduled<Void>?
    /// Whether bytes have arrived since the linger timer was started.
    private var hasReceived = false

    /// The events that arrived while reading was paused, in order.
    private var held: [Event] = []
    /// Whether the kernel has delivered the peer's FIN, even if it has not been reported yet.
    private var inputOver = false
    private var resetSeen = false
    /// The TLS session of this end; nil if bytes are sent in plaintext.
    private var session: (any TLSSession)?
    /// Receives the outcome of the TLS handshake: nil if it succeeded, otherwise the failure.
    private var onHandshake: (TLSFailure?) -> Void = { _ in }
    private var isHandshakeDone = false

    /// Whether the connection can still be read or written.
    package private(set) var isOpen = true
    /// Whether this side has ended its stream: a FIN or RST was sent, or is queued after the written bytes.
    package private(set) var hasEnded = false
    /// How the peer has ended the connection; nil until that has been reported.
    package private(set) var peerEnd: LinkEnd?

    init(_ channel: any Channel, settings: SocketSettings) {
        self.channel = channel
        lingerTimeout = settings.lingerTimeout
        let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { SystemSocket($0) }
        socket = handle ?? nil
        socket?.configure(settings)
    }

    /// Records that the connection is established.
    func activated() {
        localPort = socket?.localPort ?? 0
        peerPort = socket?.peerPort ?? channel.remoteAddress?.port ?? 0
    }

    // MARK: - Writing

    /// Writes bytes, to be sent after all bytes written earlier.
    ///
    /// A write to a broken connection appears to succeed until the break is detected. Bytes that the kernel does not
    /// accept are buffered without limit.
    package func write(_ bytes: [UInt8]) {
        if let session {
            bytes.withUnsafeBytes { take(session.write($0)) }
        } else {
            send(bytes)
        }
    }

    /// Starts TLS: from now on the owner writes and receives plaintext, and the socket carries TLS.
    ///
    /// `onOutcome` is called once, possibly before this method returns: with nil if the handshake succeeded, otherwise
    /// with the failure. If the peer closes first, `onOutcome` is not called and only ``onEvent`` reports the end. A
    /// TLS failure after the handshake, such as an alert or bytes that are not TLS, is reported as an RST: no more
    /// bytes can be exchanged, and a FIN may never arrive.
    ///
    /// `early` contains TLS bytes that were received before this call.
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
                isHandshakeDone = true
                finishHandshake(nil)
            // A FIN follows close_notify, but some peers send it only after they receive a close_notify in return, so
            // close_notify is treated as the FIN.
            case .ended: emitOrHold(.ended(.fin))
            case .failed(let failure): if isHandshakeDone { failTLS() } else { finishHandshake(failure) }
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
            // SwiftNIO is bypassed, because it closes the socket immediately after a failed write and would lose the
            // bytes that the peer sent before its RST.
            switch bytes.withUnsafeBytes({ socket.send($0) }) {
            case .bytes(let count): sent = count
            case .blocked: break
            case .broken:
                // The failed write has cleared the socket's pending error, so the end of stream that follows would
                // otherwise look like a FIN.
                resetSeen = true
                return
            }
        }
        guard sent < bytes.count else { return }
        channel.writeAndFlush(ByteBuffer(bytes: bytes[sent...]), promise: nil)
    }

    /// The number of bytes that SwiftNIO has buffered because the kernel has not accepted them yet.
    private var queued: Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// The number of bytes written by this end but not yet acknowledged by the peer's kernel.
    package var undelivered: Int {
        guard isOpen, let socket else { return 0 }
        return queued + socket.unacknowledged
    }

    /// The number of bytes written by this end but not yet sent by this machine's kernel.
    package var unsent: Int {
        guard isOpen, let socket else { return 0 }
        return queued + socket.unsent
    }

    /// Makes the kernel acknowledge received bytes immediately, so that the peer's ``undelivered`` decreases.
    package func acknowledgeNow() {
        if isOpen { socket?.acknowledgeNow() }
    }

    // MARK: - Ending

    /// Ends this side with a FIN or an RST.
    ///
    /// A FIN leaves the connection half-closed: bytes from the peer are read and reported until the peer closes or the
    /// linger timeout expires, because closing a socket with unread bytes would send an RST. There is no time limit for
    /// sending bytes that were written earlier.
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

    /// Closes the connection after the linger timeout, which restarts on expiry if reading is suspended, written bytes
    /// are undelivered or new bytes have arrived.
    private func linger() {
        hasReceived = false
        lingerLimit = channel.eventLoop.assumeIsolated().scheduleTask(in: lingerTimeout) { [weak self] in
            guard let self else { return }
            if isSuspended || undelivered > 0 || hasReceived { linger() } else { close() }
        }
    }

    /// Closes the socket as the kernel does when a process exits: with a FIN, or with an RST if bytes are unread.
    package func close() {
        held.removeAll()
        release()
    }

    /// Closes the socket after both sides have ended. Pending bytes are written first, and buffered events are still
    /// reported.
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
        // The handshake closure may capture this connection; clearing it breaks the reference cycle.
        onHandshake = { _ in }
    }

    // MARK: - Paused reading

    /// Whether reading is suspended, regardless of the read mode.
    private var isSuspended = false

    /// Suspends reading while the run is on hold, or resumes it according to ``readMode(_:)``.
    ///
    /// While reading is suspended, arriving bytes stay in the kernel, and the linger timeout of a half-closed
    /// connection does not run.
    package func suspend(_ suspends: Bool) {
        guard suspends != isSuspended else { return }
        isSuspended = suspends
        if isOpen, readMode == .none { try? channel.syncOptions?.setOption(.autoRead, value: !suspends) }
    }

    /// Sets how this socket handles arriving bytes from now on.
    ///
    /// When reading resumes, everything that has arrived meanwhile is reported in order before this method returns.
    /// Sockets that resume at the same time therefore report in the order in which this method is called. The kernel
    /// alone would not guarantee that: it announces a FIN even on a socket that is not being read, so the FIN could
    /// overtake bytes released earlier on another socket.
    ///
    /// A socket that is not being read still receives an RST, which discards its unread bytes. A socket that does not
    /// acknowledge packets receives nothing, not even an RST.
    ///
    /// - Throws: ``SocketError`` if a packet filter cannot be attached or detached.
    package func readMode(_ new: ReadMode) throws(SocketError) {
        let old = readMode
        guard new != old else { return }
        readMode = new
        if isOpen, let socket {
            if new == .unacknowledged { try PacketFilter.attach(to: socket) }
            if old == .unacknowledged { try PacketFilter.detach(from: socket) }
            if (new == .none) != (old == .none) {
                try? channel.syncOptions?.setOption(.autoRead, value: new == .none && !isSuspended)
            }
        }
        guard new == .none, !isSuspended else { return }
        let waiting = held
        held.removeAll()
        for event in waiting { emit(event) }
        readWaiting()
    }

    /// Reads and reports the bytes in the kernel's buffer, so that SwiftNIO then finds the buffer empty.
    private func readWaiting() {
        guard let socket else { return }
        while isOpen, !inputOver, !resetSeen, readMode == .none {
            switch socket.receive() {
            case .bytes(let bytes): received(bytes)
            case .nothing: return
            // The failed read has cleared the socket's pending error, so the end of stream would look like a FIN.
            case .broken: resetSeen = true
            }
        }
    }

    // MARK: - Channel events

    func received(_ bytes: [UInt8]) {
        guard isOpen else { return }
        hasReceived = true
        // A delayed acknowledgement would hold up the peer, because on a new connection it may send only ten packets
        // before the first acknowledgement arrives.
        acknowledgeNow()
        if let session {
            bytes.withUnsafeBytes { take(session.receive($0)) }
        } else {
            emitOrHold(.received(bytes))
        }
    }

    /// Handles the peer's FIN.
    func inputClosed() {
        guard isOpen else { return }
        inputOver = true
        if resetSeen || hasEnded { over() } else { emitOrHold(.ended(.fin)) }
    }

    /// Records that the channel has failed; SwiftNIO then closes the channel.
    func failed() {
        resetSeen = true
    }

    /// Handles the closing of the channel.
    ///
    /// After the peer's FIN, only an RST closes the channel; after this side's FIN, the peer's FIN also closes it.
    func closed() {
        guard isOpen else { return }
        if inputOver { resetSeen = true }
        over()
    }

    /// Ends the connection and reports a reset, because the TLS session has failed.
    private func failTLS() {
        guard isOpen else { return }
        resetSeen = true
        over()
    }

    /// Closes the connection and reports how the peer ended it.
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
