import ChatWire
import SquallCore

/// Decides which stored messages can be sent again: those within the limits, whichever is reached first
/// (catalogue C-5).
struct ReplayBuffer: Hashable, Sendable {
    /// What was stored up to this sequence has left the buffer for good.
    var floor: Int64 = 0

    /// What answers a `sync`: messages after a sequence, oldest first.
    func replay(
        after sequence: Int64,
        from store: MessageStore,
        under limits: ServerProfile.Replay,
        at now: Instant
    ) -> ServerFrame.Replay {
        let oldest = oldestHeld(in: store, under: limits, at: now)
        let first = max(sequence, oldest - 1)
        let missed =
            first < store.lastSequence ? store.entries[Int(max(first, 0))...].filter { !$0.isGone }.map(\.message) : []
        return ServerFrame.Replay(
            messages: missed,
            // Who has seen more than there is speaks of a past that this server has lost.
            complete: sequence >= oldest - 1 && sequence <= store.lastSequence,
            lastSequence: store.lastSequence
        )
    }

    /// What a session that is taken up again has not acknowledged.
    func replay(
        unacknowledged sequences: [Int64],
        from store: MessageStore,
        under limits: ServerProfile.Replay,
        at now: Instant
    ) -> ServerFrame.Replay {
        let oldest = oldestHeld(in: store, under: limits, at: now)
        let held = sequences.filter { $0 >= oldest }
        return ServerFrame.Replay(
            messages: held.compactMap(store.message(sequence:)),
            complete: held.count == sequences.count,
            lastSequence: store.lastSequence
        )
    }

    /// The lowest sequence in the buffer, one more than the newest where it is empty.
    func oldestHeld(in store: MessageStore, under limits: ServerProfile.Replay, at now: Instant) -> Int64 {
        let byCount = store.lastSequence - min(max(limits.maxCount, 0), store.lastSequence) + 1
        var oldest = store.lastSequence + 1
        while oldest > max(byCount, floor + 1), now - store.entries[Int(oldest) - 2].storedAt <= limits.maxAge {
            oldest -= 1
        }
        return oldest
    }
}
