package import SquallCore

/// Something that a client has said, one line of its standard output.
package enum AdapterMessage: Hashable, Sendable {
    /// `init_ok`.
    case ready(to: Int64, ClientOffer)
    /// `ok`: done, or taken over.
    case done(to: Int64, Completion)
    /// `error`.
    case refused(to: Int64, AdapterRefusal)
    case event(AdapterEvent)
    /// A type or an event of a later version: left alone, and noted.
    case unknown(String)

    /// What may stand in an `ok`.
    package struct Completion: Hashable, Sendable {
        /// The id that the client has given a message: it has taken the message over.
        package var clientMessageID: String?

        package init(clientMessageID: String? = nil) {
            self.clientMessageID = clientMessageID
        }
    }
}

/// Why a client has not done what it was asked for.
package struct AdapterRefusal: Hashable, Sendable {
    /// `not_supported`, `rejected`, or a word of the client's own.
    package var code: String
    /// Whether it certainly was not done; otherwise it may have been.
    package var isDefinite: Bool
    package var text: String

    package init(code: String, isDefinite: Bool, text: String) {
        self.code = code
        self.isDefinite = isDefinite
        self.text = text
    }
}

/// Something that happened in a client.
package enum AdapterEvent: Hashable, Sendable {
    /// The connection's state, in the client's own word.
    case state(String)
    /// A message stands in a conversation's list; `at` counts from 0, and says the end where it is missing.
    case message(conversation: String, key: String, at: Int?)
    /// What became of a message of the user.
    case status(key: String, String)
    /// An observable has a new value.
    case show(name: String, key: String?, JSON)
    /// An event has happened.
    case did(name: String, key: String?, JSON)
    case log(String)
}

extension AdapterMessage {
    /// Reads a line without its line feed.
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
        guard let type = json["type"]?.stringValue else { throw .untyped(line: AdapterFailure.excerpt(line)) }
        guard ["init_ok", "ok", "error"].contains(type) else {
            self = .unknown(type)
            return
        }
        guard let id = json["in_reply_to"]?.intValue else { throw .badField(message: type, field: "in_reply_to") }
        switch type {
        case "init_ok": self = .ready(to: id, try ClientOffer(json))
        case "ok": self = .done(to: id, Completion(clientMessageID: json["client_message_id"]?.stringValue))
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
