import SquallCore

/// The effects of faults on a link.
extension RelayedLink {
    /// Whether a direction is in a blackhole or the connection is half-open. In either case, no later fault can end the
    /// connection.
    private var isLost: Bool {
        upstream.inputMode == .lost || downstream.inputMode == .lost || resetsNext
    }

    /// Advances the bytes due by `now` through the stages, and then performs the delayed ends that are due.
    mutating func advance(to now: Instant, into outputs: inout [RelayOutput]) {
        for direction in Direction.allCases {
            let flow = self[direction].pipeline.advance(to: now)
            take(flow, direction, at: now, into: &outputs)
        }
        // Delayed ends are performed last, so that they do not discard bytes due at the same instant.
        while let index = delayedEnds.firstIndex(where: { $0.at <= now }) {
            let end = delayedEnds.remove(at: index)
            hits.append(end.fault)
            switch end.how {
            case .rst: apply(.reset, at: now, into: &outputs)
            // Removing the shaper ends the connection, because bytes are missing from its stream.
            case .fin: detach(end.fault, at: now, into: &outputs)
            }
        }
        updateReadModes(into: &outputs)
    }

    /// Handles the client's newly accepted connection.
    ///
    /// - Parameters:
    ///   - faults: The faults that affect the link, in order.
    ///   - effects: The effects to apply to the connection. If there are any, the connection is not served.
    mutating func accept(
        under faults: [AppliedFault],
        _ effects: [ImmediateEffect],
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        assert(isBeingAccepted, "a connection is accepted once")
        for applied in faults where applied.behaviour.appliesToNewConnections { attach(applied, at: now) }
        if effects.isEmpty {
            var (outcome, number) = (AcceptOutcome.serve, 0)
            for applied in faults {
                let other = applied.behaviour.acceptOutcome
                if other.rank > outcome.rank { (outcome, number) = (other, applied.number) }
            }
            follow(outcome, of: number, at: now, into: &outputs)
        }
        for effect in effects { apply(effect, at: now, into: &outputs) }
        updateReadModes(into: &outputs)
        isBeingAccepted = false
    }

    /// Adds a fault's shapers and its delayed end to this link.
    mutating func attach(_ applied: AppliedFault, at now: Instant) {
        let behaviour = applied.behaviour
        if isBeingAccepted, behaviour.readsMessages { refuseExtensions() }
        for direction in Direction.allCases where behaviour.stream.includes(direction) {
            let generator = applied.generator(for: id, direction)
            let tracker = isBeingAccepted ? StreamTracker(direction) : self[direction].tracker
            // A fault without a shaper for one direction has no shaper for the other direction either.
            guard let shaper = behaviour.shaper(drawing: generator, following: tracker) else { break }
            self[direction].pipeline.insert(shaper, of: applied.number)
        }
        if let end = behaviour.delayedEnd { delayedEnds.append((applied.number, now + end.after, end.how)) }
    }

    /// Prevents the client and the server from negotiating compression, so that faults can read the messages.
    mutating func refuseExtensions() {
        guard isBeingAccepted, !upstream.pipeline.contains(Self.refusal) else { return }
        upstream.pipeline.insert(ExtensionRefusal(), of: Self.refusal)
    }

    /// The number of the shaper that removes the extension offer. This shaper precedes the shapers of all faults.
    private static let refusal = Int.min

    /// Starts parsing HTTP and WebSocket in both directions, from the first byte on.
    mutating func followStreams() {
        assert(isBeingAccepted, "a stream can be parsed only from its first byte")
        for direction in Direction.allCases { self[direction].tracker = StreamTracker(direction) }
    }

    /// Returns whether the fault has a shaper or a pending delayed end on this link.
    func hasApplied(_ fault: Int) -> Bool {
        hasShaper(fault) || delayedEnds.contains { $0.fault == fault }
    }

    func hasShaper(_ fault: Int) -> Bool {
        upstream.pipeline.contains(fault) || downstream.pipeline.contains(fault)
    }

