/// How the client reacts to failed disk writes.
package struct DiskPolicy: Hashable, Sendable {
    package enum Refusal: Hashable, Sendable { case isRetried, isIgnored }

    package var refusal = Refusal.isRetried

    static let defects: [Defect] = [
        Defect(
            "writeErrorsIgnored",
            ["WS-4d", "WS-25"],
            "data whose write has failed counts as stored, so it is acknowledged, and then lost in a kill",
            policy: { $0.disk.refusal = .isIgnored }
        )
    ]
}
