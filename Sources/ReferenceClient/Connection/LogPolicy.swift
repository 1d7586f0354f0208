/// Which details the client records in its events.
package struct LogPolicy: Hashable, Sendable {
    /// Whether the client's events record why a connection or an attempt has ended.
    package enum Failures: Hashable, Sendable { case areRecorded, areNot }

    package var failures = Failures.areRecorded

    static let defects: [Defect] = [
        Defect(
            "unloggedFailure",
            ["WS-35"],
            "the event of a lost connection does not contain the reason",
            policy: { $0.log.failures = .areNot }
        )
    ]

    /// Returns the failure to record; nil if failures are not recorded.
    func record(of failure: Failure) -> Failure? { failures == .areRecorded ? failure : nil }
}
