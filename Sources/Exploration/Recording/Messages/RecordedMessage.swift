import SquallCore
import Trace

/// A message that the profile does not define, or a WebSocket opening handshake, recorded by `squall record`.
struct RecordedMessage: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case opening
        case ofClient
        case ofServer
    }

    var kind: Kind
    /// The index of the message's event in the recording.
    var position: Int
    var time: Instant
    var client: ClientID?
    var link: Int64
    var content: JSON

    fileprivate init(_ kind: Kind, _ event: TraceEvent, link: Int64, _ content: JSON) {
        self.kind = kind
        position = event.index
        time = event.time
        client = event.client
        self.link = link
        self.content = content
    }

    /// Decodes an object or an array as JSON; returns any other text as a string.
    static func content(_ text: String) -> JSON {
        guard let json = try? JSON.decode(text) else { return .string(text) }
        return switch json {
        case .object, .array: json
        // A quoted string such as `"hello"` is treated as plain text, including its quotes.
        case .null, .bool, .integer, .number, .string: .string(text)
        }
    }
}

/// The messages in a recording that the profile does not define and that a scenario can include.
struct RecordedMessages: Sendable {
    /// The messages and opening handshakes, in recorded order.
    private(set) var all: [RecordedMessage] = []
    /// Notes for the user about which messages are omitted or changed, and why.
    private(set) var gaps: [String] = []

    /// The maximum number of messages, limited so that scenarios remain readable.
    private static let most = 400

    /// Creates the list. `concealer` contains the secrets already known; any secrets found in the messages are added to
    /// it.
    init(_ recording: Recording, hidingIn concealer: inout SecretConcealer) {
        var (later, binary, long, reserved) = (0, 0, 0, 0)
        for event in recording.events {
            guard let kind = Self.kind(of: event), let fields = event.fields, let link = fields["link"]?.intValue
            else { continue }
            guard kind != .opening else {
                all.append(RecordedMessage(kind, event, link: link, .null))
                continue
            }
            guard let text = fields["text"]?.stringValue else {
                if fields["kind"] == "binary" { binary += 1 } else { long += 1 }
                continue
            }
            guard !text.contains("${") else {
                reserved += 1
                continue
            }
            guard all.count < Self.most else {
                later += 1
                continue
            }
            let content = RecordedMessage.content(text)
            concealer.learn(content)
            all.append(RecordedMessage(kind, event, link: link, content))
        }
        for index in all.indices { all[index].content = concealer.conceal(all[index].content) }
        if binary > 0 { gaps.append("\(binary) binary message\(binary == 1 ? "" : "s")") }
        if long > 0 { gaps.append("\(long) message\(long == 1 ? "" : "s") of more than 16 KiB") }
        if reserved > 0 {
            gaps.append("\(reserved) message\(reserved == 1 ? "" : "s") with '${', which is reserved for values")
        }
        if later > 0 { gaps.append("\(later) message\(later == 1 ? "" : "s") after the first \(Self.most)") }
        if concealer.count > 0 {
            let (values, are) = concealer.count == 1 ? ("value", "is") : ("values", "are")
            gaps.append(
                "\(concealer.count) \(values) that \(are == "is" ? "looks like a secret" : "look like secrets"): "
                    + "'secret:…' in \(concealer.count == 1 ? "its" : "their") place"
            )
        }
    }

    private static func kind(of event: TraceEvent) -> RecordedMessage.Kind? {
        switch event.name {
        case "server.received.text": .ofClient
        case "server.said": .ofServer
        case "server.answered.ws" where event.fields?["status"] == 101: .opening
        default: nil
        }
    }
}
