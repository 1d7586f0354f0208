package import SquallCore

/// The network between clients and server: every link of every client, and the faults on them.
///
/// Without a fault, the relay passes on all bytes unchanged, a FIN separately in each direction, and an RST as an RST.
/// The relay is a pure value. Its owner passes inputs to it, and performs its outputs in order:
///
///                     RelayInput                         RelayOutput
///          accepted, received, ended, timer   acceptMode, connectUpstream, write, end
///                          |                                  ^
///                          v                                  |
///     +------------------------------- Relay ------------------------------------+
///     |  faults, by age:  1 latency   2 stall   3 flap ...    (ActiveFaults)      |
///     |                       |          |         |                             |
///     |  client~1   ==== link with the faults that hit it ====   server          |
///     |  client~2   ==== link with the faults that hit it ====   server          |
///     +--------------------------------------------------------------------------+
///
/// Faults act on a connection at these points, in this order:
///
/// 1. The client's listener: the strictest accept mode of all faults applies. If the server is not listening, the
///    connection is refused, unless a fault responds in the server's place.
/// 2. The TLS handshake, if there is one: among the faults' outcomes, the worst for the client applies.
/// 3. Acceptance: the highest-ranking fault may close the connection or read its first request.
/// 4. Bytes in both directions: the shapers of the connection's faults, oldest first. See ``RelayedLink``.
///
/// When a fault begins, it acts on open connections through its ``ImmediateEffect``, its shaper and its delayed end.
///
/// Before an input is handled, deadlines that have passed fire in chronological order. A late timer therefore changes
/// when something is done, but never what is done or in which order.
package struct Relay: Sendable {
    private let seed: Seed
    private let clients: [ClientID]
    private var serverListens = true
    /// The accept mode that was last emitted for each client; ``AcceptMode/open`` for a client without an entry.
    private var acceptModes: [ClientID: AcceptMode] = [:]
    /// The handshake outcome that was last emitted for each client. A client without an entry is offered a valid
    /// certificate.
    private var handshakes: [ClientID: Handshake] = [:]
    private let isSecured: Bool
    private var faults = ActiveFaults<RelayScope>()
    /// Whether a deadline is pending. If no deadline is pending and there is no fault, the links' deadlines need not be
    /// computed.
    private var hasDelayed = false
    /// The number of faults that have begun with each label.
    private var beginCounts: [String: Int] = [:]
    private var links = RelayedLinks()
    private var lines = SharedLines()
    private var clock = Instant.zero
    private let followsStreams: Bool
    private let refusesExtensions: Bool
    private var loginRecorder: LoginRecorder?

    /// The time at which the relay must next receive ``RelayInput/timer``; nil if no deadline is pending.
    package private(set) var nextDeadline: Instant?

    /// Creates a relay for the listeners of `clients`. All random numbers are derived from `seed`, separately for each
    /// fault and link.
    ///
    /// - Parameters:
    ///   - followsStreams: Parses HTTP and WebSocket on every link from its first byte, so that a fault that depends on
    ///     parsing also acts on connections that are open when the fault begins.
    ///   - refusesExtensions: Prevents compression, so that a later ``Fault/Frames`` can read the messages.
    ///   - recordsLogins: Records the bytes that clients send to log in, for ``RelayInput/replayLogin(_:)``.
    ///   - isSecured: Whether the links use TLS. If so, the relay emits the outcomes of the clients' handshakes.
    package init(
        seed: Seed,
        clients: [ClientID],
        followsStreams: Bool = false,
        refusesExtensions: Bool = false,
        recordsLogins: Bool = false,
        isSecured: Bool = false
    ) {
        self.isSecured = isSecured
        self.seed = seed
        loginRecorder = recordsLogins ? LoginRecorder() : nil
        self.followsStreams = followsStreams
        self.refusesExtensions = refusesExtensions
        self.clients = clients
    }

    package mutating func handle(_ input: RelayInput, at now: Instant) -> [RelayOutput] {
        var outputs: [RelayOutput] = []
        if let due = nextDeadline, due <= now { advance(to: now, into: &outputs) }
        clock = max(clock, now)
        // The recorder's own connections are not links of the relay.
        if loginRecorder?.take(input, into: &outputs) == true { return outputs }
        switch input {
        case .begin(let fault, let label, let clients): begin(fault, label, clients, into: &outputs)
        case .heal(let label): heal(into: &outputs) { $0.label == label }
        case .replayLogin: break
        case .healAll: heal(into: &outputs) { _ in true }
        case .login(let client): endAtLogin(of: client, into: &outputs)
        case .upstreamListening(let listens):
            serverListens = listens
            emitAcceptModes(into: &outputs)
        case .handshakeFailed(let client, let how):
            let fields: JSON = ["how": .string(how.name)]
            outputs.append(.observe(.happened("network.handshake.failed", fields, by: .injected), client: client))
        case .accepted(let id): accept(id, into: &outputs)
        case .upstreamOpened(let id):
            withLink(id, into: &outputs) { $0.upstreamOpened(at: $1, into: &$2) }
        case .upstreamFailed(let id, _):
            withLink(id, into: &outputs) { $0.upstreamFailed(at: $1, into: &$2) }
        case .received(let id, let side, let bytes):
            guard let index = links.index(of: id) else { return outputs }
            if links[index].isPlain(from: side) {
                if !bytes.isEmpty { outputs.append(.write(id, to: side.opposite, bytes)) }
                return outputs
            }
            withLink(id, into: &outputs) { $0.received(bytes, from: side, at: $1, into: &$2) }
        case .ended(let id, let side, let how):
            withLink(id, into: &outputs) { $0.ended(side, how, at: $1, into: &$2) }
        case .timer: break
        }
        findDeadline()
        return outputs
    }

    /// Whether any fault ends on its own. If not, ``end(of:)`` returns nil for every label.
    package var hasEnds: Bool { faults.entries.contains { $0.scope.ends != nil } }

    /// Returns the time at which the last fault with this label ends on its own; nil if every such fault lasts until it
    /// is healed. If `label` is nil, all faults are considered.
    package func end(of label: String?) -> Instant? {
        faults.entries.filter { label == nil || $0.label == label }.compactMap(\.scope.ends).max()
    }

    private mutating func withLink(
        _ id: LinkID,
        into outputs: inout [RelayOutput],
        _ body: (inout RelayedLink, Instant, inout [RelayOutput]) -> Void
    ) {
        // Inputs may still arrive for a link that has ended.
        guard let index = links.index(of: id) else { return }
        let now = clock
        lines.lent(to: &links[index]) { body(&$0, now, &outputs) }
        emitHits(of: index, into: &outputs)
        links.removeIfOver(index)
    }

    // MARK: - Time

    private mutating func advance(to now: Instant, into outputs: inout [RelayOutput]) {
        while let due = nextDeadline, due <= now {
            clock = max(clock, due)
            for index in links.indices {
                guard let deadline = links[index].nextDeadline, deadline <= due else { continue }
                lines.lent(to: &links[index]) { $0.advance(to: due, into: &outputs) }
                emitHits(of: index, into: &outputs)
            }
            links.removeOver()
            // Bytes that are due now still pass through the faults that end now. A fault that ends now does not begin
            // another phase.
            heal(into: &outputs) { ($0.scope.ends ?? .never) <= due }
            for index in faults.indices where (faults[index].turns ?? .never) <= due { turn(index, into: &outputs) }
            findDeadline()
        }
    }

    private mutating func findDeadline() {
        guard hasDelayed || !faults.isEmpty else { return }
        var next = Instant.never
        for index in links.indices { next = min(next, links[index].nextDeadline ?? .never) }
        for index in faults.indices { next = min(next, faults[index].nextDeadline) }
        nextDeadline = next == .never ? nil : next
        hasDelayed = nextDeadline != nil
    }

    // MARK: - Links

    private mutating func accept(_ id: LinkID, into outputs: inout [RelayOutput]) {
        guard links.index(of: id) == nil else { return }
        let client = id.client
        let fields: JSON = ["link": .integer(Int64(id.number))]
        outputs.append(.observe(.happened("network.accepted", fields, by: .injected), client: client))
        var link = RelayedLink(id)
        if followsStreams { link.followStreams() }
        if refusesExtensions { link.refuseExtensions() }
        let hitting = faults.entries.filter { $0.affects(client) }.compactMap { $0.applied(seed) }.filter {
            $0.affects(id)
        }
        // The connection may have been accepted just before its listener changed mode.
        let effects: [ImmediateEffect] =
            switch acceptMode(for: client) {
            case .dropping: [.lose(.both)]
            case .refusing: [.reset]
            case .open: []
            }
        link.accept(under: hitting, effects, at: clock, into: &outputs)
        emit(link.takeHits(), into: &outputs)
        if !link.isOver { _ = links.append(link) }
    }

    // MARK: - Faults

    private mutating func begin(
        _ fault: Fault,
        _ label: String?,
        _ clients: [ClientID]?,
        into outputs: inout [RelayOutput]
    ) {
        let label = label ?? freeLabel(fault.verb)
        if let index = faults.entries.firstIndex(where: { $0.label == label }) {
            if faults[index].canBecome(fault, clients) {
                update(index, to: fault, into: &outputs)
                return
            }
            heal(into: &outputs) { $0.label == label }
        }
        let before = beginCounts[label, default: 0]
        beginCounts[label] = before + 1
        let ends = fault.behaviour.duration(given: fault.duration).map { clock + $0 }
        let randomStreamPrefix = "fault.\(label).\(before)"
        let scope = RelayScope(
            label: label,
            verb: fault.verb,
            randomStreamPrefix: randomStreamPrefix,
            clients: clients,
            ends: ends
        )
        let active = faults.begin(fault, for: scope, at: clock)
        outputs.append(active.event("fault.began"))
        if fault.behaviour.sharesLine { lines.began(active.number) }
        emitAcceptModes(into: &outputs)
        let applied = active.applied(seed)
        for index in links.indices where active.affects(links[index].id.client) {
            applyEffect(of: active, index, into: &outputs)
            if let applied, applied.affects(links[index].id) { links[index].attach(applied, at: clock) }
            // The fault's delayed end may be due immediately.
            links[index].advance(to: clock, into: &outputs)
            emitHits(of: index, into: &outputs)
        }
        links.removeOver()
        let now = clock
        heal(into: &outputs) { ($0.scope.ends ?? .never) <= now }
    }

    private mutating func applyEffect(
        of fault: ActiveFaults<RelayScope>.Entry,
        _ index: Int,
        into outputs: inout [RelayOutput]
    ) {
        guard let effect = fault.current?.behaviour.immediateEffect else { return }
        let before = outputs.count
        links[index].apply(effect, at: clock, into: &outputs)
        if outputs.count > before { links[index].hits.append(fault.number) }
    }

    /// Reports each fault that has hit its target on this link, unless an earlier hit of the fault has been reported.
    private mutating func emitHits(of link: Int, into outputs: inout [RelayOutput]) {
        guard !links[link].hits.isEmpty else { return }
        emit(links[link].takeHits(), into: &outputs)
    }

    private mutating func emit(_ hits: [Int], into outputs: inout [RelayOutput]) {
        for number in hits {
            guard let index = faults.entries.firstIndex(where: { $0.number == number }),
                !faults[index].scope.hasHit
            else { continue }
            faults[index].scope.hasHit = true
            if faults[index].fault?.target != nil { outputs.append(faults[index].event("fault.hit")) }
        }
    }

    /// Replaces a fault's parameters while bytes are in its shapers. The fault's kind must not change.
    private mutating func update(_ index: Int, to fault: Fault, into outputs: inout [RelayOutput]) {
        // A change of parameters has no event of its own. It is reported as the end of one fault and the beginning of
        // another with the same label, because expectations with `during` refer to these events.
        outputs.append(faults[index].event("fault.ended"))
        faults.update(index, to: fault, at: clock)
        faults[index].scope.hasHit = false
        // The duration in the scenario applies unchanged, because no adjustable fault modifies it.
        faults[index].scope.ends = fault.duration.map { clock + $0 }
        let active = faults[index]
        outputs.append(active.event("fault.began"))
        let now = clock
        for index in links.indices {
            lines.lent(to: &links[index]) { $0.adjust(active.number, to: fault.behaviour, at: now, into: &outputs) }
            emitHits(of: index, into: &outputs)
        }
        links.removeOver()
    }

    private mutating func heal(
        into outputs: inout [RelayOutput],
        where predicate: (ActiveFaults<RelayScope>.Entry) -> Bool
    ) {
        while let index = faults.entries.firstIndex(where: predicate) {
            let fault = faults.end(index)
            outputs.append(fault.event("fault.ended"))
            emitAcceptModes(into: &outputs)
            lines.ended(fault.number)
            let now = clock
            for index in links.indices {
                lines.lent(to: &links[index]) { $0.detach(fault.number, at: now, into: &outputs) }
                // Bytes that this fault released may have been affected by another fault on their way.
                emitHits(of: index, into: &outputs)
            }
            links.removeOver()
        }
    }

    private mutating func turn(_ index: Int, into outputs: inout [RelayOutput]) {
        let fault = faults.turn(index)
        outputs.append(fault.event("fault.turned", [JSONMember("down", .bool(fault.isDown))]))
        emitAcceptModes(into: &outputs)
        for index in links.indices where fault.affects(links[index].id.client) {
            applyEffect(of: fault, index, into: &outputs)
        }
        links.removeOver()
    }

    /// Ends, for this client, the faults that last until a login. A fault that no longer affects any client is removed.
    private mutating func endAtLogin(of client: ClientID, into outputs: inout [RelayOutput]) {
        for index in faults.indices where faults[index].affects(client) {
            guard faults[index].fault?.behaviour.endsAtLogin == true else { continue }
            faults[index].scope.healedClients.append(client)
            outputs.append(faults[index].event("fault.lifted", for: client))
        }
        let clients = clients
        heal(into: &outputs) { fault in
            !fault.scope.healedClients.isEmpty && !(fault.scope.clients ?? clients).contains(where: fault.affects)
        }
        emitAcceptModes(into: &outputs)
    }

    /// Returns the verb, with the first free number from 2 upwards appended if the verb is already in use as a label.
    private func freeLabel(_ verb: String) -> String {
        func isFree(_ label: String) -> Bool { !faults.entries.contains { $0.label == label } }
        guard !isFree(verb) else { return verb }
        var number = 2
        while !isFree("\(verb)-\(number)") { number += 1 }
        return "\(verb)-\(number)"
    }

    // MARK: - Accepting

    private func acceptMode(for client: ClientID) -> AcceptMode {
        let isAnswered =
            serverListens || faults.entries.contains { $0.affects(client) && $0.current?.answersForServer == true }
        return max(faults.acceptMode { $0.affects(client) }, isAnswered ? .open : .refusing)
    }

    private mutating func emitAcceptModes(into outputs: inout [RelayOutput]) {
        for client in clients {
            let acceptMode = acceptMode(for: client)
            guard acceptMode != acceptModes[client] ?? .open else { continue }
            acceptModes[client] = acceptMode
            outputs.append(.acceptMode(client, acceptMode))
        }
        if isSecured { emitHandshakes(into: &outputs) }
    }

    private func handshake(for client: ClientID) -> Handshake {
        Handshake.worst(
            faults.entries.lazy.filter { $0.affects(client) }.compactMap { $0.current?.behaviour.handshake }
        )
    }

    private mutating func emitHandshakes(into outputs: inout [RelayOutput]) {
        for client in clients {
            let handshake = handshake(for: client)
            guard handshake != handshakes[client] ?? .completes(.valid) else { continue }
            handshakes[client] = handshake
            outputs.append(.handshake(client, handshake))
        }
    }
}
