import SquallCore

/// A kind of fault: how it is written, and what it does to the links of the clients that it hits.
///
/// Each kind is a value in a file of its own in `Kinds`. It answers every question that the relay, the proxy and the
/// scenarios ask about it; nothing outside of that file and the ``FaultCatalogue`` lists the kinds. Most of them do
/// only one of the things below, and leave the others at their defaults.
protocol LinkFault: Hashable, Sendable {
    /// Its verb, parameters and meaning.
    static var declaration: FaultDeclaration<Self> { get }

    // MARK: What it does

    /// How the listener treats new connections while the fault lasts.
    var acceptMode: AcceptMode { get }
    /// Whether the network answers new connections in the server's place, so that no server needs to listen.
    var answersForServer: Bool { get }
    /// What happens to a connection that is accepted while the fault lasts.
    var acceptOutcome: AcceptOutcome { get }
    /// The outcome of TLS handshakes of new connections while the fault lasts; nil if it does not affect them.
    var handshake: Handshake? { get }
    /// The effect on open connections when the fault begins.
    var immediateEffect: ImmediateEffect? { get }
    /// Whether a connection that is accepted while the fault lasts gets its shaper and its delayed end too.
    var followsNew: Bool { get }
    /// When and how the fault ends each connection, counted from whichever begins later, the fault or the connection.
    var delayedEnd: DelayedEnd? { get }
    /// The directions in which ``shaper(drawing:)`` and ``alter(_:drawing:)`` apply.
    var stream: Fault.Stream { get }
    /// What the fault does to the bytes of one direction of a connection; nil if it leaves them as they are.
    func shaper(drawing generator: SeededGenerator) -> (any Shaper)?
    /// Like ``shaper(drawing:)`` for a shaper that parses the stream: `tracker` is at the first byte that it gets,
    /// and is nil if that position is unknown.
    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)?
    /// Whether a shaper can take on other attributes of the same kind while bytes wait in it.
    var isAdjustable: Bool { get }
    /// What the fault does to one UDP datagram.
    func alter(_ datagram: inout Datagram, drawing generator: inout SeededGenerator)

    // MARK: How long it lasts

    /// How long the fault lasts, given the span of the scenario, if any; nil until it is healed, and zero if
    /// it is instantaneous.
    func duration(given: TimeSpan?) -> TimeSpan?
    /// The schedule of a fault that turns itself on and off; nil for one that lasts without a break.
    var outages: OutageSchedule? { get }
    /// Whether a portal login by a client's user ends the fault for that client.
    var endsAtLogin: Bool { get }

    // MARK: What must be known about it

    /// What must happen for the fault to have had an effect; nil for faults that are effective merely by lasting.
    static var target: FaultTarget? { get }
    /// What a client may do unseen by the relay while the fault lasts, in addition to what ``handshake`` hides.
    ///
    /// It has no default: an expectation about something that the fault hides would hold only because it is not seen.
    var hides: ClientVisibility { get }
    /// Whether the shapers of a client's connections share one line in each direction.
    var sharesLine: Bool { get }
    /// Whether the fault can act on an open connection only if that was followed from its first byte.
    var needsStreamTracking: Bool { get }
    /// Whether the fault reads WebSocket messages, so that new connections must not compress them.
    var readsMessages: Bool { get }
    /// The JSON `type` of the messages that the fault is for; nil if it is for messages of any type, or for none.
    var messageType: String? { get }
    /// Whether the fault affects only TLS handshakes and does nothing on a link without TLS.
    var isAboutHandshakes: Bool { get }
}

extension LinkFault {
    var acceptMode: AcceptMode { .open }
    var answersForServer: Bool { false }
    var acceptOutcome: AcceptOutcome { .serve }
    var handshake: Handshake? { nil }
    var immediateEffect: ImmediateEffect? { nil }
    var followsNew: Bool { true }
    var delayedEnd: DelayedEnd? { nil }
    var stream: Fault.Stream { .both }
    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? { nil }
    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)? {
        shaper(drawing: generator)
    }
    var isAdjustable: Bool { false }
    func alter(_ datagram: inout Datagram, drawing generator: inout SeededGenerator) {}

    func duration(given: TimeSpan?) -> TimeSpan? { given }
    var outages: OutageSchedule? { nil }
    var endsAtLogin: Bool { false }

    static var target: FaultTarget? { nil }
    var sharesLine: Bool { false }
    var needsStreamTracking: Bool { false }
    var readsMessages: Bool { false }
    var messageType: String? { nil }
    var isAboutHandshakes: Bool { false }
}

extension LinkFault {
    static var verb: String { declaration.verb }
    static var parameters: [FaultParameter] { declaration.parameters }
    /// The fault as an action of the network.
    static var action: ActionEntry { declaration.action { Fault(Fault.Kind($0)) } }

    static func read(_ arguments: Arguments) throws(UnfitArgument) -> Fault {
        try declaration.read(arguments) { Fault(Fault.Kind($0)) }
    }

    func isEqual(to other: any LinkFault) -> Bool {
        (other as? Self) == self
    }
}

/// The target of a fault. A fault that has not hit its target has changed nothing, and a run under it proves
/// nothing.
package enum FaultTarget: Hashable, Sendable, CaseIterable {
    /// An open connection.
    case connection
    /// A byte at a position in a connection.
    case byte
    /// A message that matches.
    case message
    /// A new connection, or its first request.
    case arrival
}

/// What happens to a connection that is accepted.
enum AcceptOutcome: Sendable {
    case serve
    /// Its first request is read, and perhaps answered in the server's place.
    case intercept(RequestInterceptor)
    case close(LinkEnd)

    /// If several faults apply to a connection, the outcome with the highest rank wins: that of the fault
    /// nearest to the client.
    var rank: Int {
        switch self {
        case .serve: 0
        case .intercept(let interceptor): interceptor.answersEverything ? 3 : 1
        case .close: 2
        }
    }
}

/// The immediate effect of a fault on a connection.
enum ImmediateEffect: Hashable, Sendable {
    /// These sides get a FIN behind the bytes in flight.
    case end([LinkSide])
    /// Both sides get an RST.
    case reset
    /// The bytes in flight in these directions are lost, and nothing passes afterwards.
    case lose(Fault.Stream)
    /// The connection ends for the server. The client is not notified; with `resets` it gets an RST once it writes
    /// again.
    case halfOpen(towardsServer: LinkEnd, resets: Bool)
}

/// The end of a connection some time after the fault or the connection began.
struct DelayedEnd: Hashable, Sendable {
    var after: TimeSpan
    var how: LinkEnd
}

/// A fault that alternates between outages and normal service, beginning with an outage.
struct OutageSchedule: Sendable {
    /// What happens during an outage.
    let outage: any LinkFault
    let up: TimeSpan
    let down: TimeSpan

    func length(isDown: Bool) -> TimeSpan { isDown ? down : up }
}

extension AcceptMode: Comparable {
    /// The stricter mode compares as greater.
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
