package import ChatWire
package import Faults
package import SquallCore

/// An input to a client.
///
/// The client handles each input completely before the next; handling one input is called a step.
package enum ClientInput: Hashable, Sendable {
    // The case is indirect because commands are rare and larger than most other inputs.
    indirect case command(ClientCommand)
    /// Reports that the byte stream requested by ``ClientOutput/connect(_:)`` is open.
    case opened(ConnectionID)
    case connectFailed(ConnectionID, LinkFailure)
    case received(ConnectionID, [UInt8])
    /// Reports that the peer has closed (``LinkFailure/endOfStream``) or reset (``LinkFailure/reset``) the stream.
    case ended(ConnectionID, LinkFailure)
    case response(ExchangeID, ChatResponse)
    case requestFailed(ExchangeID, LinkFailure)
    /// Reports that the phone's transfer service has finished a list of requests handed to it by
    /// ``ClientOutput/transfer(_:_:)``, possibly in an earlier process of the app.
    ///
    /// The response belongs to the last request, or to the first one that the server rejected.
    case transferred(String, ChatResponse)
    /// Reports that the writes emitted by ``ClientOutput/persist(_:_:)`` with this number are on disk.
    case persisted(Int)
    /// Reports that the writes with this number failed because the disk is full. None of the writes is on disk.
    case persistFailed(Int)
    /// Reports that the share extension has saved a message. It models a notification between the two processes.
    case sharedChanged
    /// Reports the messages that the share extension has left for the app, oldest first.
    case shared([SharedMessage])
    /// Reports that ``Client/nextDeadline`` has been reached.
    case timer
}

extension ClientInput {
    /// The recipient of the input: the phone for responses to the phone's own HTTP requests, the app for everything
    /// else.
    package var owner: ExchangeID.Owner {
        switch self {
        case .response(let id, _), .requestFailed(let id, _): id.owner
        default: .app
        }
    }
}

/// An output of a client, carried out by the program that hosts the client.
package enum ClientOutput: Hashable, Sendable {
    case connect(ConnectionID)
    case write(ConnectionID, [UInt8])
    /// Closes or resets a connection. The client ignores all input that still arrives on it.
    case end(ConnectionID, LinkEnd)
    // The case is indirect because requests are rare and larger than most other outputs.
    indirect case request(ExchangeID, ChatRequest)
    case cancel(ExchangeID)
    /// Hands a named list of requests to the phone's transfer service, which sends them one after another, even while
    /// the app is not running.
    case transfer(String, [ChatRequest])
    /// Writes to the store in order and atomically; ``ClientInput/persisted(_:)`` returns the same number once the
    /// writes are on disk.
    case persist(Int, [StoreWrite])
    case observe(Observation)
    /// A request to the phone itself.
    indirect case phone(PhoneRequest)
    /// Ends the process with the given reason, as a trap would. This is always the last output; only a planted defect
    /// emits it.
    case crashed(String)
}

/// One write to the client's store. The store is preserved when the process is killed.
package struct StoreWrite: Hashable, Sendable {
    package var key: String
    /// The new value; nil removes the key.
    package var value: JSON?

    package init(key: String, value: JSON?) {
        self.key = key
        self.value = value
    }
}

/// The content of a client's store at launch, in ascending key order.
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
        let index = index(of: key)
        // A conditional expression with `nil` would be wrong here: because `JSON` is expressible by a nil literal, it
        // would return a JSON null.
        guard index < entries.endIndex, entries[index].key == key else { return Optional.none }
        return entries[index].value
    }

    /// Returns the index of `key`, or the index at which it would be inserted.
    private func index(of key: String) -> Int {
        var low = 0
        var high = entries.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package mutating func apply(_ write: StoreWrite) {
        let index = index(of: write.key)
        let present = index < entries.endIndex && entries[index].key == write.key
        switch (present, write.value) {
        case (true, let value?): entries[index].value = value
        case (true, nil): entries.remove(at: index)
        case (false, let value?): entries.insert(Entry(key: write.key, value: value), at: index)
        case (false, nil): break
        }
    }
}
