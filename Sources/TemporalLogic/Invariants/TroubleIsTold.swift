import SquallCore
import Trace

/// `trouble_is_told`: a client that is not connected says so in its banner.
struct TroubleIsTold: StandingInvariant {
    let interest = Circumstances.kinds.union(InvariantKinds(.banner, .bannerDismissed))
    private let limit: TimeSpan?
    private var record = Record(until: "the client reports no banner, or was always connected")
    private var hasBanner = false
    private var banner: JSON = .null
    /// Since when the client has been in trouble, in the foreground, and without a banner.
    private var silence: (since: Instant, event: Int)?
    private static let troubles: Set<String> = ["reconnecting", "offline", "degraded", "unavailable", "auth_required"]

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        limit = settings.banner.map { $0 + tolerance.of($0) }
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { limit.flatMap { limit in silence.map { $0.since + limit } } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        if kind == .banner, case .set(let value) = event.observation.change {
            hasBanner = true
            banner = value
        }
        if kind == .started || kind == .killed { banner = .null }
        guard hasBanner, banner.isNull, circumstances.isRunning, !circumstances.isSuspended,
            !circumstances.isInBackground, let state = circumstances.state, Self.troubles.contains(state)
        else { return silence = nil }
        if limit != nil { record.keep() }
        if silence == nil || kind == .bannerDismissed { silence = (event.time, event.index) }
    }

    mutating func expire(_ circumstances: Circumstances) {
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
