import SquallCore
import Trace

/// `backoff_envelope`: backoff delays are within their bounds, no connection attempt begins before its delay has
/// passed, and the attempt count restarts only after a successful connection or an external event such as a user
/// action.
///
/// A client whose profile sets no bounds may choose its own delays, but may make only a limited number of attempts
/// within a period.
struct BackoffEnvelope: StandingInvariant {
    let interest = Circumstances.kinds.union(
        InvariantKinds(
            .backoffBegan,
            .backoffCancelled,
            .attemptBegan,
            .attemptFailed,
            .connected,
            .receivedDraining,
            .receivedError,
            .disconnected
        )
    )
    private let bounds: BackoffBounds?
    private let tolerance: Tolerance
    private var record: FindingRecorder
    /// The instant before which no attempt may begin, and the index of the event that announced the delay.
    private var waiting: (until: Instant, event: Int)?
    private var previous: (attempt: Int64, time: Instant, event: Int)?
    /// The instant at which the app last resumed. When it resumes, it handles requests made while it was suspended.
    private var woke: Instant?
    private var connectedSince: Int?
    /// The index of the event that ended the last connection or attempt, from which the next delay is measured.
    private var lastEnd: Int?
    /// A delay that the server has requested, which may replace the computed delay.
    private var asked: TimeSpan?
    /// The latest attempts since the last event that allowed an immediate attempt, oldest first. Used only for a client
    /// whose backoff bounds are not configured.
    private var attempts: [(time: Instant, event: Int)] = []
    /// The maximum number of attempts within a period, high enough to allow the rapid first attempts of a short
    /// backoff.
    private static let crowd = (attempts: 10, within: TimeSpan.seconds(10))
    private let isOwnClient: Bool
    private let maximumAttempts: Int64?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        bounds = settings.backoff
        isOwnClient = settings.isOwnClient
        maximumAttempts = settings.maximumAttempts
        self.tolerance = tolerance
        record = FindingRecorder(until: "the client never backed off")
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .backoffBegan: begin(event, circumstances)
        case .attemptBegan:
            crowd(event, circumstances)
            checkObservedDelay(event, circumstances)
            attempt(event)
        case .connected:
            connectedSince = event.index
            asked = nil
            waiting = nil
        case .receivedDraining, .receivedError:
            if let span = event.fields?["retry_after"]?.intValue { asked = TimeSpan(nanoseconds: max(span, 0)) }
        case .woke: woke = event.time
        case .started, .killed:
            previous = nil
            connectedSince = nil
            waiting = nil
            lastEnd = nil
            attempts = []
        case .disconnected, .attemptFailed:
            lastEnd = event.index
            if let span = event.fields?["retry_after"]?.intValue { asked = TimeSpan(nanoseconds: max(span, 0)) }
        default:
            // The client need not wait any longer: its backoff was cancelled, or an external event allows an immediate
            // attempt.
            if kind == .backoffCancelled || circumstances.lastConnectTrigger == event.index { waiting = nil }
        }
    }

    private mutating func begin(_ event: TraceEvent, _ circumstances: Circumstances) {
        guard let attempt = event.fields?["attempt"]?.intValue,
            let delay = event.fields?["delay"]?.intValue.map({ TimeSpan(nanoseconds: $0) })
        else { return }
        record.recordCheck()
        if let maximumAttempts, attempt > maximumAttempts {
            record.violate(
                "backoff for attempt \(attempt) at \(event.time); expected at most \(maximumAttempts) attempts",
                events: [event.index]
            )
        }
        if let bounds {
            checkDelay(delay, attempt, bounds, event)
            checkCount(attempt, bounds, event, circumstances)
        }
        previous = (attempt, event.time, event.index)
        connectedSince = nil
        waiting = (event.time + delay, event.index)
    }

    private mutating func checkDelay(
        _ delay: TimeSpan,
        _ attempt: Int64,
        _ bounds: BackoffBounds,
        _ event: TraceEvent
    ) {
        var range = bounds.range(for: attempt)
        if let asked {
            range = bounds.range(range, orAfter: asked)
        }
        checkSpread(delay, attempt, bounds, event)
        guard !range.contains(delay) else { return }
        let allowed =
            range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        record.violate(
            "backoff of \(delay) for attempt \(attempt) at \(event.time); expected \(allowed)",
            events: [event.index]
        )
    }

    /// Checks that Squall's own client adds jitter to its delays: without jitter, all clients would reconnect at the
    /// same time.
    ///
    /// Third-party clients are not checked, because they may round their delays.
    private mutating func checkSpread(
        _ delay: TimeSpan,
        _ attempt: Int64,
        _ bounds: BackoffBounds,
        _ event: TraceEvent
    ) {
        let isNominal = delay == bounds.nominal(for: attempt)
        let lacksJitter = asked == nil && isNominal && bounds.jitter != .never
        let lacksSpread = delay == asked && delay > .zero && !isNominal && bounds.spread != .never
        guard isOwnClient, lacksJitter || lacksSpread else { return }
        record.violate(
            "backoff of \(delay) for attempt \(attempt) at \(event.time), which is not jittered, so that all clients "
                + "return at once",
            events: [event.index]
        )
    }

    private mutating func checkCount(
        _ attempt: Int64,
        _ bounds: BackoffBounds,
        _ event: TraceEvent,
        _ circumstances: Circumstances
    ) {
        guard let previous else { return }
        if attempt < previous.attempt, connectedSince == nil, circumstances.lastConnectTrigger < previous.event,
            previous.time != woke
        {
            record.violate(
                """
                the attempt count restarted at \(event.time) (\(attempt) after \(previous.attempt)) without a \
                successful attempt or a request
                """,
                events: [previous.event, event.index]
            )
        } else if let connectedSince, bounds.resetsWhenConnected, attempt > bounds.firstAttempt {
            record.violate(
                """
                the attempt count continued at \(event.time) (\(attempt) after \(previous.attempt)) although the \
                client had been connected; expected \(bounds.firstAttempt)
                """,
                events: [connectedSince, event.index]
            )
        }
    }

    /// Checks the backoff of a client that does not report its delays. The delay is measured on the network, from the
    /// end of the last connection to this attempt.
    private mutating func checkObservedDelay(_ event: TraceEvent, _ circumstances: Circumstances) {
        guard let bounds, event.observation.provenance == .observed, previous == nil,
            let after = event.fields?["after"]?.intValue, let number = event.fields?["number"]?.intValue
        else { return }
        // An external event, such as a user action, allows an immediate attempt.
        if let lastEnd, circumstances.lastConnectTrigger > lastEnd { return }
        record.recordCheck()
        var range = bounds.range(following: number)
        if let asked { range = bounds.range(range, orAfter: asked) }
        let delay = TimeSpan(nanoseconds: after)
        let longest = range.upperBound + tolerance.of(range.upperBound)
        // The upper bound applies only if nothing has prevented the client from connecting since the last connection
        // ended.
        let wasCalm = circumstances.undisturbedSince.map { $0 <= event.time - delay } ?? false
        guard delay + tolerance.of(range.lowerBound) < range.lowerBound || wasCalm && delay > longest else { return }
        let isOneValue = range.lowerBound == range.upperBound
        let expected = isOneValue ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        record.violate(
            """
            attempt \(number) began at \(event.time), \(delay.milliseconds) ms after the previous connection or \
            attempt ended; expected \(expected)
            """,
            events: [lastEnd ?? -1, event.index]
        )
    }

    /// Checks that a client without backoff bounds does not make too many attempts in a short time.
    private mutating func crowd(_ event: TraceEvent, _ circumstances: Circumstances) {
        guard bounds == nil else { return }
        record.recordCheck()
        if let last = attempts.last, circumstances.lastConnectTrigger > last.event { attempts = [] }
        attempts.append((event.time, event.index))
        guard attempts.count > Self.crowd.attempts else { return }
        let first = attempts.removeFirst()
        guard event.time - first.time + tolerance.of(Self.crowd.within) < Self.crowd.within else { return }
        record.violate(
            "\(Self.crowd.attempts + 1) attempts between \(first.time) and \(event.time); expected at most "
                + "\(Self.crowd.attempts) in \(Self.crowd.within)",
            events: [first.event, event.index]
        )
    }

    private mutating func attempt(_ event: TraceEvent) {
        defer { waiting = nil }
        guard let waiting, event.time + tolerance.of(.zero) < waiting.until else { return }
        record.violate(
            "client.attempt.began at \(event.time), although the backoff lasts until \(waiting.until)",
            events: [waiting.event, event.index]
        )
    }
}
