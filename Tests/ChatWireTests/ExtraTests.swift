import ChatWire
import SquallCore
import Testing

/// Tests optional fields and routes. They are ignored if the server uses their names for something else.
@Suite struct ExtraTests {
    private static let wire = WireProfile()

    private static func read(_ text: String) -> Decoded<ServerFrame> { ServerFrame.decode(text, wire) }

    @Test("A user_id of the wrong JSON type in connected is ignored") func anotherKindOfUserIDIsIgnored() {
        let frame = #"{"type":"connected","session_id":"s","resumed":false,"last_seq":0,"user_id":7}"#
        #expect(Self.read(frame) == .frame(.connected(.init(session: "s", resumed: false, lastSequence: 0))))
    }

    @Test("Optional fields of the wrong JSON type in presence are ignored") func presenceIsReadWhateverElseItSays() {
        let frame =
            #"{"type":"presence","user_id":"a","status":"idle","since":"long ago","status_text":[],"timestamp":5,"text":1}"#
        #expect(Self.read(frame) == .frame(.presence(user: "a", status: .idle, lastSeen: nil)))
    }

    @Test("Optional fields of the wrong JSON type in a message are ignored") func aMessageIsReadWhateverElseItSays() {
        let message =
            #""message_id":"m","conversation_id":"c","sender_id":"s","seq":1,"timestamp":"2026-01-01T00:00:00.000Z","text":"t""#
        let extras =
            #""media_type":3,"media_url":4,"media_metadata":{"width":"wide"},"is_deleted":0,"deleted_at":false"#
        #expect(
            Self.read("{\"type\":\"message\",\(message),\(extras)}") == Self.read("{\"type\":\"message\",\(message)}")
        )
        guard
            case .frame(.message(let image)) = Self.read(
                "{\"type\":\"message\",\(message),\"media_type\":\"image\",\"media_metadata\":{\"width\":\"wide\"}}"
            )
        else {
            Issue.record("no message")
            return
        }
        #expect(image.media == MessageMedia(type: "image"))
    }

    @Test("Optional fields of the wrong JSON type in an HTTP response body are ignored")
    func answersAreReadWhateverElseTheySay() throws {
        let count = #"{"conversation_id":"c","unread":2,"seq":"nine"}"#
        #expect(try UnreadCount.decode(Array(count.utf8), Self.wire) == UnreadCount(conversation: "c", unread: 2))
        let agent =
            #"{"user_id":"u","conversation_id":"c","name":"n","status":"online","about":{},"status_text":1,"text":2}"#
        #expect(
            try Agent.decode(Array(agent.utf8), Self.wire)
                == Agent(user: "u", conversation: "c", name: "n", status: .online)
        )
        let receipt = #"{"received":5,"complete":true,"media_url":null,"thumbnail_url":6}"#
        #expect(
            try UploadReceipt.decode(Array(receipt.utf8), Self.wire) == UploadReceipt(received: 5, isComplete: true)
        )
    }

    @Test("A field may be renamed to the default name of another optional field")
    func namesThatPresenceHadBeforeMayBeGivenToOthers() {
        var wire = WireProfile()
        wire[.lastSeen] = "timestamp"
        #expect(wire.problems.isEmpty)
    }

    @Test("An optional route may overlap a required route, but not another optional route")
    func aRouteThatIsExtraGivesWay() throws {
        var wire = WireProfile()
        let unread = try #require(WireProfile.fields.first { $0.name == "wire.path.unread" })
        unread.set(&wire, .text("/conversations/unread"))
        #expect(wire.problems.isEmpty)
        #expect(ChatRoute.parse(method: "GET", target: "/conversations/unread", wire) == .unread)
        #expect(ChatRoute.parse(method: "GET", target: "/conversations/stukov", wire) == .conversation("stukov"))
        // Optional routes must still be distinct from each other.
        let agents = try #require(WireProfile.fields.first { $0.name == "wire.path.agents" })
        agents.set(&wire, .text("/conversations/unread"))
        #expect(wire.problems == ["wire.path.unread matches requests of wire.path.agents"])
    }

    @Test("The name of an uploaded image survives encoding and decoding") func theNameOfAnImageIsReadAsItIsWritten() {
        let name = MediaName(conversation: "stukov", message: "m1", file: "a b.jpg")
        #expect(name.text == "messages/stukov/m1/a b.jpg")
        #expect(MediaName(name.text) == name)
        for text in ["messages/stukov/m1", "messages/stukov/m1/a/b", "messages//m1/a", "files/stukov/m1/a", ""] {
            #expect(MediaName(text) == nil)
        }
    }
}
