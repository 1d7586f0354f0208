import SquallCore
import Trace

/// `no_secret_in_address`: no credential is part of a URL, which servers and proxies write to their logs.
struct NoSecretInAddress: StandingInvariant {
    let interest = InvariantKinds(.serverRequested)
    private var record = FindingRecorder(until: "the server saw no request")
    private static let secrets: Set<String> = [
        "key", "api_key", "apikey", "auth", "authorization", "token", "access_token", "password", "secret",
    ]

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        guard let target = event.fields?["target"]?.stringValue else { return }
        record.recordCheck()
        guard let query = target.split(separator: "?", maxSplits: 1).dropFirst().first else { return }
        let names = query.split(separator: "&").compactMap { $0.split(separator: "=").first?.lowercased() }
        guard let secret = names.first(where: Self.secrets.contains) else { return }
        record.violate(
            "the address of the request at \(event.time) contains the parameter \(secret)",
            events: [event.index]
        )
    }
}
