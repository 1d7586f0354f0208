import SquallCore
import Trace

/// `trouble_is_told`: a client must show a banner if it is not connected or if a request made by its user has failed.
struct TroubleIsTold: StandingInvariant {
    let interest = Circumstances.kinds.union(InvariantKinds(.banner, .bannerDismissed, .otherEvent, .screen))
    private let isOwnClient: Bool
    private let limit: TimeSpan?
    private let displayDelay: TimeSpan
    private var record = FindingRecorder(until: "the client reports no banner, or was always connected")
    private var hasBanner = false
    private var banner: JSON = .null
    /// The instant since which the client has been disconnected, in the foreground, without a banner.
    private var silence: (since: Instant, event: Int)?
    /// A request that failed while the user was waiting for its result.
    private var failure: (time: Instant, event: Int, what: String)?
    /// The open conversation; `turned` is the instant at which it last changed.
    private var open: JSON = .null
    private var turned: Instant?
    private static let failures: Set<String> = ["reconnecting", "offline", "degraded", "unavailable", "auth_required"]

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        limit = settings.banner.map { $0 + tolerance.of($0) }
        displayDelay = settings.displayDelay
        isOwnClient = settings.isOwnClient
    }

    var finding: Finding { record.finding }

    var deadline: Instant? { silentUntil.or(sooner: failure.map { $0.time + displayDelay }) }

    private var silentUntil: Instant? { limit.flatMap { limit in silence.map { $0.since + limit } } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .banner:
            guard case .set(let value) = event.observation.change else { break }
            hasBanner = true
            banner = value
        case .otherEvent: follow(event)
        case .attemptFailed:
            // Status 511 and the 2xx statuses come from a captive portal; the server rejects upgrades with other
            // statuses.
            guard isOwnClient, let reason = event.fields?["failure"]?.stringValue,
                reason == "http_511" || reason.hasPrefix("http_2")
            else { break }
            record.violate(
                "client.attempt.failed at \(event.time) for \(reason), which is the answer of a captive portal",
                events: [event.index]
            )
        case .screen:
            guard event.name == "view.conversation", case .set(let value) = event.observation.change else { return }
            open = value
            turned = event.time
        case .started, .killed:
            banner = .null
            (failure, open, turned) = (nil, .null, nil)
        default: break
        }
        guard hasBanner, banner.isNull, circumstances.isRunning, !circumstances.isSuspended,
            !circumstances.isInBackground, let state = circumstances.state, Self.failures.contains(state)
        else { return silence = nil }
        if limit != nil { record.recordCheck() }
        if silence == nil || kind == .bannerDismissed { silence = (event.time, event.index) }
    }

    private mutating func follow(_ event: TraceEvent) {
        let hasFailed =
            switch event.name {
            case "client.refresh.ended", "client.history.ended": event.fields?["ok"] == false
            case "client.deep_link.failed": true
            default: false
            }
        if hasFailed { failure = (event.time, event.index, event.name) }
    }

    mutating func expire(_ circumstances: Circumstances) {
        if let failure, deadline == failure.time + displayDelay {
            self.failure = nil
            // A user who has opened another conversation is no longer waiting for the result of the request.
            guard hasBanner, !open.isNull, turned != failure.time, circumstances.isRunning, !circumstances.isSuspended,
                !circumstances.isInBackground
            else { return }
            record.recordCheck()
            guard banner.isNull else { return }
            return record.violate(
                "\(failure.what) reported a failure at \(failure.time), and no banner was shown",
                events: [failure.event]
            )
        }
        guard let found = silence, let limit else { return }
        silence = nil
        record.violate(
            "connection.state was \(circumstances.state ?? "unknown") and no banner was shown from \(found.since) to "
                + "\(found.since + limit)",
            by: found.since + limit,
            events: [found.event]
        )
    }
}
