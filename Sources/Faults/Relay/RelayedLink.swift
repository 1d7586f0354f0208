import SquallCore

/// One connection of a client through the relay: two sockets, and two directions that faults act on.
///
///                 +--------------------------- upstream ----------------------------+
///     client  ->  | intake -> [fault 1] -> [fault 2] -> ... -> far end -> waiting   |  ->  server
///     socket      |             queue        queue             (interceptor)        |      socket
///                 +--------------------------- downstream --------------------------+
///             <-  |        ... <- [fault 2] <- [fault 1] <- intake                  |  <-
///                 |                 queue        queue                              |
///                 +-----------------------------------------------------------------+
///
/// Order: in both directions, bytes pass through the oldest fault first. Each fault is a stage of the direction's
/// ``Pipeline``; the output of one stage enters the next stage at the same instant. A FIN or an RST travels after the
/// bytes before it.
///
/// Bytes wait in four places: in a stage's queue until they are due; in the interceptor, until the first request
/// decides whether the server is needed; in ``waiting``, until the connection to the server is open; and in the kernel,
/// because a source whose direction is full or stalled is not read (``ReadMode``).
///
/// Flush: when a fault ends, its stage is removed, and the bytes in its queue immediately enter the next stage in
/// order. If the fault has discarded bytes, the stream has a gap: the bytes in earlier stages are lost, and the
/// connection ends with a FIN.
///
/// The input mode of a direction determines what happens to the bytes that its source still sends: see
/// ``DirectionState/InputMode``. The two directions end separately. An RST ends both: bytes in flight to that socket
/// are lost, and bytes that came from it are still delivered to the other side, followed by the RST.
///
/// A link has no access to labels or other links. Its outputs must be performed in order.
struct RelayedLink: Sendable {
    /// The destination of the client's bytes after the last fault.
    enum UpstreamDestination: Sendable {
        case server
        /// The first request decides whether the server is needed. The fault with this number can answer the request.
        /// Any other case can follow.
        indirect case interceptor(RequestInterceptor, fault: Int)
        /// Bytes are discarded.
        case nothing
    }

    let id: LinkID
    var client = Socket(state: .open)
    var server = Socket(state: .absent)
    var upstream = DirectionState()
    var downstream = DirectionState()
    var upstreamDestination = UpstreamDestination.nothing
    /// The pieces that are queued until the connection to the server is open.
    var waiting: [Piece] = []
    var waitingBytes = 0
    var delayedEnds: [(fault: Int, at: Instant, how: LinkEnd)] = []
    /// Whether the connection is half-open and the client's next bytes will be answered with an RST.
    var resetsNext = false
    /// Whether the event for the end of the connection has been emitted.
    var hasReportedEnd = false
    /// The faults that have hit their target on this link since the last call to ``takeHits()``.
    var hits: [Int] = []
    /// Whether the connection is still being accepted, before any byte has passed.
    var isBeingAccepted = true

    mutating func takeHits() -> [Int] {
        defer { hits = [] }
        return hits
    }

    init(_ id: LinkID) {
        self.id = id
    }

    subscript(direction: Direction) -> DirectionState {
        _read { if case .upstream = direction { yield upstream } else { yield downstream } }
        _modify { if case .upstream = direction { yield &upstream } else { yield &downstream } }
    }

    subscript(side: LinkSide) -> Socket {
        _read { if case .client = side { yield client } else { yield server } }
        _modify { if case .client = side { yield &client } else { yield &server } }
    }

    /// Whether both sockets are closed.
    var isOver: Bool {
        client.state == .closed && (server.state == .closed || server.state == .absent)
    }

    var nextDeadline: Instant? {
        var next = min(upstream.pipeline.nextDue ?? .never, downstream.pipeline.nextDue ?? .never)
        for end in delayedEnds { next = min(next, end.at) }
        return next == .never ? nil : next
    }

    /// Returns whether bytes from this side pass unchanged and without delay.
    func isPlain(from side: LinkSide) -> Bool {
        // `self[direction]` would copy the direction, which is too slow for code that runs many times per connection.
        if case .client = side { upstream.isPlain && server.isPlain } else { downstream.isPlain && client.isPlain }
    }

