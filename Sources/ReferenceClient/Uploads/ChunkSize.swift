import SquallCore

/// Adapts the size of a file's chunks: halves it after repeated failures or a slow response, and doubles it after a
/// series of fast successes.
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

    /// Whether the size has reached its minimum.
    var isSmallest: Bool { bytes <= max(profile.chunkMin, 1) }

    /// Counts a chunk that was confirmed `span` after it was sent.
    mutating func passed(after span: TimeSpan) {
        failures = 0
        successes += 1
        if span > profile.slowLimit {
            lower()
        } else if successes >= profile.raiseAfter, span + span <= profile.slowLimit {
            change(to: max(bytes * 2, profile.chunkMin))
        }
    }

    /// Counts a chunk whose arrival was not confirmed.
    mutating func failed() {
        successes = 0
        failures += 1
        if failures >= profile.lowerAfter { lower() }
    }

    /// Halves the size down to the minimum. If the profile's initial size is below the minimum, a failure does not
    /// raise it.
    private mutating func lower() { change(to: max(bytes / 2, min(bytes, profile.chunkMin))) }

    private mutating func change(to size: Int64) {
        failures = 0
        successes = 0
        guard policy == .adapt else { return }
        bytes = min(size, max(profile.chunkMax, profile.chunkMin))
    }
}
