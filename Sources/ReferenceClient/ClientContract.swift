package import ChatWire
package import Faults
package import SquallCore

/// What reaches a client.
///
/// Handling one input to its end is one step.
package enum ClientInput: Hashable, Sendable {
    // Rare and larger than what comes at every step.
    indirect case command(ClientCommand)
    /// The byte stream asked for by ``ClientOutput/connect(_:)`` is there.
    case opened(ConnectionID)
    case connectFailed(ConnectionID, LinkFailure)
    case received(ConnectionID, [UInt8])
    /// The other side ended the stream: ``LinkFailure/endOfStream`` or ``LinkFailure/reset``.
    case ended(ConnectionID, LinkFailure)
    case response(ExchangeID, ChatResponse)
    case requestFailed(ExchangeID, LinkFailure)
    /// The phone's transfer service is done with what ``ClientOutput/transfer(_:_:)`` gave it, perhaps in an earlier life of
    /// the app: the answer to the last request, or to the first that was turned down.
    case transferred(String, ChatResponse)
    /// The writes of ``ClientOutput/persist(_:_:)`` are on disk.
    case persisted(Int)
    /// A deadline has come.
    case timer
}

extension ClientInput {
    /// Whose it is: what comes of the phone's own exchanges reaches the phone, and not the app.
    package var owner: ExchangeID.Owner {
        switch self {
        case .response(let id, _), .requestFailed(let id, _): id.owner
        default: .app
        }
    }
}

/// What a client wants done.
package enum ClientOutput: Hashable, Sendable {
    case connect(ConnectionID)
    case write(ConnectionID, [UInt8])
    /// The client is done with this connection: nothing of it reaches the client any more.
    case end(ConnectionID, LinkEnd)
    // Rare and larger than what comes at every step.
    indirect case request(ExchangeID, ChatRequest)
    case cancel(ExchangeID)
    /// For the phone's transfer service, under a name: requests to be carried out one after the other, whether the app runs
    /// or not.
    case transfer(String, [ChatRequest])
    /// Writes to be carried out in order and as one; the number comes back when they are done.
    case persist(Int, [StoreWrite])
    case observe(Observation)
    /// For the phone itself.
    indirect case phone(PhoneRequest)
    /// The process ends here, as after a trap; only a defect asks for it. The last output.
    case crashed(String)
}

/// One change of the client's store, which survives a kill.
package struct StoreWrite: Hashable, Sendable {
    package var key: String
    /// Nil removes the key.
    package var value: JSON?

    package init(key: String, value: JSON?) {
        self.key = key
        self.value = value
    }
}

/// All that a client finds in its store when it starts, by ascending key.
package struct StoreImage: Hashable, Sendable {
    package private(set) var entries: [Entry]

    package struct Entry: Hashable, Sendable {
        package var key: String
        package var value: JSON

        package init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    package init(_ entries: [Entry] = []) {
        self.entries = entries.sorted { $0.key < $1.key }
    }

    package subscript(key: String) -> JSON? {
        let place = place(of: key)
        // Not as one expression with `nil`, which JSON takes for its own null.
        guard place < entries.endIndex, entries[place].key == key else { return Optional.none }
        return entries[place].value
    }

    /// Where the key is or would be.
    private func place(of key: String) -> Int {
        var low = 0
        var high = entries.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package mutating func apply(_ write: StoreWrite) {
        let place = place(of: write.key)
        let present = place < entries.endIndex && entries[place].key == write.key
        switch (present, write.value) {
        case (true, let value?): entries[place].value = value
        case (true, nil): entries.remove(at: place)
        case (false, let value?): entries.insert(Entry(key: write.key, value: value), at: place)
        case (false, nil): break
        }
    }
}
