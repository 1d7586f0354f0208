import SquallCore

/// One connection of a client through the relay: two sockets, a way in each direction, and who sits at the far end.
///
/// It knows nothing of labels or of other links; the relay tells it what befalls it. Outputs go to `outputs` in the
/// order in which they are to be done.
struct RelayedLink: Sendable {
    /// Who takes what the client sends.
    enum FarEnd: Sendable {
        case server
        /// Nobody yet: the first request decides, and the fault of this number may answer it.
        indirect case screen(RequestInterceptor, fault: Int)
        /// Nobody: what comes is thrown away.
        case nobody
    }

    let id: LinkID
    var client = Socket(state: .open)
    var server = Socket(state: .absent)
    var upstream = DirectionState()
    var downstream = DirectionState()
    var farEnd: FarEnd
    /// What has come through to a server's connection that is not open yet.
    var waiting: [Piece] = []
    var waitingBytes = 0
    var closings: [(fault: Int, at: Instant, how: LinkEnd)] = []
    /// Half-open, and the client's next bytes are answered by an RST.
    var resetsNext = false
    /// Its first end has been told.
    var hasReportedEnd = false
    /// The faults that have met here what they are for, as whoever keeps the link has not yet been told.
    var hits: [Int] = []
    /// It has only just come in: no byte has passed.
    var isFresh = true

    mutating func takeHits() -> [Int] {
        defer { hits = [] }
        return hits
    }

    init(_ id: LinkID, _ farEnd: FarEnd) {
        self.id = id
        self.farEnd = farEnd
    }

    subscript(way: Direction) -> DirectionState {
        _read { if case .upstream = way { yield upstream } else { yield downstream } }
        _modify { if case .upstream = way { yield &upstream } else { yield &downstream } }
    }

    subscript(socket: LinkSide) -> Socket {
        _read { if case .client = socket { yield client } else { yield server } }
        _modify { if case .client = socket { yield &client } else { yield &server } }
    }

    /// Nothing of it is left to be done or heard.
    var isOver: Bool {
        client.state == .closed && (server.state == .closed || server.state == .absent)
    }

    var nextDeadline: Instant? {
        var next = min(upstream.pipeline.nextDue ?? .never, downstream.pipeline.nextDue ?? .never)
        for closing in closings { next = min(next, closing.at) }
        return next == .never ? nil : next
    }

    /// Whether bytes read from this side go straight to the other.
    func isPlain(from side: LinkSide) -> Bool {
        // By their names: asked of every connection many times, and a subscript lends a copy.
        if case .client = side { upstream.isPlain && server.isPlain } else { downstream.isPlain && client.isPlain }
    }

    /// Whether what the client sends is thrown away, whatever may come: it was answered in the server's place, or not at all.
    var hasNobodyBehind: Bool {
        if case .nobody = farEnd { server.state == .absent } else { false }
    }

    /// Whether what the client sends goes straight to the server as soon as that is there.
    var isPlainOnceOpen: Bool { server.state == .connecting && waiting.isEmpty && !resetsNext && upstream.isPlain }

    // MARK: - Sockets

    mutating func connectUpstream(into outputs: inout [RelayOutput]) {
        farEnd = .server
        server.state = .connecting
        outputs.append(.connectUpstream(id))
    }

    mutating func upstreamOpened(at now: Instant, into outputs: inout [RelayOutput]) {
        guard server.state == .connecting else { return }
        server.state = .open
        let pieces = waiting
        dropWaiting()
        for piece in pieces { deliver(piece, .upstream, at: now, into: &outputs) }
        settle(into: &outputs)
    }

    mutating func upstreamFailed(at now: Instant, into outputs: inout [RelayOutput]) {
        guard server.state == .connecting else { return }
        server.state = .closed
        farEnd = .nobody
        dropWaiting()
        if downstream.intake == .open {
            emitEnd(by: "server", .rst, into: &outputs)
            downstream.intake = .ended
            push(.end(.rst), .downstream, at: now, into: &outputs)
        }
        settle(into: &outputs)
    }

    mutating func received(_ bytes: [UInt8], from side: LinkSide, at now: Instant, into outputs: inout [RelayOutput]) {
        guard !bytes.isEmpty, self[side].state == .open else { return }
        if resetsNext, side == .client {
            hasReportedEnd = false
            emitEnd(by: "network", .rst, into: &outputs)
            reset(.client, into: &outputs)
            return
        }
        switch self[side.outbound].intake {
        case .open: push(.bytes(bytes), side.outbound, at: now, into: &outputs)
        case .severed, .lost: emitDropped(bytes.count, side.outbound, into: &outputs)
        // Nothing comes behind an end.
        case .ended: return
        }
        settle(into: &outputs)
    }

