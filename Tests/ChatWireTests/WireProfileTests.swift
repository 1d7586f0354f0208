import ChatWire
import SquallCore
import Testing
import WebSocketWire

@Suite struct WireProfileTests {
    @Test("Every string in the wire profile is distinct") func everyValueHasOneName() {
        let names = WireProfile.fields.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count == 4 + RouteKind.allCases.count + FrameRole.allCases.count + WireField.allCases.count)
        for name in ["wire.type.send", "wire.field.conversation_id", "wire.path.ws", "wire.path.mark_read"] {
            #expect(names.contains(name))
        }
    }

    @Test("Setting a value by name changes that value and no other") func everyValueCanBeSetAndRead() {
        for field in WireProfile.fields {
            let new: ArgumentValue =
                switch field.kind {
                case .integer: .integer(9)
                case .word(let words): .text(words.last ?? "")
                default: .text("/new")
                }
            var wire = WireProfile()
            #expect(field.get(wire) != new)
            field.set(&wire, new)
            #expect(field.get(wire) == new)
            #expect(wire != WireProfile())
            for other in WireProfile.fields where other.name != field.name {
                #expect(other.get(wire) == other.get(WireProfile()))
            }
        }
    }

    @Test("Setting a value of the wrong type changes nothing") func aValueOfAnotherKindIsIgnored() {
        for field in WireProfile.fields {
            var wire = WireProfile()
            field.set(&wire, .flag(true))
            #expect(wire == WireProfile())
        }
        var wire = WireProfile()
        WireProfile.fields.first { $0.name == "wire.timestamps" }?.set(&wire, .text("sundial"))
        #expect(wire == WireProfile())
    }

    @Test("A renamed type or field is used for both encoding and decoding") func renamingAppliesAtOnce() {
        var wire = WireProfile()
        wire[type: .send] = "prompt"
        wire[.conversationID] = "chat"
        let frame = ClientFrame.send(.init(clientMessageID: nil, conversation: "a", text: "b"))
        #expect(String(decoding: frame.encode(wire), as: UTF8.self) == #"{"type":"prompt","chat":"a","text":"b"}"#)
        #expect(ClientFrame.decode(frame.encode(wire), wire) == .frame(frame))
        #expect(ClientFrame.decode(frame.encode(WireProfile()), wire) == .unknownType("send"))
        wire[type: .send] = "send"
        wire[.conversationID] = "conversation_id"
        #expect(wire == WireProfile())
        #expect(wire.hashValue == WireProfile().hashValue)
    }

    @Test("A valid profile has no problems", arguments: Spelling.allCases)
    func usableProfilesHaveNoProblems(_ spelling: Spelling) {
        #expect(spelling.wire.problems == [])
    }

    @Test("Empty, repeated and malformed names and overlapping paths are reported as problems")
    func problemsAreNamed() {
        var wire = WireProfile()
        wire[type: .ping] = "send"
        wire[type: .confirm] = ""
        wire[.messageID] = "text"
        wire[.before] = "limit"
        wire[path: .upload] = "/uploads"
        wire[path: .health] = "health"
        wire[path: .unread] = "/agents"
        wire[path: .agents] = "/a b"
        wire.webSocketPath = "/conversations"
        #expect(
            wire.problems == [
                "wire.type.confirm is empty",
                "wire.type.send is \"send\", the same as wire.type.ping",
                "wire.field.text is \"text\", the same as wire.field.message_id",
                "wire.field.before is \"limit\", the same as wire.field.limit",
                "wire.path.health does not begin with a slash",
                "wire.path.agents contains a character that is not allowed in a path",
                "wire.path.upload must contain the segment {name} exactly once",
                "wire.path.conversations matches requests of wire.path.ws",
            ]
        )
        wire = WireProfile()
        wire[path: .unread] = "/agents"
        wire[path: .markRead] = "/conversations/{conversation}/messages"
        #expect(
            wire.problems == [
                "wire.path.unread matches requests of wire.path.agents",
                "wire.path.mark_read matches requests of wire.path.send",
            ]
        )
    }

    @Test("A field cannot have the same name as the type field") func aFieldNeverSharesTheTypesName() {
        var wire = WireProfile()
        wire[.apiKey] = "type"
        #expect(wire.problems == ["wire.field.api_key is \"type\", the same as wire.field.type"])
    }

    @Test("Every field belongs to a frame, an object or a query") func everyFieldIsUsed() {
        let used =
            FrameShape.all.flatMap(\.fields).map(\.field) + ObjectShape.all.flatMap(\.fields).map(\.field)
            + RouteKind.allCases.flatMap(\.query) + [.type]
        #expect(Set(used) == Set(WireField.allCases))
    }

    @Test("Every close code of the chat protocol is allowed on the wire") func closeCodesAreThoseOfWebSocket() {
        for code in ChatCloseCode.allCases {
            #expect(code.code.isAllowedOnWire)
            #expect(ChatCloseCode(code.code) == code)
        }
        #expect(ChatCloseCode(.abnormal) == nil)
    }
}
