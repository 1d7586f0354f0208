import SquallCore

/// A kind of fault: its declaration, and its effect on the links of the clients that it affects.
///
/// Each kind is a type with a file of its own in `Kinds`, and provides everything that the relay, the proxy and the
/// scenarios need to know about it; only that file and the ``FaultCatalogue`` mention the kind. Most kinds implement
/// only one or two of the effects below and use the defaults for the others.
protocol LinkFault: Hashable, Sendable {
    /// The verb, the parameters and the meaning of the fault.
    static var declaration: FaultDeclaration<Self> { get }

    // MARK: Effects

    /// How the listener treats new connections while the fault lasts.
    var acceptMode: AcceptMode { get }
    /// Whether the network responds to new connections in the server's place, so that no server needs to listen.
    var answersForServer: Bool { get }
    /// The treatment of a connection that is accepted while the fault lasts.
    var acceptOutcome: AcceptOutcome { get }
    /// The outcome of TLS handshakes of new connections while the fault lasts; nil if it does not affect them.
    var handshake: Handshake? { get }
    /// The effect on open connections when the fault begins.
    var immediateEffect: ImmediateEffect? { get }
    /// Whether the fault's shaper and delayed end also apply to connections that are accepted while the fault lasts.
    var followsNew: Bool { get }
    /// When and how the fault ends each connection; the time counts from the beginning of the fault or of the
    /// connection, whichever is later.
    var delayedEnd: DelayedEnd? { get }
    /// The directions in which ``shaper(drawing:)`` and ``alter(_:drawing:)`` apply.
    var stream: Fault.Stream { get }
    /// Creates the shaper for the bytes of one direction of a connection; returns nil if the fault does not change
    /// them.
    func shaper(drawing generator: SeededGenerator) -> (any Shaper)?
    /// Creates a shaper that may parse the stream: `tracker` is at the first byte that the shaper receives, or nil if
    /// that position is unknown.
    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)?
    /// Whether a shaper can change to other attributes of the same kind while bytes are in its queue.
    var isAdjustable: Bool { get }
    /// Applies the fault to one UDP datagram.
    func alter(_ datagram: inout Datagram, drawing generator: inout SeededGenerator)

    // MARK: Duration

    /// Returns how long the fault lasts, given the duration in the scenario, if any; nil means until it is healed, and
    /// zero that the fault is instantaneous.
    func duration(given: TimeSpan?) -> TimeSpan?
    /// The schedule of a fault that alternates between outages and normal service; nil for all others.
    var outages: OutageSchedule? { get }
    /// Whether a portal login by a client's user ends the fault for that client.
    var endsAtLogin: Bool { get }

    // MARK: Further properties

    /// What must happen for the fault to have had an effect; nil for faults that have an effect by lasting.
    static var target: FaultTarget? { get }
    /// The actions of a client that the relay cannot observe while the fault lasts, in addition to what ``handshake``
    /// hides.
    ///
    /// This property has no default: an expectation could otherwise pass only because the fault hides what would
    /// violate it.
    var hides: ClientVisibility { get }
    /// Whether the shapers of a client's connections share one line in each direction.
    var sharesLine: Bool { get }
    /// Whether the fault can act on an open connection only if that has been parsed from its first byte.
    var needsStreamTracking: Bool { get }
    /// Whether the fault reads WebSocket messages, so that new connections must not compress them.
    var readsMessages: Bool { get }
    /// The JSON `type` of the messages that the fault selects; nil if it selects messages of any type, or none.
    var messageType: String? { get }
    /// Whether the fault affects only TLS handshakes, and has no effect on a link without TLS.
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

/// The target of a fault. A fault that has not hit its target has changed nothing, so a run with it proves nothing.
package enum FaultTarget: Hashable, Sendable, CaseIterable {
    /// An open connection.
    case connection
    /// A byte at a position in a connection.
    case byte
    /// A message that matches the fault's filter.
    case message
    /// A new connection, or its first request.
    case arrival
}

/// The treatment of a connection that has been accepted.
enum AcceptOutcome: Sendable {
    case serve
    /// The first request is read, and perhaps answered in the server's place.
    case intercept(RequestInterceptor)
    case close(LinkEnd)

    /// The precedence of the outcome: if several faults apply to a connection, the outcome with the highest rank wins,
    /// that of the fault nearest to the client.
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
    /// The given sides receive a FIN after the bytes in flight.
    case end([LinkSide])
    /// Both sides receive an RST.
    case reset
    /// The bytes in flight in the given directions are lost, and nothing passes afterwards.
    case lose(Fault.Stream)
    /// The connection ends for the server. The client is not notified; with `resets` it receives an RST the next time
    /// it writes.
    case halfOpen(towardsServer: LinkEnd, resets: Bool)
}

/// The end of a connection, a given time after the beginning of the fault or of the connection.
struct DelayedEnd: Hashable, Sendable {
    var after: TimeSpan
    var how: LinkEnd
}

/// The schedule of a fault that alternates between outages and normal service, beginning with an outage.
struct OutageSchedule: Sendable {
    /// The fault that applies during an outage.
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
