/// How the client reacts to a disk that refuses its writes.
package struct DiskPolicy: Hashable, Sendable {
    package enum Refusal: Hashable, Sendable { case isRetried, isIgnored }

    package var refusal = Refusal.isRetried

    static let defects: [Defect] = [
        Defect(
            "writeErrorsIgnored",
            ["WS-4d", "WS-25"],
            "what the disk refuses to store counts as stored, so that it is acknowledged, and lost with a kill",
            policy: { $0.disk.refusal = .isIgnored }
        )
    ]
}
