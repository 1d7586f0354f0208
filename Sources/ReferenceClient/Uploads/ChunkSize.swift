import SquallCore

/// How much of a file goes at once: half of it where that fails again and again or takes long, twice of it where all goes
/// well.
struct ChunkSize {
    private let profile: ClientProfile.Upload
    private let policy: UploadPolicy.Chunks
    private(set) var bytes: Int64
    private var failures: Int64 = 0
    private var successes: Int64 = 0

    init(_ rules: Rules) {
        profile = rules.profile.upload
        policy = rules.policy.uploads.chunks
        bytes = profile.chunk
    }

    /// A chunk has arrived, and the answer has taken so long.
    mutating func passed(after span: TimeSpan) {
        failures = 0
        successes += 1
        if span > profile.slowLimit {
            change(to: bytes / 2)
        } else if successes >= profile.raiseAfter, span + span <= profile.slowLimit {
            change(to: bytes * 2)
        }
    }

    /// A chunk has not arrived, as far as is known.
    mutating func failed() {
        successes = 0
        failures += 1
        if failures >= profile.lowerAfter { change(to: bytes / 2) }
    }

    private mutating func change(to size: Int64) {
        failures = 0
        successes = 0
        guard policy == .adapt else { return }
        bytes = min(max(size, profile.chunkMin), max(profile.chunkMax, profile.chunkMin))
    }
}