    /// Whether all bytes from the client are discarded, because there is no connection to the server and none will be
    /// opened.
    var hasNoServer: Bool {
        if case .nothing = upstreamDestination { server.state == .absent } else { false }
    }

    /// Whether bytes from the client will pass unchanged and without delay once the server is connected.
    var isPlainOnceOpen: Bool { server.state == .connecting && waiting.isEmpty && !resetsNext && upstream.isPlain }

    // MARK: - Sockets

    mutating func connectUpstream(into outputs: inout [RelayOutput]) {
        assert(server.state == .absent, "a link connects to the server once")
        upstreamDestination = .server
        server.state = .connecting
        outputs.append(.connectUpstream(id))
    }

    mutating func upstreamOpened(at now: Instant, into outputs: inout [RelayOutput]) {
        guard server.state == .connecting else { return }
        server.state = .open
        let pieces = waiting
        dropWaiting()
        for piece in pieces { deliver(piece, .upstream, at: now, into: &outputs) }
        updateReadModes(into: &outputs)
    }

    mutating func upstreamFailed(at now: Instant, into outputs: inout [RelayOutput]) {
        guard server.state == .connecting else { return }
        server.state = .closed
        upstreamDestination = .nothing
        dropWaiting()
        if downstream.inputMode == .open {
            emitEnd(by: "server", .rst, into: &outputs)
            downstream.inputMode = .ended
            push(.end(.rst), .downstream, at: now, into: &outputs)
        }
        updateReadModes(into: &outputs)
    }

    mutating func received(_ bytes: [UInt8], from side: LinkSide, at now: Instant, into outputs: inout [RelayOutput]) {
        guard !bytes.isEmpty, self[side].state == .open else { return }
        if resetsNext, side == .client {
            // The end of the connection was marked as reported when the connection became half-open, although the
            // client received neither FIN nor RST. The RST is therefore reported as the end now.
            hasReportedEnd = false
            emitEnd(by: "network", .rst, into: &outputs)
            reset(.client, into: &outputs)
            return
        }
        switch self[side.outbound].inputMode {
        case .open: push(.bytes(bytes), side.outbound, at: now, into: &outputs)
        case .severed, .lost: emitDropped(bytes.count, side.outbound, into: &outputs)
        // Nothing follows a FIN or an RST.
        case .ended: return
        }
        updateReadModes(into: &outputs)
    }

    mutating func ended(_ side: LinkSide, _ how: LinkEnd, at now: Instant, into outputs: inout [RelayOutput]) {
        guard self[side].state == .open, !self[side].hasReceivedFIN || how == .rst else { return }
        let direction = side.outbound
        if self[direction].inputMode == .lost {
            // A blackhole drops FIN and RST, so the server is not notified. If the client ended the connection, the
            // link is over.
            self[side].state = .closed
            if side == .client { server.state = .closed }
            return
        }
        if resetsNext, side == .client {
            if how == .rst { client.state = .closed } else { reset(.client, into: &outputs) }
            return
        }
        emitEnd(by: side.rawValue, how, into: &outputs)
        let passesOn = self[direction].inputMode == .open || self[direction].inputMode == .ended
        switch how {
        case .fin:
            self[side].hasReceivedFIN = true
            self[side].closeIfDone()
        case .rst:
            self[side].state = .closed
            abandon(side.outbound.opposite)
        }
        if passesOn {
            self[direction].inputMode = .ended
            push(.end(how), direction, at: now, into: &outputs)
        }
        updateReadModes(into: &outputs)
    }

    // MARK: - Directions

    mutating func push(_ piece: Piece, _ direction: Direction, at now: Instant, into outputs: inout [RelayOutput]) {
        guard !self[direction].pipeline.isEmpty else {
            deliver(piece, direction, at: now, into: &outputs)
            return
        }
        let flow = self[direction].pipeline.push(piece, at: now)
        take(flow, direction, at: now, into: &outputs)
    }

