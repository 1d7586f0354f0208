import ChatWire
import Foundation
import ScenarioLanguage
import ScenarioModel
import Testing

/// Tests the profiles whose frames differ from those of the built-in protocol. For every frame role, the encoding is
/// compared byte by byte, in both directions.
///
/// `RECORD=1` writes the current transcripts to the text files. A missing file is written as well, and the test fails
/// so that the new file is reviewed.
@Suite struct FrameProfileTests {
    static let names = ["array-frames", "op-frames", "text-frames", "socket-io"]
    /// Profiles of existing protocols. Their encodings are also checked against those protocols' own libraries.
    static let presets = [
        "phoenix", "graphql-transport-ws", "centrifugo", "pusher", "signalr", "slack-socket-mode", "discord-gateway",
        "mqtt", "matrix",
    ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Frames").resolvingSymlinksInPath()

    private static let wrong: [String: [(FrameOrigin, String)]] = [
        "array-frames": [
            (.server, #"["2","99","chat:lobby","reply",{"status":"ok","response":{}}]"#),
            (.server, #"["2","3","link","reply",{"status":"ok"}]"#),
            (.server, #"["7",null,"room:stukov","new_message",{"id":"m-1","from":"a","seq":1,"at":1,"body":""}]"#),
            (.server, #"["2",null,"room:stukov","new_message",{"id":"m-1","from":"a","seq":"1","at":1,"body":""}]"#),
            (.server, #"["2",null,"room:stukov","new_message",{"id":"m-1","from":"a","at":1,"body":""}]"#),
            (.server, #"["2",null,"room:stukov","renamed",{}]"#),
            (.server, #"["2",null,"room:stukov"]"#),
            (.server, #"{"type":"hello"}"#),
            (.server, #"["2","#),
            (.client, #"["1","9","room:stukov","new_message",{"body":"of the wrong join"}]"#),
            (.client, #"["2",9,"room:stukov","new_message",{"body":"a number for a text"}]"#),
        ],
        "op-frames": [
            (.server, #"{"op":0,"s":1,"t":"NEVER_HEARD_OF","d":{}}"#),
            (.server, #"{"op":0,"s":"1","t":"READY","d":{"session_id":"s","newest":1}}"#),
            (.server, #"{"op":0,"s":1,"t":"READY","d":{"newest":1}}"#),
            (.server, #"{"op":0,"s":1,"t":"READY"}"#),
            (.server, #"{"op":99}"#),
            (.server, "[]"),
            (.client, #"{"op":1,"d":"five"}"#),
            (.client, #"{"op":21,"d":{"after":5}}"#),
        ],
        "text-frames": [
            (.server, "1"),
            (.server, "2probe"),
            (.server, "42"),
            (.server, #"42["renamed",1]"#),
            (.server, #"42["message",{"id":1}]"#),
            (.server, #"43999[{"id":"m-1","seq":1,"ts":1,"duplicate":false}]"#),
            (.server, #"43[{"id":"m-1","seq":1,"ts":1,"duplicate":false}]"#),
            (.server, #"42["message""#),
            (.client, "2"),
            (.client, #"42x["message",{}]"#),
            (.client, ""),
        ],
    ]

    /// The fields that a profile's frames cannot represent.
    private static let lost: [String: Set<String>] = [
        "array-frames": ["client ping: id"],
        "op-frames": [
            "client ping: id", "server pong: id", "server hello: version", "server auth_error: message",
        ],
        "text-frames": ["client pong: id", "server ping: id"],
        "socket-io": ["client pong: id", "server ping: id", "server hello: version"],
        "phoenix": ["client ping: id"],
        "centrifugo": ["client pong: id", "server ping: id"],
        "pusher": ["client ping: id", "server pong: id", "server hello: version", "server draining: retry_after_ms"],
        "signalr": [
            "client pong: id", "server ping: id", "server error: code", "server error: retry_after_ms",
            "server draining: retry_after_ms",
        ],
        "slack-socket-mode": ["server draining: message", "server draining: retry_after_ms"],
        "discord-gateway": [
            "client ping: id", "server pong: id", "server hello: version", "server auth_error: message",
            "server message: client_message_id", "server draining: message",
            "server draining: retry_after_ms",
        ],
        "mqtt": [
            "client ping: id", "client message_ack: message_id", "server pong: id", "server auth_error: message",
            "server draining: retry_after_ms",
        ],
        "matrix": ["server error: client_message_id"],
        "graphql-transport-ws": ["client ping: id", "client pong: id", "server ping: id", "server pong: id"],
    ]

    private static func transcript(_ name: String) throws -> FrameTranscript {
        let profile = try #require(try ProfileReader.profile(named: name))
        #expect(profile.wire.frames != nil)
        var transcript = FrameTranscript(profile.wire)
        transcript.sayEverything()
        return transcript
    }

    @Test("The frames of a profile match the recorded bytes", arguments: names)
    func saysTheseBytes(_ name: String) throws {
        var transcript = try Self.transcript(name)
        for (origin, text) in Self.wrong[name] ?? [] { transcript.hear(text, from: origin) }
        let told = transcript.lines.joined(separator: "\n") + "\n"
        let baseline = Self.folder.appendingPathComponent("\(name).txt")
        let expected = try? String(contentsOf: baseline, encoding: .utf8)
        if ProcessInfo.processInfo.environment["RECORD"] == "1" || expected == nil {
            try told.write(to: baseline, atomically: true, encoding: .utf8)
            if expected == nil { Issue.record("recorded new baseline \(name).txt; look at it, and run again") }
            return
        }
        #expect(told == expected)
    }

    /// Compares each sent frame with the frame received; only the fields listed in `lost` may be missing.
    @Test("Every frame that a profile can express survives encoding and decoding", arguments: names + presets)
    func everyRoleComesBack(_ name: String) throws {
        let transcript = try Self.transcript(name)
        #expect(!transcript.lines.contains { $0.contains("read malformed") || $0.contains("read unknownType") })
        #expect(!transcript.lines.contains("  read as another frame"))
        #expect(Set(transcript.losses) == Self.lost[name])
    }

    @Test(
        "A truncated message is never decoded as the complete message, and a refusal has a reason",
        arguments: names + ["phoenix"]
    )
    func brokenMessagesAreRead(_ name: String) throws {
        let transcript = try Self.transcript(name)
        #expect(transcript.messages.count > 20)
        for (origin, text) in transcript.messages {
            switch origin {
            case .client:
                Self.breakEveryByte(of: text) { text in
                    var dialogue = WireDialogue()
                    return ClientFrame.decode(text, transcript.wire, in: &dialogue)
                }
            case .server:
                Self.breakEveryByte(of: text) { text in
                    var dialogue = WireDialogue()
                    return ServerFrame.decode(text, transcript.wire, in: &dialogue)
                }
            }
        }
    }

    /// Truncates a message after each byte in turn, alters each byte in turn, and checks the results.
    private static func breakEveryByte<Frame>(of text: String, _ decode: (String) -> Decoded<Frame>) {
        let (whole, bytes) = (decode(text), Array(text.utf8))
        for index in bytes.indices {
            let cut = decode(String(decoding: bytes[..<index], as: UTF8.self))
            if case .frame = whole { #expect(cut != whole, "\(text), cut at byte \(index)") }
            var changed = bytes
            changed[index] ^= 0x15
            for answer in [cut, decode(String(decoding: changed, as: UTF8.self))] {
                if case .malformed(let reason) = answer { #expect(!reason.isEmpty, "\(text), byte \(index)") }
            }
        }
    }

    @Test("Frame numbers continue in a client's next connection")
    func numbersOutliveAConnection() throws {
        let wire = try #require(try ProfileReader.profile(named: "op-frames")).wire
        var (client, server) = (WireDialogue(), WireDialogue())
        func write(_ frame: ServerFrame) throws -> String {
            String(decoding: try #require(frame.encode(wire, in: &server)), as: UTF8.self)
        }
        for number in 1...3 {
            let text = try write(.typing(conversation: "stukov", user: "stukov", active: true))
            #expect(text.contains(#""s":\#(number),"#))
            guard case .frame = ServerFrame.decode(text, wire, in: &client) else {
                Issue.record("\(text) is not read")
                return
            }
        }
        (client, server) = (client.successor, WireDialogue())
        let resume = try #require(ClientFrame.connect(.init(key: "k", session: "s-1")).encode(wire, in: &client))
        #expect(
            String(decoding: resume, as: UTF8.self) == #"{"op":6,"d":{"token":"k","session_id":"s-1","seq":3}}"#
        )
        _ = ClientFrame.decode(String(decoding: resume, as: UTF8.self), wire, in: &server)
        #expect(try write(.typing(conversation: "stukov", user: "stukov", active: true)).contains(#""s":4,"#))
    }

    /// Responses are matched to requests by reference alone, so they may arrive in any order.
    @Test("Responses in any order are matched with their requests by reference")
    func answersFindTheirQuestions() throws {
        for name in ["array-frames", "text-frames"] {
            let wire = try #require(try ProfileReader.profile(named: name)).wire
            var (client, server) = (WireDialogue(), WireDialogue())
            var open: [(String, WireDialogue.Reference)] = []
            for number in 1...300 {
                let frame = ClientFrame.send(.init(clientMessageID: "c-\(number)", conversation: "x", text: ""))
                let bytes = try #require(frame.encode(wire, in: &client))
                _ = ClientFrame.decode(String(decoding: bytes, as: UTF8.self), wire, in: &server)
                open.append(("c-\(number)", try #require(server.lastReference)))
            }
            for (id, reference) in open.reversed() {
                let confirmation = ServerFrame.Confirmation(
                    clientMessageID: id,
                    messageID: "m",
                    sequence: 1,
                    timestamp: 0,
                    duplicate: false
                )
                let bytes = try #require(
                    ServerFrame.confirm(confirmation).encode(wire, answering: reference, in: &server)
                )
                let read = ServerFrame.decode(String(decoding: bytes, as: UTF8.self), wire, in: &client)
                // The client keeps only the 256 most recent open requests.
                if open.firstIndex(where: { $0.0 == id }) ?? 0 >= 44 {
                    #expect(read == .frame(.confirm(confirmation)))
                } else {
                    guard case .malformed(let reason) = read else {
                        Issue.record("\(id) was read as \(read)")
                        continue
                    }
                    #expect(reason.contains("answers no request"))
                }
            }
        }
    }
}
