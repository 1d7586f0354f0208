import SquallCore

/// A kind of fault: its declaration, and its effect on the links of the affected clients.
///
/// Each kind is a type in its own file in the folder `Kinds`, and provides everything that the relay, the proxy and the
/// scenarios need to know about it. Only that file and the ``FaultCatalogue`` mention the kind. Most kinds implement
/// only one or two of the effects below and use the defaults for the others.
protocol LinkFault: Hashable, Sendable {
    /// The verb, the parameters and the meaning of the fault.
    static var declaration: FaultDeclaration<Self> { get }

    // MARK: Effects

    /// How the listener treats new connections while the fault lasts.
    var acceptMode: AcceptMode { get }
    /// Whether the relay itself can answer new connections, so that they are accepted even if the server is not
    /// listening.
    var answersForServer: Bool { get }
    /// How the relay treats connections that are accepted while the fault lasts.
    var acceptOutcome: AcceptOutcome { get }
    /// The outcome of TLS handshakes of new connections while the fault lasts; nil if it does not affect them.
    var handshake: Handshake? { get }
    /// The effect on open connections when the fault begins.
    var immediateEffect: ImmediateEffect? { get }
    /// Whether the fault's shaper and delayed end also apply to connections that are accepted while the fault lasts.
    var appliesToNewConnections: Bool { get }
    /// How, and after how long, the fault ends each connection; nil if it ends no connection. The time is measured from
    /// the beginning of the fault or of the connection, whichever is later.
    var delayedEnd: DelayedEnd? { get }
    /// The directions in which ``shaper(drawing:)`` and ``alter(_:drawing:)`` apply.
    var stream: Fault.Stream { get }
    /// Creates the shaper that applies the fault to the bytes in one direction of a connection; returns nil if the
    /// fault does not affect them.
    func shaper(drawing generator: SeededGenerator) -> (any Shaper)?
    /// Creates a shaper that can parse the stream. `tracker` is positioned at the first byte that the shaper receives;
    /// it is nil if the stream has not been parsed up to that byte.
    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)?
    /// Whether the fault's attributes can change while its shaper has bytes in its queue.
    var isAdjustable: Bool { get }
    /// Applies the fault to one UDP datagram.
    func alter(_ datagram: inout Datagram, drawing generator: inout SeededGenerator)

    // MARK: Duration

    /// Returns how long the fault lasts, where `given` is the duration in the scenario. Nil means until the fault is
    /// healed; zero means that the fault is instantaneous.
    func duration(given: TimeSpan?) -> TimeSpan?
    /// The schedule of a fault that alternates between outages and normal service; nil for any other fault.
    var outages: OutageSchedule? { get }
    /// Whether the fault ends for a client when the client's user logs in at the portal.
    var endsAtLogin: Bool { get }

    // MARK: Further properties

    /// The target, such as an open connection, that the fault must hit to have an effect; nil if it needs no target.
    static var target: FaultTarget? { get }
    /// The client actions that the relay cannot observe while the fault lasts, in addition to those that ``handshake``
    /// hides.
    ///
    /// This property has no default, so every kind of fault must declare it. If a fault silently hid violations of an
    /// expectation, the expectation would wrongly pass.
    var hiddenActions: HiddenActions { get }
    /// Whether the shapers of a client's connections share one transmission line in each direction.
    var sharesLine: Bool { get }
    /// Whether the fault can act on a connection only if the relay has parsed that connection from its first byte.
    var needsStreamTracking: Bool { get }
    /// Whether the fault reads WebSocket messages, so that new connections must not compress them.
    var readsMessages: Bool { get }
    /// The JSON `type` of the messages that the fault selects; nil if it selects messages of any type, or does not
    /// select messages at all.
    var messageType: String? { get }
    /// Whether the fault affects only TLS handshakes, and so has no effect on a link without TLS.
    static var isAboutHandshakes: Bool { get }
}

extension LinkFault {
    var acceptMode: AcceptMode { .open }
    var answersForServer: Bool { false }
    var acceptOutcome: AcceptOutcome { .serve }
    var handshake: Handshake? { nil }
    var immediateEffect: ImmediateEffect? { nil }
    var appliesToNewConnections: Bool { true }
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
    static var isAboutHandshakes: Bool { false }
}

extension LinkFault {
    static var verb: String { declaration.verb }
    static var parameters: [FaultParameter] { declaration.parameters }
    /// The scenario action that begins the fault.
    static var action: ActionEntry { declaration.action { Fault(Fault.Kind($0)) } }

    static func read(_ arguments: Arguments) throws(InvalidArgument) -> Fault {
        try declaration.read(arguments) { Fault(Fault.Kind($0)) }
    }

    func isEqual(to other: any LinkFault) -> Bool {
        (other as? Self) == self
    }
}

/// The target that a fault must hit to have an effect. A run in which a fault does not hit its target proves nothing.
package enum FaultTarget: Hashable, Sendable, CaseIterable {
    /// An open connection.
    case connection
    /// A byte at a given offset in a connection's stream.
    case byte
    /// A message that matches the fault's filter.
    case message
    /// A new connection, or its first request.
    case arrival
}

/// How the relay treats an accepted connection.
enum AcceptOutcome: Sendable {
    case serve
    /// The relay reads the first request, and the interceptor can answer it in the server's place.
    case intercept(RequestInterceptor)
    case close(LinkEnd)

    /// The precedence of the outcome. If several faults apply to a connection, the outcome with the highest rank is
    /// used; in a tie, the oldest fault wins.
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
    /// The bytes in flight in the given directions are lost, and no more bytes pass.
    case lose(Fault.Stream)
    /// The connection ends for the server only. The client is not notified; if `resets` is true, it receives an RST the
    /// next time it writes.
    case halfOpen(towardsServer: LinkEnd, resets: Bool)
}

/// How a fault ends a connection, and after what delay. The delay is counted from the beginning of the fault or of the
/// connection, whichever is later.
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
    /// Orders the modes by strictness: the stricter mode compares as greater.
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
