import SquallCore

/// What befalls a link.
extension RelayedLink {
    /// Whether no later fault can touch it: at least one direction lies in a blackhole, or the server is gone.
    private var isLost: Bool {
        upstream.intake == .lost || downstream.intake == .lost || resetsNext
    }

    /// What has come due by `now`.
    mutating func advance(to now: Instant, into outputs: inout [RelayOutput]) {
        for direction in Direction.allCases {
            let flow = self[direction].pipeline.advance(to: now)
            take(flow, direction, at: now, into: &outputs)
        }
        while let place = closings.firstIndex(where: { $0.at <= now }) {
            let closing = closings.remove(at: place)
            hits.append(closing.fault)
            switch closing.how {
            case .rst: applyImmediately(.reset, at: now, into: &outputs)
            // Ends it too, since bytes are missing.
            case .fin: detach(closing.fault, at: now, into: &outputs)
            }
        }
        settle(into: &outputs)
    }

    /// Puts what a fault does to bytes, and its closing, on this link; `use` names its streams of chance.
    mutating func attach(_ fault: Int, _ behaviour: any LinkFault, _ seed: Seed, _ use: String, at now: Instant) {
        if isFresh, behaviour is Fault.Frames { refuseExtensions() }
        for direction in Direction.allCases where behaviour.stream.includes(direction) {
            let generator = seed.stream("\(use).\(direction.rawValue)", for: id.client)
            let tracker = isFresh ? StreamTracker(direction) : self[direction].tracker
            guard let shaper = behaviour.shaper(drawing: generator, following: tracker) else { break }
            self[direction].pipeline.insert(shaper, of: fault)
        }
        if let closing = behaviour.closing {
            closings.append((fault, now + closing.after, closing.how))
        }
    }

    /// Has both ends speak without compression, for faults that choose messages, now or later.
    mutating func refuseExtensions() {
        guard isFresh, !upstream.pipeline.contains(Self.refusal) else { return }
        upstream.pipeline.insert(ExtensionRefusal(), of: Self.refusal)
    }

    /// Before every fault's own number.
    private static let refusal = Int.min

    /// From the first byte on.
    mutating func followStreams() {
        for direction in Direction.allCases { self[direction].tracker = StreamTracker(direction) }
    }

    /// Whether this fault has a part in what still comes.
    func carries(_ fault: Int) -> Bool {
        shapes(fault) || closings.contains { $0.fault == fault }
    }

    func shapes(_ fault: Int) -> Bool {
        upstream.pipeline.contains(fault) || downstream.pipeline.contains(fault)
    }

    /// What a fault makes of the connection when it comes in.
    mutating func follow(
        _ acceptOutcome: AcceptOutcome,
        of fault: Int,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        switch acceptOutcome {
        case .serve: connectUpstream(into: &outputs)
        case .screen(let screen): farEnd = .screen(screen, fault: fault)
        case .close(let how):
            hits.append(fault)
            applyImmediately(how == .fin ? .end([.client]) : .reset, at: now, into: &outputs)
        }
    }

    mutating func adjust(_ fault: Int, to kind: Fault.Kind, at now: Instant, into outputs: inout [RelayOutput]) {
        for direction in Direction.allCases {
            let flow = self[direction].pipeline.adjust(fault, to: kind, at: now)
            take(flow, direction, at: now, into: &outputs)
        }
        settle(into: &outputs)
    }

    /// Takes a fault's shaper out; what it held goes on its way, and a connection that misses bytes ends.
    mutating func detach(_ fault: Int, at now: Instant, into outputs: inout [RelayOutput]) {
        closings.removeAll { $0.fault == fault }
        var hasHole = false
        for direction in Direction.allCases {
            let (flow, misses) = self[direction].pipeline.remove(fault, at: now)
            take(flow, direction, at: now, into: &outputs)
            if misses { hasHole = true }
        }
        if hasHole { applyImmediately(.end(LinkSide.allCases), at: now, into: &outputs) }
        settle(into: &outputs)
    }

    mutating func applyImmediately(
        _ applyImmediately: ImmediateEffect,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        switch applyImmediately {
        case .end(let sides):
            guard !isLost else { return }
            emitEnd(by: "network", .fin, into: &outputs)
            if server.state == .absent { farEnd = .nobody }
            for side in sides { end(side.opposite.outbound, at: now, into: &outputs) }
        case .reset:
            guard !isLost else { return }
            emitEnd(by: "network", .rst, into: &outputs)
            if server.state == .absent { farEnd = .nobody }
            for side in LinkSide.allCases { reset(side, into: &outputs) }
        case .lose(let stream):
            for direction in Direction.allCases where stream.includes(direction) {
                lose(direction, into: &outputs)
            }
        case .halfOpen(let how, let resets):
            leaveHalfOpen(how, resets, into: &outputs)
        }
        settle(into: &outputs)
    }

    /// What is under way is gone, and nothing passes ever again.
    private mutating func lose(_ direction: Direction, into outputs: inout [RelayOutput]) {
        guard self[direction].intake != .lost else { return }
        var lost = self[direction].pipeline.removeAll()
        self[direction].intake = .lost
        closings.removeAll()
        if server.state == .absent { farEnd = .nobody }
        if direction == .upstream {
            lost += waitingBytes
            dropWaiting()
            resetsNext = false
        }
        emitDropped(lost, direction, into: &outputs)
    }

    private mutating func leaveHalfOpen(_ how: LinkEnd, _ resets: Bool, into outputs: inout [RelayOutput]) {
        guard client.state == .open, !isLost else { return }
        emitDropped(upstream.pipeline.removeAll() + waitingBytes, .upstream, into: &outputs)
        emitDropped(downstream.pipeline.removeAll(), .downstream, into: &outputs)
        closings.removeAll()
        dropWaiting()
        // The client's side does not end here; the fault's own event tells what happened.
        hasReportedEnd = true
        switch (server.state, how) {
        case (.open, .rst): reset(.server, into: &outputs)
        case (.open, .fin):
            if !server.isEnded { outputs.append(.end(id, side: .server, .fin)) }
            server.isEnded = true
            server.closeIfDone()
        case (.connecting, _): waiting = [.end(how)]
        case (.absent, _): farEnd = .nobody
        case (.closed, _): break
        }
        downstream.intake = .severed
        upstream.intake = resets ? .severed : .lost
        resetsNext = resets
    }
}
