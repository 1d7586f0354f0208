/// What the client keeps a record of.
package struct LogPolicy: Hashable, Sendable {
    /// Why a connection or an attempt ended.
    package enum Failures: Hashable, Sendable { case areRecorded, areNot }

    package var failures = Failures.areRecorded

    static let defects: [Defect] = [
        Defect(
            "unloggedFailure",
            ["WS-35"],
            "the record of a lost connection does not say why it was lost",
            policy: { $0.log.failures = .areNot }
        )
    ]

    /// As the record has it.
    func record(of failure: Failure) -> Failure? { failures == .areRecorded ? failure : nil }
}
