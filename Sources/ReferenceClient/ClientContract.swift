package import ChatWire
package import Faults
package import SquallCore

/// An input of a client.
///
/// Handling one input to its end is one step.
package enum ClientInput: Hashable, Sendable {
    // Indirect because commands are rare, and larger than the inputs of most steps.
    indirect case command(ClientCommand)
    /// The byte stream that ``ClientOutput/connect(_:)`` requested is open.
    case opened(ConnectionID)
    case connectFailed(ConnectionID, LinkFailure)
    case received(ConnectionID, [UInt8])
    /// The peer has ended the stream: ``LinkFailure/endOfStream`` or ``LinkFailure/reset``.
    case ended(ConnectionID, LinkFailure)
    case response(ExchangeID, ChatResponse)
    case requestFailed(ExchangeID, LinkFailure)
    /// The phone's transfer service has finished the requests of ``ClientOutput/transfer(_:_:)``, perhaps of an earlier
    /// process of the app.
    ///
    /// The response is the one to the last request, or to the first that was refused.
    case transferred(String, ChatResponse)
    /// The writes of ``ClientOutput/persist(_:_:)`` with this number are on disk.
    case persisted(Int)
    /// The disk has refused these writes, because it is full. None of them is on disk.
    case persistFailed(Int)
    /// The instant of ``Client/nextDeadline`` has come.
    case timer
}

extension ClientInput {
    /// The recipient of the input: results of the phone's own exchanges go to the phone, everything else to the app.
    package var owner: ExchangeID.Owner {
        switch self {
        case .response(let id, _), .requestFailed(let id, _): id.owner
        default: .app
        }
    }
}

/// An output of a client, carried out by its host.
package enum ClientOutput: Hashable, Sendable {
    case connect(ConnectionID)
    case write(ConnectionID, [UInt8])
    /// Ends a connection. The client ignores everything that still arrives on it.
    case end(ConnectionID, LinkEnd)
    // Indirect because requests are rare, and larger than the outputs of most steps.
    indirect case request(ExchangeID, ChatRequest)
    case cancel(ExchangeID)
    /// Hands requests to the phone's transfer service under a name; the service sends them one after the other, whether
    /// the app runs or not.
    case transfer(String, [ChatRequest])
    /// Writes to the store in order and atomically; ``ClientInput/persisted(_:)`` returns the number when they are on
    /// disk.
    case persist(Int, [StoreWrite])
    case observe(Observation)
    /// A request to the phone itself.
    indirect case phone(PhoneRequest)
    /// Ends the process, as a trap would, with the reason. Always the last output; only a defect emits it.
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

/// The content of a client's store at its start, by ascending key.
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
        // Not a conditional expression with `nil`: `JSON` is expressible by a nil literal, which would mean its own
        // null.
        guard place < entries.endIndex, entries[place].key == key else { return Optional.none }
        return entries[place].value
    }

    /// The index at which the key is or would be inserted.
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
