package import SquallCore

/// A single link, whose owner decides which faults apply to it.
///
/// The ``Relay``, in contrast, applies each fault to all links of the affected clients. The owner gives each fault a
/// number, and bytes pass through the faults in ascending order of their numbers.
package struct FaultedLink: Sendable {
    private var link: RelayedLink

    /// Creates a link. If `followsStreams` is true, the link parses HTTP and WebSocket and emits an event for each
    /// frame, so all bytes must be passed through it.
    package init(_ id: LinkID, followsStreams: Bool = false) {
        link = RelayedLink(id)
        if followsStreams { link.followStreams() }
    }

    package var id: LinkID { link.id }
    private var isSevered: Bool {
        let isDiscarded = link.upstream.inputMode == .severed || link.upstream.inputMode == .open && link.hasNoServer
        return isDiscarded && link.downstream.inputMode == .severed && !link.resetsNext
    }

    /// Returns the maximum number of bytes from this side to pass to ``received(_:from:at:)`` at a time, so that
    /// shaping them does not delay other connections.
    package func chunkLimit(from side: LinkSide) -> Int { link[side.outbound].pipeline.chunkLimit }

    /// The properties that the owner reads between inputs. They are combined in one value, because reading each
    /// separately would copy the link.
    package struct Status: Hashable, Sendable {
        /// Whether bytes from the client pass unchanged and without delay, so that the owner need not pass them through
        /// the link.
        package let isPlainFromClient: Bool
        /// Whether bytes from the server pass unchanged and without delay.
        package let isPlainFromServer: Bool
        /// Whether bytes from the client will pass unchanged once the server is connected, so that they can remain in
        /// the kernel until then.
        package let isPlainOnceOpen: Bool
        /// The time at which ``FaultedLink/advance(to:)`` must be called next; ``Instant/never`` if no deadline is
        /// pending.
        package let nextDeadline: Instant
        /// Whether a fault has ended both directions, in which case all further bytes are discarded.
        package let isSevered: Bool
        /// Whether both sockets are closed.
        package let isOver: Bool
    }

    package var status: Status {
        Status(
            isPlainFromClient: link.isPlain(from: .client),
            isPlainFromServer: link.isPlain(from: .server),
            isPlainOnceOpen: link.isPlainOnceOpen,
            nextDeadline: link.nextDeadline ?? .never,
            isSevered: isSevered,
            isOver: link.isOver
        )
    }

    // MARK: - Inputs

    /// Returns the outcome of the link's TLS handshake under the given faults.
    package func handshake(under faults: [AppliedFault]) -> Handshake {
        Handshake.worst(faults.lazy.filter { $0.affects(link.id) }.compactMap { $0.behaviour.handshake })
    }

    /// Handles the client's newly accepted connection; `faults` apply to it in order.
    package mutating func accept(_ faults: [AppliedFault], at now: Instant) -> [RelayOutput] {
        var outputs: [RelayOutput] = []
        let hitting = faults.filter { $0.affects(link.id) }
        // The connection has already been accepted, so it can only be lost or reset. A reset is the closest equivalent
        // of a refused connection.
        let effects = hitting.compactMap { applied -> ImmediateEffect? in
            switch applied.behaviour.acceptMode {
            case .open: nil
            case .dropping: applied.behaviour.immediateEffect
            case .refusing: .reset
            }
        }
        link.accept(under: hitting, effects, at: now, into: &outputs)
        return finish(outputs, at: now)
    }

    package mutating func upstreamOpened(at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.upstreamOpened(at: now, into: &$1) }
    }

    package mutating func upstreamFailed(at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.upstreamFailed(at: now, into: &$1) }
    }

    package mutating func received(_ bytes: [UInt8], from side: LinkSide, at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.received(bytes, from: side, at: now, into: &$1) }
    }

    package mutating func ended(_ side: LinkSide, _ how: LinkEnd, at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.ended(side, how, at: now, into: &$1) }
    }

    /// Releases the bytes and performs the delayed ends that are due by `now`.
    package mutating func advance(to now: Instant) -> [RelayOutput] {
        finish([], at: now)
    }

    // MARK: - Faults

    /// Applies a fault that begins while the connection is open.
    package mutating func begin(_ applied: AppliedFault, at now: Instant) -> [RelayOutput] {
        guard applied.affects(link.id) else { return [] }
        return handle(at: now) { link, outputs in
            if let effect = applied.behaviour.immediateEffect { link.apply(effect, at: now, into: &outputs) }
            link.attach(applied, at: now)
        }
    }

    /// Replaces a fault's parameters, and decides anew whether the fault affects this link. The fault's kind must not
    /// change.
    package mutating func adjust(_ applied: AppliedFault, at now: Instant) -> [RelayOutput] {
        let (number, behaviour) = (applied.number, applied.behaviour)
        let isHit = applied.affects(link.id)
        let wasHit = link.hasApplied(number)
        guard isHit, wasHit, behaviour.isAdjustable || behaviour.delayedEnd != nil || link.hasShaper(number) else {
            var outputs = wasHit ? end(number, at: now) : []
            if isHit { outputs += begin(applied, at: now) }
            return outputs
        }
        return handle(at: now) { link, outputs in
            link.delayedEnds.removeAll { $0.fault == number }
            if let end = behaviour.delayedEnd { link.delayedEnds.append((number, now + end.after, end.how)) }
            link.adjust(number, to: behaviour, at: now, into: &outputs)
        }
    }

    /// Ends a fault. The bytes in its shaper are passed on. If bytes are missing from the stream, the connection ends
    /// with a FIN.
    package mutating func end(_ number: Int, at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.detach(number, at: now, into: &$1) }
    }

    // MARK: - Time

    private mutating func handle(
        at now: Instant,
        _ body: (inout RelayedLink, inout [RelayOutput]) -> Void
    ) -> [RelayOutput] {
        var outputs = link.nextDeadline.map { $0 <= now } == true ? finish([], at: now) : []
        body(&link, &outputs)
        return finish(outputs, at: now)
    }

    /// Handles all deadlines up to `now` in chronological order. Returns `outputs` with the resulting outputs appended.
    private mutating func finish(_ outputs: [RelayOutput], at now: Instant) -> [RelayOutput] {
        var outputs = outputs
        while let due = link.nextDeadline, due <= now { link.advance(to: due, into: &outputs) }
        return outputs
    }
}
