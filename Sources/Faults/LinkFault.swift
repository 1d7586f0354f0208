import SquallCore

/// What a kind of fault does to the links of the clients that it hits.
///
/// Most faults do one of these things.
protocol LinkFault: Hashable, Sendable {
    static var action: ActionEntry { get }
    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit)
    var kind: Fault.Kind { get }

    /// How long it lasts where the scenario gives this span, or none; nil is until healed, zero is over at once.
    func duration(given: TimeSpan?) -> TimeSpan?
    /// How it leaves the door to new connections.
    var acceptMode: AcceptMode { get }
    /// Whether it answers new connections in the server's place, and so needs none that listens.
    var standsIn: Bool { get }
    /// How the handshakes of new connections go while it lasts, where the link has TLS; nil: as they would.
    var handshake: Handshake? { get }
    /// What becomes of a connection that comes in while it lasts.
    var acceptOutcome: AcceptOutcome { get }
    /// What it does at once to the connections that are there when it begins.
    var applyImmediately: ImmediateEffect? { get }
    /// Whether a connection that comes in while it lasts gets its shaper and its closing too.
    var followsNew: Bool { get }
    /// What it does to the bytes of each connection in the directions of ``stream``.
    func shaper(drawing generator: SeededGenerator) -> (any Shaper)?
    /// The same for one that reads what the stream says: `tracker` stands where the bytes that it gets begin; nil where that
    /// is not known.
    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)?
    var stream: Fault.Stream { get }
    /// Whether the shaper of a connection can take on other attributes while bytes are under way.
    var isAdjustable: Bool { get }
    /// What it has to meet to be anything at all; nil for weather that lasts, and may pass over nobody.
    static var target: FaultTarget? { get }
    /// How and when it ends each connection: counted from its own beginning, or from the connection's if that is later.
    var closing: DelayedEnd? { get }
    /// What of a client's doings the relay may not get to see while it lasts, its ``handshake`` apart.
    ///
    /// Each kind says so itself: what is judged under one that hides something would pass for want of being seen.
    var hides: ClientVisibility { get }
}

extension LinkFault {
    func duration(given: TimeSpan?) -> TimeSpan? { given }
    var acceptMode: AcceptMode { .open }
    var standsIn: Bool { false }
    var handshake: Handshake? { nil }
    var acceptOutcome: AcceptOutcome { .serve }
    var applyImmediately: ImmediateEffect? { nil }
    var followsNew: Bool { true }
    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? { nil }
    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)? {
        shaper(drawing: generator)
    }
    var stream: Fault.Stream { .both }
    var isAdjustable: Bool { false }
    static var target: FaultTarget? { nil }
    var closing: DelayedEnd? { nil }
}

/// What a fault is aimed at. One that has not met it has changed nothing, and what is judged under it proves nothing.
package enum FaultTarget: Hashable, Sendable, CaseIterable {
    /// A connection that is there.
    case connection
    /// A byte at a place in a connection.
    case byte
    /// A message that fits.
    case message
    /// A connection that comes in, or its first request.
    case arrival
}

/// What becomes of a connection that comes in.
enum AcceptOutcome: Sendable {
    case serve
    /// Its first request is looked at, and perhaps answered in the server's place.
    case screen(RequestInterceptor)
    case close(LinkEnd)

    /// Where several faults want something of a connection, the highest has it: what stands nearest to the client.
    var rank: Int {
        switch self {
        case .serve: 0
        case .screen(let screen): screen.isPortal ? 3 : 1
        case .close: 2
        }
    }
}

/// What befalls a connection at once.
enum ImmediateEffect: Hashable, Sendable {
    /// Ends in order towards these sides, behind what is under way.
    case end([LinkSide])
    /// Torn down on both sides.
    case reset
    /// What is under way in these directions is gone, and nothing passes ever again.
    case lose(Fault.Stream)
    /// Over for the server; the client learns nothing, or with `resets` at its next bytes.
    case halfOpen(towardsServer: LinkEnd, resets: Bool)
}

/// An end that comes to a connection after a while.
struct DelayedEnd: Hashable, Sendable {
    var after: TimeSpan
    var how: LinkEnd
}

extension AcceptMode: Comparable {
    /// The stricter door is the greater.
    package static func < (left: AcceptMode, right: AcceptMode) -> Bool {
        left.strictness < right.strictness
    }

    private var strictness: Int {
        switch self {
        case .open: 0
        case .refusing: 1
        case .dropping: 2
        }
    }
}