    /// Delivers the pieces that have left a pipeline, and reports the effects of its faults.
    mutating func take(
        _ flow: Pipeline.Flow,
        _ direction: Direction,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        for piece in flow.pieces { deliver(piece, direction, at: now, into: &outputs) }
        emitDropped(flow.dropped, direction, into: &outputs)
        for operation in flow.operations { reportOperation(operation, direction, into: &outputs) }
        if flow.passedUnread { emitMissed(direction, into: &outputs) }
        hits += flow.hits
        guard let how = flow.severed else { return }
        // The sink receives a FIN or RST after the last byte that passed; the source receives a FIN or RST immediately.
        emitEnd(by: "network", how, into: &outputs)
        if self[direction].inputMode != .lost { self[direction].inputMode = .severed }
        switch how {
        case .fin: end(direction.opposite, at: now, into: &outputs)
        case .rst: reset(direction == .upstream ? .client : .server, into: &outputs)
        }
    }

    /// Ends a direction cleanly: its sink receives a FIN after the bytes in flight, and bytes that its source still
    /// sends are discarded.
    mutating func end(_ direction: Direction, at now: Instant, into outputs: inout [RelayOutput]) {
        guard self[direction].inputMode != .lost else { return }
        self[direction].inputMode = .severed
        push(.end(.fin), direction, at: now, into: &outputs)
    }

    /// Closes one socket with an RST.
    ///
    /// Bytes in flight to it are lost; bytes that came from it are still delivered to the other side.
    mutating func reset(_ side: LinkSide, into outputs: inout [RelayOutput]) {
        switch self[side].state {
        case .open:
            self[side].state = .closed
            outputs.append(.end(id, side: side, .rst))
        case .connecting:
            // A connection cannot be reset before it is open, so the RST waits.
            waiting = [.end(.rst)]
            waitingBytes = 0
        case .absent, .closed:
            return
        }
        if self[side.outbound].inputMode != .lost { self[side.outbound].inputMode = .severed }
        abandon(side.outbound.opposite)
    }

    /// Discards the bytes of this direction, because its sink has been closed.
    private mutating func abandon(_ direction: Direction) {
        _ = self[direction].pipeline.removeAll()
        if self[direction].inputMode != .lost { self[direction].inputMode = .severed }
    }

    /// Delivers a piece that has left the direction's pipeline.
    private mutating func deliver(
        _ piece: Piece,
        _ direction: Direction,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        let side: LinkSide = direction == .upstream ? .server : .client
        if case .bytes(let bytes) = piece { follow(bytes, direction, into: &outputs) }
        if side == .server {
            switch upstreamDestination {
            case .nothing: return
            case .interceptor(let interceptor, let fault):
                pass(piece, to: interceptor, of: fault, at: now, into: &outputs)
                return
            case .server:
                if server.state == .connecting {
                    waiting.append(piece)
                    waitingBytes += piece.count
                    return
                }
            }
        }
        guard self[side].state == .open else { return }
        switch piece {
        case .bytes(let bytes):
            guard !self[side].hasSentFIN else { return }
            outputs.append(.write(id, to: side, bytes))
        case .end(.fin):
            guard !self[side].hasSentFIN else { return }
            self[side].hasSentFIN = true
            self[side].closeIfDone()
            outputs.append(.end(id, side: side, .fin))
        case .end(.rst):
            reset(side, into: &outputs)
        }
    }

    private mutating func pass(
        _ piece: Piece,
        to interceptor: RequestInterceptor,
        of fault: Int,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        var interceptor = interceptor
        // Defaults to `nothing`, because the bytes reach a server only if the interceptor passes them on.
        upstreamDestination = .nothing
        switch interceptor.take(piece) {
        case .undecided:
            upstreamDestination = .interceptor(interceptor, fault: fault)
        case .pass(let pieces):
            connectUpstream(into: &outputs)
            waiting = pieces
            waitingBytes = pieces.reduce(0) { $0 + $1.count }
        case .answer(let bytes, let status, let event):
            hits.append(fault)
            outputs.append(
                .observe(.happened(event, ["status": .integer(Int64(status))], by: .injected), client: id.client)
            )
            emitEnd(by: "network", .fin, into: &outputs)
            push(.bytes(bytes), .downstream, at: now, into: &outputs)
            end(.downstream, at: now, into: &outputs)
        case .close(let how):
            // A connection that ends before sending anything does not count as hit by the fault.
            if case .bytes = piece { hits.append(fault) }
            emitEnd(by: "network", how, into: &outputs)
            downstream.inputMode = .severed
            push(.end(how), .downstream, at: now, into: &outputs)
        }
    }

    mutating func dropWaiting() {
        waiting = []
        waitingBytes = 0
    }
}
