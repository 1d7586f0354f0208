import Faults

/// Network input from a foreign client that is held back until the client has reported what belongs before it.
///
/// What a client sends may arrive before its report of what led to it. Input therefore waits for the answer to a send,
/// which names the message, and, for a client that takes `sync`, for the answer to a `sync` that was sent after the
/// input had arrived.
struct HeldInput: Sendable {
    private var waiting: [RelayInput] = []
    /// The number of inputs, from the oldest, that the `sync` in flight covers.
    private var covered = 0
    /// The number of inputs, from the oldest, that an answered `sync` covers.
    private var synced = 0
    /// The number of released inputs that are still to be passed on.
    private var passing = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether an input is one that was released; such an input is passed on.
    mutating func passes() -> Bool {
        guard passing > 0 else { return false }
        passing -= 1
        return true
    }

    mutating func hold(_ input: RelayInput) { waiting.append(input) }

    /// Handles that a `sync` is sent, which covers everything held now.
    mutating func syncBegan() { covered = waiting.count }

    /// Handles that the `sync` in flight is answered.
    mutating func syncEnded() {
        synced = max(synced, covered)
        covered = 0
    }

    /// Whether some input is held that no `sync` covers.
    var needsSync: Bool { waiting.count > max(covered, synced) }

    /// Releases what a `sync` has covered.
    mutating func releaseSynced() -> [RelayInput] { release(synced) }

    mutating func releaseAll() -> [RelayInput] { release(waiting.count) }

    private mutating func release(_ count: Int) -> [RelayInput] {
        defer {
            waiting.removeFirst(count)
            covered = max(0, covered - count)
            synced = max(0, synced - count)
            passing += count
        }
        return Array(waiting.prefix(count))
    }
}
