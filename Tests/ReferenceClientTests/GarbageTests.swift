import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing
import WebSocketWire

/// Tests that the client continues to work whatever the server sends.
@Suite struct GarbageTests {
    @Test("Unknown and malformed frames are reported and otherwise ignored")
    func unknownAndMalformedFramesAreIgnored() {
        var driver = Driver()
        driver.startConnected()
        for text in [#"{"type":"horoscope"}"#, "{}", "[]", "nonsense", #"{"type":7}"#, #"{"type":"message"}"#, ""] {
            driver.receive(text: text)
        }
        #expect(driver.events("client.unknown_frame") == [["type": "horoscope"]])
        #expect(driver.events("client.malformed_frame").count == 6)
        driver.receive(.message(message(1)))
        #expect(driver.list("conversation.messages[stukov]") == ["m1"])
        #expect(driver.state == "connected")
    }

    @Test("Invalid WebSocket frames end the connection with protocol_error")
    func brokenWebSocketEndsTheConnectionWithAReason() {
        for bytes in [[0xC1, 0x00], [0x81, 0x01, 0xFF], [0x81, 0x81, 0, 0, 0, 0, 0x20], [0x83, 0x00]] as [[UInt8]] {
            var driver = Driver()
            driver.startConnected()
            driver.receive(bytes: bytes)
            #expect(driver.text("connection.last_error") == "protocol_error", "\(bytes)")
            #expect(driver.closeFrames == 1)
            #expect(driver.state == "reconnecting")
        }
    }

