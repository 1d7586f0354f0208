package import SquallCore

/// A message from a client: one line of its standard output.
package enum AdapterMessage: Hashable, Sendable {
    /// The answer `init_ok`, which contains the client's capabilities.
    case ready(to: Int64, AdapterCapabilities)
    /// The answer `ok`: the command is done or accepted.
    case done(to: Int64, Completion)
    /// The answer `error`.
    case refused(to: Int64, AdapterRefusal)
    case event(AdapterEvent)
    /// A message type or an event from a later protocol version. The message is ignored and logged.
    case unknown(String)

    /// The content of an `ok` answer.
    package struct Completion: Hashable, Sendable {
        /// The client's ID for the message that it has accepted; nil for a command that sends no message.
        package var clientMessageID: String?
        /// In reply to `advance`: when the client's next timer is due, on the run's clock; nil if it has set no timer.
        package var nextTimer: Instant?

        package init(clientMessageID: String? = nil, nextTimer: Instant? = nil) {
            self.clientMessageID = clientMessageID
            self.nextTimer = nextTimer
        }
    }
}

extension AdapterMessage.Completion {
    /// Parses the fields of an `ok` answer.
    fileprivate init(_ json: JSON) throws(AdapterFailure.Kind) {
        var nextTimer: Instant?
        if let next = json["next"], !next.isNull {
            guard let due = next.intValue, due >= 0 else { throw .badField(message: "ok", field: "next") }
            nextTimer = Instant(nanoseconds: due)
        }
        self.init(clientMessageID: json["client_message_id"]?.stringValue, nextTimer: nextTimer)
    }
}

/// The content of an `error` answer: the reason why a client has not carried out a command.
package struct AdapterRefusal: Hashable, Sendable {
    /// The error code: `not_supported`, `rejected`, or a code that the client defines.
    package var code: String
    /// Whether the command was definitely not executed; if false, it may have been.
    package var isDefinite: Bool
    package var text: String

    package init(code: String, isDefinite: Bool, text: String) {
        self.code = code
        self.isDefinite = isDefinite
        self.text = text
    }
}

/// An event that a client reports.
package enum AdapterEvent: Hashable, Sendable {
    /// The connection's state has changed; the value is the client's own name for the new state.
    case state(String)
    /// A message has appeared in a conversation's list. `at` is the message's position, counted from 0; nil means the
    /// end of the list.
    case message(conversation: String, key: String, at: Int?)
    /// A message that the user sent has a new status.
    case status(key: String, String)
    /// An observable has a new value.
    case show(name: String, key: String?, JSON)
    /// A named event has occurred; the last associated value contains the event's fields.
    case did(name: String, key: String?, JSON)
    case log(String)
}

extension AdapterMessage {
    /// Parses a line without its line feed.
    ///
    /// - Throws: ``AdapterFailure/Kind`` if the line is not JSON, has neither type nor event, or lacks a required
    ///   field.
    package init(line: ArraySlice<UInt8>) throws(AdapterFailure.Kind) {
        let json: JSON
        do {
            json = try JSON.decode(line, limits: JSONLimits(depth: 16, size: line.count))
        } catch {
            throw .notJSON(line: AdapterFailure.excerpt(line), reason: error.message)
        }
        guard json.members != nil else {
            throw .notJSON(line: AdapterFailure.excerpt(line), reason: "not an object")
        }
        if let event = json["event"]?.stringValue {
            self = try Self.event(named: event, json)
            return
        }
        guard let type = json["type"]?.stringValue else { throw .missingType(line: AdapterFailure.excerpt(line)) }
        guard ["init_ok", "ok", "error"].contains(type) else {
            self = .unknown(type)
            return
        }
        guard let id = json["in_reply_to"]?.intValue else { throw .badField(message: type, field: "in_reply_to") }
        switch type {
        case "init_ok": self = .ready(to: id, try AdapterCapabilities(json))
        case "ok": self = .done(to: id, try Completion(json))
        default:
            guard let isDefinite = json["definite"]?.boolValue else {
                throw .badField(message: type, field: "definite")
            }
            let refusal = AdapterRefusal(
                code: json["code"]?.stringValue ?? "rejected",
                isDefinite: isDefinite,
                text: json["text"]?.stringValue ?? ""
            )
            self = .refused(to: id, refusal)
        }
    }

    private static func event(named name: String, _ json: JSON) throws(AdapterFailure.Kind) -> AdapterMessage {
        func text(_ field: String) throws(AdapterFailure.Kind) -> String {
            guard let text = json[field]?.stringValue else { throw .badField(message: name, field: field) }
            return text
        }
        switch name {
        case "state": return .event(.state(try text("value")))
        case "message":
            let key = json["client_message_id"]?.stringValue ?? json["id"]?.stringValue
            guard let key else { throw .badField(message: name, field: "id") }
            let at = json["at"]?.intValue.flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
            if at == nil, let given = json["at"], !given.isNull { throw .badField(message: name, field: "at") }
            return .event(.message(conversation: try text("conversation"), key: key, at: at))
        case "status": return .event(.status(key: try text("client_message_id"), try text("value")))
        case "show":
            return .event(.show(name: try text("name"), key: json["key"]?.stringValue, json["value"] ?? .null))
        case "did":
            let fields = json["fields"] ?? .object([])
            guard fields.members != nil else { throw .badField(message: name, field: "fields") }
            return .event(.did(name: try text("name"), key: json["key"]?.stringValue, fields))
        case "log": return .event(.log(try text("text")))
        default: return .unknown(name)
        }
    }
}
