import Faults

/// Network input from a foreign client, held back until the client has reported the observations that precede it.
///
/// Input may arrive before the client's report of what led to it. Input is therefore held until a pending `send` is
/// answered, because the answer contains the message's id, and, if the client supports `sync`, until a `sync` that was
/// sent after the input had arrived is answered.
struct HeldInput: Sendable {
    private var waiting: [RelayInput] = []
    /// The number of inputs, counted from the oldest, that the pending `sync` covers.
    private var covered = 0
    /// The number of inputs, counted from the oldest, that an answered `sync` covers.
    private var synced = 0
    /// The number of released inputs that have not been passed on yet.
    private var passing = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// Returns whether the next input was released and may therefore pass; if so, counts it as passed on.
    mutating func passes() -> Bool {
        guard passing > 0 else { return false }
        passing -= 1
        return true
    }

    mutating func hold(_ input: RelayInput) { waiting.append(input) }

    /// Records that a `sync` was sent, which covers all input that is held now.
    mutating func syncBegan() { covered = waiting.count }

    /// Records that the pending `sync` was answered.
    mutating func syncEnded() {
        synced = max(synced, covered)
        covered = 0
    }

    /// Whether some of the held input is not covered by any `sync`.
    var needsSync: Bool { waiting.count > max(covered, synced) }

    /// Releases the input that an answered `sync` covers.
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