    @Test("A client that has crashed ignores all further input")
    func crashIsTheLastWord() {
        for (name, text) in [("crashOnUnknownType", #"{"type":"horoscope"}"#), ("crashOnMalformed", "nonsense")] {
            var driver = Driver(defect: name)
            driver.startConnected()
            driver.forget()
            driver.receive(text: text)
            #expect(driver.crash != nil)
            driver.receive(.message(message(1)))
            #expect(driver.client.nextDeadline == nil)
            #expect(driver.list("conversation.messages[stukov]").isEmpty)
        }
    }

    @Test(
        "Random input neither traps the client nor leaves a deadline in the past",
        arguments: 1...300 as ClosedRange<UInt64>
    )
    func nothingThatArrivesTraps(seed: UInt64) {
        var chance = Seed(seed).stream("garbage")
        let defect = Defect.all[Int(chance.below(UInt64(Defect.all.count)))]
        var driver = chance.below(3) == 0 ? Driver(defect: defect.name) : Driver(ClientProfile(), seed: seed)
        driver.startConnected(lastSequence: Int64(chance.below(5)))
        driver.command(.open(conversation: "stukov"))
        for _ in 0..<120 {
            Self.act(&driver, &chance)
            let deadline = driver.client.nextDeadline
            if let deadline, deadline <= driver.now {
                driver.feed(.timer)
                #expect(driver.client.nextDeadline.map { $0 > driver.now } ?? true, "stands still at \(driver.now)")
            }
        }
    }

    private static func act(_ driver: inout Driver, _ chance: inout SeededGenerator) {
        switch chance.below(17) {
        case 0: driver.receive(bytes: (0..<chance.below(40)).map { _ in UInt8(truncatingIfNeeded: chance.next()) })
        case 1, 2: driver.receive(text: mutated(frame(&chance), &chance))
        case 3, 4: driver.receive(frame(&chance))
        case 5: driver.drop(LinkFailure.allCases[Int(chance.below(7))])
        case 6: driver.refuse(LinkFailure.allCases[Int(chance.below(7))])
        case 7: driver.open()
        case 8: driver.connect(lastSequence: Int64(clamping: chance.next() >> chance.below(64)))
        case 9: driver.advance(by: .milliseconds(Int64(chance.below(20_000))))
        case 10, 11: driver.command(command(&chance))
        case 12: driver.answer("/", Int(chance.below(600)), body: Array(mutated(frame(&chance), &chance).utf8))
        case 13: driver.failRequest("/", .reset)
        case 14:
            driver.answerPage("/conversations/stukov/messages", [randomMessage(&chance)], hasMore: chance.below(2) == 0)
        case 15: driver.answerList([randomMessage(&chance)])
        default:
            driver.diskIsFast = chance.below(2) == 0
            driver.writeOne()
        }
    }

    private static func randomMessage(_ chance: inout SeededGenerator) -> ChatMessage {
        var random = message(Int64(chance.below(20)), in: chance.below(2) == 0 ? "stukov" : "kerrigan")
        if chance.below(8) == 0 { random.sequence = .max }
        if chance.below(8) == 0 { random.timestamp = .max }
        if chance.below(3) == 0 { random.clientMessageID = "k\(chance.below(5))" }
        return random
    }

    private static func frame(_ chance: inout SeededGenerator) -> ServerFrame {
        let number = Int64(clamping: chance.next() >> chance.below(64))
        let messages = (0..<chance.below(5)).map { _ in randomMessage(&chance) }
        switch chance.below(15) {
        case 0: return .hello(version: "0.2.0", authVersion: number)
        case 1: return .connected(ServerFrame.Connected(session: "s", resumed: false, lastSequence: number))
        case 2: return .authError(message: "no")
        case 3: return .pong(id: chance.below(2) == 0 ? nil : "ping-1")
        case 4:
            let confirmation = ServerFrame.Confirmation(
                clientMessageID: "k1",
                messageID: "m1",
                sequence: number,
                timestamp: number,
                duplicate: true
            )
            return .confirm(confirmation)
        case 5, 6: return .message(randomMessage(&chance))
        case 7, 8:
            return .replay(
                ServerFrame.Replay(messages: messages, complete: chance.below(2) == 0, lastSequence: number)
            )
        case 9: return .readReceipt(conversation: "stukov", messageID: "m\(number % 20)", reader: "stukov")
        case 10: return .typing(conversation: "stukov", user: "stukov", active: chance.below(2) == 0)
        case 11:
            return .token(
                ServerFrame.Token(
                    conversation: "stukov",
                    messageID: "m\(chance.below(20))",
                    index: number,
                    text: "a",
                    final: false
                )
            )
        case 12: return .presence(user: "stukov", status: .online, lastSeen: number)
        case 13:
            let error = ServerFrame.ServerError(
                code: chance.below(2) == 0 ? .rateLimited : .internalError,
                message: "no",
                retryAfter: chance.below(2) == 0 ? nil : TimeSpan(nanoseconds: number)
            )
            return .error(error)
        default: return .draining(message: "bye", retryAfter: .milliseconds(Int64(chance.below(9000))))
        }
    }

    private static func mutated(_ frame: ServerFrame, _ chance: inout SeededGenerator) -> String {
        var bytes = frame.encode(WireProfile())
        for _ in 0...chance.below(3) where !bytes.isEmpty {
            let place = Int(chance.below(UInt64(bytes.count)))
            switch chance.below(3) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: chance.below(128))
            case 1: bytes.remove(at: place)
            default: bytes.insert(UInt8(ascii: "9"), at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func command(_ chance: inout SeededGenerator) -> ClientCommand {
        let commands: [ClientCommand] = [
            .open(conversation: "kerrigan"), .open(conversation: "stukov"), .retry(label: "a"), .retryAll, .reconnect,
            .refresh, .dismissBanner, .portalLogin, .markRead(conversation: "stukov"), .setKey("key-2"), .background,
            .foreground, .network(reachable: false), .network(reachable: true), .handoff, .start,
            .send(conversation: "stukov", text: "Hello.", label: "a"), .send(conversation: nil, text: "", label: nil),
            .share(file: "a", bytes: 40_000, label: nil), .share(file: "", bytes: 0, label: "b"),
        ]
        return commands[Int(chance.below(UInt64(commands.count)))]
    }
}
