package import SquallCore

/// The network between clients and server: every link of every client, and the faults on them.
///
/// With no fault it passes on what it gets as it was: bytes, FIN in each direction by itself, RST as RST. What is due
/// fires before the input in hand, in the order of time, so that a timer that comes late changes only when things are
/// done.
package struct Relay: Sendable {
    private let seed: Seed
    private let clients: [ClientID]
    private var serverListens = true
    /// As last told; open where never told.
    private var acceptModes: [ClientID: AcceptMode] = [:]
    /// As last told; with a good certificate where never told.
    private var handshakes: [ClientID: Handshake] = [:]
    /// Whether its clients' connections have TLS.
    private let isSecured: Bool
    /// In the order in which they began.
    private var faults: [ActiveFault] = []
    private var faultCount = 0
    /// Whether anything waits for its time; without that and without a fault, no link has to be asked.
    private var hasDelayed = false
    /// How many faults have had a label.
    private var begun: [String: Int] = [:]
    private var links = RelayedLinks()
    private var lines = SharedLines()
    private var clock = Instant.zero
    private let followsStreams: Bool
    private let refusesExtensions: Bool
    private var loginRecorder: LoginRecorder?

    /// When ``RelayInput/timer`` is due; nil while nothing is.
    package private(set) var nextDeadline: Instant?

    /// `clients` are those whose doors it keeps; chance is drawn from streams of the seed, one a fault and link.
    ///
    /// With `followsStreams` each link knows where in HTTP and WebSocket its streams stand, so that ``Fault/Frames`` hits those
    /// that are there when it begins too; without, only later ones. With `recordsLogins` what clients say to log in is kept
    /// for ``RelayInput/replayLogin(_:)``. With `refusesExtensions` no connection is compressed, so that a ``Fault/Frames`` that
    /// comes later can read it. With `isSecured` it tells how the clients' TLS handshakes go.
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
        if loginRecorder?.take(input, into: &outputs) == true { return outputs }
        switch input {
        case .begin(let fault, let label, let clients): begin(fault, label, clients, into: &outputs)
        case .heal(let label): heal(into: &outputs) { $0.label == label }
        case .replayLogin: break
        case .healAll: heal(into: &outputs) { _ in true }
        case .login(let client): logIn(client, into: &outputs)
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
            guard let place = links.place(of: id) else { return outputs }
            if links[place].isPlain(from: side) {
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

    /// Whether a fault ends by itself, so that ``end(of:)`` has something to tell.
    package var hasEnds: Bool { faults.contains { $0.ends != nil } }

    /// When the last fault of this label, or of any, ends by itself; nil where none does.
    package func end(of label: String?) -> Instant? {
        faults.filter { label == nil || $0.label == label }.compactMap(\.ends).max()
    }

    private mutating func withLink(
        _ id: LinkID,
        into outputs: inout [RelayOutput],
        _ body: (inout RelayedLink, Instant, inout [RelayOutput]) -> Void
    ) {
        // What still comes of a link that is over is nobody's.
        guard let place = links.place(of: id) else { return }
        let now = clock
        lines.lent(to: &links[place]) { body(&$0, now, &outputs) }
        emitHits(of: place, into: &outputs)
        links.removeIfOver(place)
    }

    // MARK: - Time

    private mutating func advance(to now: Instant, into outputs: inout [RelayOutput]) {
        while let due = nextDeadline, due <= now {
            clock = max(clock, due)
            for place in links.indices {
                guard let deadline = links[place].nextDeadline, deadline <= due else { continue }
                lines.lent(to: &links[place]) { $0.advance(to: due, into: &outputs) }
                emitHits(of: place, into: &outputs)
            }
            links.removeOver()
            heal(into: &outputs) { ($0.ends ?? .never) <= due }
            for place in faults.indices where (faults[place].turns ?? .never) <= due { turn(place, into: &outputs) }
            findDeadline()
        }
    }

    private mutating func findDeadline() {
        guard hasDelayed || !faults.isEmpty else { return }
        var next = Instant.never
        for place in links.indices { next = min(next, links[place].nextDeadline ?? .never) }
        for fault in faults { next = min(next, fault.nextDeadline) }
        nextDeadline = next == .never ? nil : next
        hasDelayed = nextDeadline != nil
    }

    // MARK: - Links

    private mutating func accept(_ id: LinkID, into outputs: inout [RelayOutput]) {
        guard links.place(of: id) == nil else { return }
        let client = id.client
        let fields: JSON = ["link": .integer(Int64(id.number))]
        outputs.append(.observe(.happened("network.accepted", fields, by: .injected), client: client))
        var link = RelayedLink(id, .nobody)
        if followsStreams { link.followStreams() }
        if refusesExtensions { link.refuseExtensions() }
        for fault in faults where fault.hits(client) && fault.behaviour?.followsNew == true { attach(fault, to: &link) }
        // A connection can have slipped in before the door closed.
        switch acceptMode(for: client) {
        case .dropping: link.applyImmediately(.lose(.both), at: clock, into: &outputs)
        case .refusing: link.applyImmediately(.reset, at: clock, into: &outputs)
        case .open: acceptOutcome(&link, into: &outputs)
        }
        link.settle(into: &outputs)
        link.isFresh = false
        emit(link.takeHits(), into: &outputs)
        if !link.isOver { _ = links.append(link) }
    }

    private func acceptOutcome(_ link: inout RelayedLink, into outputs: inout [RelayOutput]) {
        var (acceptOutcome, number) = (AcceptOutcome.serve, 0)
        for fault in faults where fault.hits(link.id.client) {
            guard let other = fault.behaviour?.acceptOutcome, other.rank > acceptOutcome.rank else { continue }
            (acceptOutcome, number) = (other, fault.number)
        }
        link.follow(acceptOutcome, of: number, at: clock, into: &outputs)
    }

    /// Puts what a fault does to bytes, and its closing, on a link, if chance so has it.
    private func attach(_ fault: ActiveFault, to link: inout RelayedLink) {
        guard let behaviour = fault.behaviour else { return }
        let use = "\(fault.chance).\(link.id.number)"
        var toxicity = seed.stream("\(use).toxicity", for: link.id.client)
        guard toxicity.chance(fault.fault.toxicity) else { return }
        link.attach(fault.number, behaviour, seed, use, at: clock)
    }

    // MARK: - Faults

    private mutating func begin(
        _ fault: Fault,
        _ label: String?,
        _ clients: [ClientID]?,
        into outputs: inout [RelayOutput]
    ) {
        let label = label ?? freeLabel(fault.verb)
        if let place = faults.firstIndex(where: { $0.label == label }) {
            if faults[place].canTakeOn(fault, clients) {
                adjust(place, to: fault, into: &outputs)
                return
            }
            heal(into: &outputs) { $0.label == label }
        }
        faultCount += 1
        let before = begun[label, default: 0]
        begun[label] = before + 1
        let active = ActiveFault(fault, number: faultCount, label: label, before: before, clients: clients, at: clock)
        outputs.append(active.event("fault.began"))
        faults.append(active)
        lines.began(active)
        emitAcceptModes(into: &outputs)
        for place in links.indices where active.hits(links[place].id.client) {
            applyImmediately(active, place, into: &outputs)
            attach(active, to: &links[place])
            // A closing can be due at once.
            links[place].advance(to: clock, into: &outputs)
            emitHits(of: place, into: &outputs)
        }
        links.removeOver()
        let now = clock
        heal(into: &outputs) { ($0.ends ?? .never) <= now }
    }

    private mutating func applyImmediately(_ fault: ActiveFault, _ place: Int, into outputs: inout [RelayOutput]) {
        guard let applyImmediately = fault.behaviour?.applyImmediately else { return }
        let before = outputs.count
        links[place].applyImmediately(applyImmediately, at: clock, into: &outputs)
        if outputs.count > before { links[place].hits.append(fault.number) }
    }

    /// Tells of faults, each once, that they have met what they are for.
    private mutating func emitHits(of link: Int, into outputs: inout [RelayOutput]) {
        guard !links[link].hits.isEmpty else { return }
        emit(links[link].takeHits(), into: &outputs)
    }

    private mutating func emit(_ hits: [Int], into outputs: inout [RelayOutput]) {
        for number in hits {
            guard let place = faults.firstIndex(where: { $0.number == number }), !faults[place].hasHit else { continue }
            faults[place].hasHit = true
            if faults[place].fault.target != nil { outputs.append(faults[place].event("fault.hit")) }
        }
    }

    private mutating func adjust(_ place: Int, to fault: Fault, into outputs: inout [RelayOutput]) {
        outputs.append(faults[place].event("fault.ended"))
        faults[place].takeOn(fault, at: clock)
        let active = faults[place]
        outputs.append(active.event("fault.began"))
        let now = clock
        for place in links.indices {
            lines.lent(to: &links[place]) { $0.adjust(active.number, to: fault.kind, at: now, into: &outputs) }
            emitHits(of: place, into: &outputs)
        }
        links.removeOver()
    }

    private mutating func heal(into outputs: inout [RelayOutput], where isMeant: (ActiveFault) -> Bool) {
        while let place = faults.firstIndex(where: isMeant) {
            let fault = faults.remove(at: place)
            outputs.append(fault.event("fault.ended"))
            emitAcceptModes(into: &outputs)
            lines.ended(fault.number)
            let now = clock
            for place in links.indices {
                lines.lent(to: &links[place]) { $0.detach(fault.number, at: now, into: &outputs) }
                // What it held may have met another fault on its way.
                emitHits(of: place, into: &outputs)
            }
            links.removeOver()
        }
    }

    private mutating func turn(_ place: Int, into outputs: inout [RelayOutput]) {
        faults[place].turn()
        let fault = faults[place]
        outputs.append(fault.event("fault.turned", [JSONMember("down", .bool(fault.isDown))]))
        emitAcceptModes(into: &outputs)
        for place in links.indices where fault.hits(links[place].id.client) {
            applyImmediately(fault, place, into: &outputs)
        }
        links.removeOver()
    }

    private mutating func logIn(_ client: ClientID, into outputs: inout [RelayOutput]) {
        for place in faults.indices where faults[place].hits(client) {
            guard case .captivePortal(let portal) = faults[place].fault.kind, portal.untilLogin else { continue }
            faults[place].released.append(client)
            outputs.append(faults[place].event("fault.lifted", for: client))
        }
        let clients = clients
        heal(into: &outputs) { fault in
            !fault.released.isEmpty && !(fault.clients ?? clients).contains(where: fault.hits)
        }
        emitAcceptModes(into: &outputs)
    }

    /// The verb, or the verb and the first free number from 2.
    private func freeLabel(_ verb: String) -> String {
        func isFree(_ label: String) -> Bool { !faults.contains { $0.label == label } }
        guard !isFree(verb) else { return verb }
        var number = 2
        while !isFree("\(verb)-\(number)") { number += 1 }
        return "\(verb)-\(number)"
    }

    // MARK: - Doors

    /// The strictest that anything wants.
    ///
    /// A server that does not listen refuses, unless the network answers in its place.
    private func acceptMode(for client: ClientID) -> AcceptMode {
        var acceptMode = AcceptMode.open
        var needsServer = true
        for fault in faults where fault.hits(client) {
            guard let behaviour = fault.behaviour else { continue }
            acceptMode = max(acceptMode, behaviour.acceptMode)
            if behaviour.standsIn { needsServer = false }
        }
        return max(acceptMode, needsServer && !serverListens ? .refusing : .open)
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
        Handshake.worst(faults.lazy.filter { $0.hits(client) }.compactMap { $0.behaviour?.handshake })
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