    private mutating func follow(
        _ outcome: AcceptOutcome,
        of fault: Int,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        switch outcome {
        case .serve: connectUpstream(into: &outputs)
        case .intercept(let interceptor): upstreamDestination = .interceptor(interceptor, fault: fault)
        case .close(let how):
            hits.append(fault)
            apply(how == .fin ? .end([.client]) : .reset, at: now, into: &outputs)
        }
    }

    /// Applies a fault's new attributes to its shapers; the kind of fault is unchanged.
    mutating func adjust(
        _ fault: Int,
        to behaviour: any LinkFault,
        at now: Instant,
        into outputs: inout [RelayOutput]
    ) {
        for direction in Direction.allCases {
            let flow = self[direction].pipeline.adjust(fault, to: behaviour, at: now)
            take(flow, direction, at: now, into: &outputs)
        }
        updateReadModes(into: &outputs)
    }

    /// Removes a fault from this link. The bytes that its shapers held are passed on immediately. If bytes are missing
    /// from the stream, the connection ends.
    mutating func detach(_ fault: Int, at now: Instant, into outputs: inout [RelayOutput]) {
        delayedEnds.removeAll { $0.fault == fault }
        var dropsBytes = false
        for direction in Direction.allCases {
            let (flow, isIncomplete) = self[direction].pipeline.remove(fault, at: now)
            take(flow, direction, at: now, into: &outputs)
            if isIncomplete { dropsBytes = true }
        }
        if dropsBytes { apply(.end(LinkSide.allCases), at: now, into: &outputs) }
        updateReadModes(into: &outputs)
    }

    mutating func apply(_ effect: ImmediateEffect, at now: Instant, into outputs: inout [RelayOutput]) {
        switch effect {
        case .end(let sides):
            guard !isLost else { return }
            emitEnd(by: "network", .fin, into: &outputs)
            if server.state == .absent { upstreamDestination = .nothing }
            for side in sides { end(side.opposite.outbound, at: now, into: &outputs) }
        case .reset:
            guard !isLost else { return }
            emitEnd(by: "network", .rst, into: &outputs)
            if server.state == .absent { upstreamDestination = .nothing }
            for side in LinkSide.allCases { reset(side, into: &outputs) }
        case .lose(let stream):
            for direction in Direction.allCases where stream.includes(direction) {
                lose(direction, into: &outputs)
            }
        case .halfOpen(let how, let resets):
            leaveHalfOpen(how, resets, into: &outputs)
        }
        updateReadModes(into: &outputs)
    }

    /// Discards the bytes in flight in a direction, and blocks the direction permanently.
    private mutating func lose(_ direction: Direction, into outputs: inout [RelayOutput]) {
        guard self[direction].inputMode != .lost else { return }
        var lost = self[direction].pipeline.removeAll()
        self[direction].inputMode = .lost
        // A connection that is lost in one direction cannot be ended by a fault (`isLost`).
        delayedEnds.removeAll()
        if server.state == .absent { upstreamDestination = .nothing }
        if direction == .upstream {
            lost += waitingBytes
            dropWaiting()
            // The client's next bytes will be lost, so they cannot be answered with an RST.
            resetsNext = false
        }
        emitDropped(lost, direction, into: &outputs)
    }

    private mutating func leaveHalfOpen(_ how: LinkEnd, _ resets: Bool, into outputs: inout [RelayOutput]) {
        guard client.state == .open, !isLost else { return }
        emitDropped(upstream.pipeline.removeAll() + waitingBytes, .upstream, into: &outputs)
        emitDropped(downstream.pipeline.removeAll(), .downstream, into: &outputs)
        delayedEnds.removeAll()
        dropWaiting()
        // The connection does not end for the client, so `network.closed` is not emitted; `fault.hit` reports what
        // happened.
        hasReportedEnd = true
        switch (server.state, how) {
        case (.open, .rst): reset(.server, into: &outputs)
        case (.open, .fin):
            if !server.hasSentFIN { outputs.append(.end(id, side: .server, .fin)) }
            server.hasSentFIN = true
            server.closeIfDone()
        case (.connecting, _): waiting = [.end(how)]
        case (.absent, _): upstreamDestination = .nothing
        case (.closed, _): break
        }
        downstream.inputMode = .severed
        upstream.inputMode = resets ? .severed : .lost
        resetsNext = resets
    }
}