    mutating func ended(_ side: LinkSide, _ how: LinkEnd, at now: Instant, into outputs: inout [RelayOutput]) {
        guard self[side].state == .open, !self[side].hasEnded || how == .rst else { return }
        let direction = side.outbound
        if self[direction].intake == .lost {
            // Whoever sits behind a blackhole cannot be heard; if it is heard after all, only its own socket is over.
            self[side].state = .closed
            if side == .client { server.state = .closed }
            return
        }
        if resetsNext, side == .client {
            if how == .rst { client.state = .closed } else { reset(.client, into: &outputs) }
            return
        }
        emitEnd(by: side.rawValue, how, into: &outputs)
        let isHeard = self[direction].intake == .open || self[direction].intake == .ended
        switch how {
        case .fin:
            self[side].hasEnded = true
            self[side].closeIfDone()
        case .rst:
            self[side].state = .closed
            abandon(side.outbound.opposite)
        }
        if isHeard {
            self[direction].intake = .ended
            push(.end(how), direction, at: now, into: &outputs)
        }
        settle(into: &outputs)
    }

    // MARK: - Ways

    mutating func push(_ piece: Piece, _ direction: Direction, at now: Instant, into outputs: inout [RelayOutput]) {
        guard !self[direction].pipeline.isEmpty else {
            deliver(piece, direction, at: now, into: &outputs)
            return
        }
        let flow = self[direction].pipeline.push(piece, at: now)
        take(flow, direction, at: now, into: &outputs)
    }

    /// What came out of a pipeline.
    mutating func take(
        _ flow: Pipeline.Flow,
        _ direction: Direction,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        for piece in flow.pieces { deliver(piece, direction, at: now, into: &outputs) }
        emitDropped(flow.dropped, direction, into: &outputs)
        for deed in flow.deeds { reportOperation(deed, direction, into: &outputs) }
        if flow.hasMissed { emitMissed(direction, into: &outputs) }
        hits += flow.hits
        guard let how = flow.severed else { return }
        // The end travels behind the last byte that passed; the source learns it from its own side now.
        emitEnd(by: "network", how, into: &outputs)
        if self[direction].intake != .lost { self[direction].intake = .severed }
        switch how {
        case .fin: end(direction.opposite, at: now, into: &outputs)
        case .rst: reset(direction == .upstream ? .client : .server, into: &outputs)
        }
    }

    /// Ends a direction in order: its sink gets a FIN behind what is under way, its source is heard no more.
    mutating func end(_ direction: Direction, at now: Instant, into outputs: inout [RelayOutput]) {
        guard self[direction].intake != .lost else { return }
        self[direction].intake = .severed
        push(.end(.fin), direction, at: now, into: &outputs)
    }

    /// Tears one socket down.
    ///
    /// What was on its way there is lost; what had come from there goes on.
    mutating func reset(_ side: LinkSide, into outputs: inout [RelayOutput]) {
        switch self[side].state {
        case .open:
            self[side].state = .closed
            outputs.append(.end(id, side: side, .rst))
        case .connecting:
            // A connection that is being made can be reset only when it is there.
            waiting = [.end(.rst)]
            waitingBytes = 0
        case .absent, .closed:
            return
        }
        if self[side.outbound].intake != .lost { self[side.outbound].intake = .severed }
        abandon(side.outbound.opposite)
    }

    /// Nobody is left to take what this direction carries.
    private mutating func abandon(_ direction: Direction) {
        _ = self[direction].pipeline.removeAll()
        if self[direction].intake != .lost { self[direction].intake = .severed }
    }

    /// A piece has come through to the sink of its direction.
    private mutating func deliver(
        _ piece: Piece,
        _ direction: Direction,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        let side: LinkSide = direction == .upstream ? .server : .client
        if case .bytes(let bytes) = piece { follow(bytes, direction, into: &outputs) }
        if side == .server {
            switch farEnd {
            case .nobody: return
            case .screen(let screen, let fault):
                show(piece, to: screen, of: fault, at: now, into: &outputs)
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
            guard !self[side].isEnded else { return }
            outputs.append(.write(id, to: side, bytes))
        case .end(.fin):
            guard !self[side].isEnded else { return }
            self[side].isEnded = true
            self[side].closeIfDone()
            outputs.append(.end(id, side: side, .fin))
        case .end(.rst):
            reset(side, into: &outputs)
        }
    }

    private mutating func show(
        _ piece: Piece,
        to screen: RequestInterceptor,
        of fault: Int,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        var screen = screen
        farEnd = .nobody
        switch screen.take(piece) {
        case .undecided:
            farEnd = .screen(screen, fault: fault)
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
            // One that ends before it has asked for anything has met nothing.
            if case .bytes = piece { hits.append(fault) }
            emitEnd(by: "network", how, into: &outputs)
            downstream.intake = .severed
            push(.end(how), .downstream, at: now, into: &outputs)
        }
    }

    mutating func dropWaiting() {
        waiting = []
        waitingBytes = 0
    }
}
