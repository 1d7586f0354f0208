import Faults

/// Network input from a foreign client (a client that is not Squall's own), held back until the client has reported the
/// actions that caused it.
///
/// The network may deliver input before the client reports what caused it. Input is therefore held until every pending
/// `send` has been answered, because the answer contains the message's id. If the client supports `sync`, input is also
/// held until the client has answered a `sync` sent after the input arrived.
struct HeldInput: Sendable {
    private var waiting: [RelayInput] = []
    /// The number of inputs, counted from the oldest, that are covered by the pending `sync`.
    private var covered = 0
    /// The number of inputs, counted from the oldest, that are covered by a `sync` that has been answered.
    private var synced = 0
    /// The number of inputs that have been released but not yet passed on.
    private var passing = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// Returns whether the next input has already been released and can be passed on; if so, counts it as passed on.
    mutating func passes() -> Bool {
        guard passing > 0 else { return false }
        passing -= 1
        return true
    }

    mutating func hold(_ input: RelayInput) { waiting.append(input) }

    /// Records that a `sync` was sent. It covers all input that is held at this instant.
    mutating func syncBegan() { covered = waiting.count }

    /// Records that the pending `sync` was answered.
    mutating func syncEnded() {
        synced = max(synced, covered)
        covered = 0
    }

    /// Whether any held input is not yet covered by a `sync`.
    var needsSync: Bool { waiting.count > max(covered, synced) }

    /// Releases all input covered by a `sync` that has been answered.
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
