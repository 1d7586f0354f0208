import ChatWire
import SquallCore

/// The stored messages that can be replayed: the newest ones within both the count limit and the age limit.
struct ReplayBuffer: Hashable, Sendable {
    /// The sequence number up to which no message can be replayed, regardless of the limits.
    var floor: Int64 = 0

    /// Returns the response to a `sync`: the messages after a sequence number, oldest first.
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
            // If the client's sequence number exceeds the newest one here, the client has messages that the server has
            // lost, so the replay is not complete.
            complete: sequence >= oldest - 1 && sequence <= store.lastSequence,
            lastSequence: store.lastSequence
        )
    }

    /// Returns the messages that a resumed session has not acknowledged.
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

    /// Returns the lowest sequence number in the buffer, or one more than the newest if the buffer is empty.
    func oldestHeld(in store: MessageStore, under limits: ServerProfile.Replay, at now: Instant) -> Int64 {
        let byCount = store.lastSequence - min(max(limits.maxCount, 0), store.lastSequence) + 1
        var oldest = store.lastSequence + 1
        while oldest > max(byCount, floor + 1), now - store.entries[Int(oldest) - 2].storedAt <= limits.maxAge {
            oldest -= 1
        }
        return oldest
    }
}
