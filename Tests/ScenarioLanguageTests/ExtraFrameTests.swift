import ChatWire
import ScenarioLanguage
import ScenarioModel
import Testing

/// Tests frames that have no role in the chat protocol, using the profile `graphql-transport-ws`, whose server sends
/// messages only while the client has a subscription.
@Suite("Extra frames that have no role in the protocol") struct ExtraFrameTests {
    private let wire: WireProfile
    private var server = WireDialogue()

    init() throws {
        wire = try #require(try ProfileReader.profile(named: "graphql-transport-ws")).wire
    }

    private static let message = ServerFrame.message(
        ChatMessage(
            id: "m-1",
            conversation: "stukov",
            sender: "stukov",
            sequence: 1,
            timestamp: 0,
            text: "hi",
            clientMessageID: nil
        )
    )

    private mutating func hear(_ text: String) -> ReceivedExtra? {
        _ = ClientFrame.decode(text, wire, in: &server)
        return server.extra
    }

    private mutating func id() -> String? {
        Self.message.encode(wire, in: &server).map { String(decoding: $0.prefix(9), as: UTF8.self) }
    }

    @Test("Messages are sent with the subscription's id until the subscription ends")
    mutating func followsASubscription() {
        #expect(id() == nil)
        let subscribe = #"{"id":"7","type":"subscribe","payload":{"operationName":"Messages","query":"{ x }"}}"#
        #expect(hear(subscribe)?.name == "subscribe")
        #expect(id() == #"{"id":"7""#)
        #expect(hear(#"{"id":"8","type":"complete"}"#)?.name == "complete")
        #expect(id() == #"{"id":"7""#, "another operation has ended")
        #expect(hear(#"{"id":"7","type":"complete"}"#)?.name == "complete")
        #expect(id() == nil)
    }

    @Test("A client recognises the result of its request and the end frame after the result")
    func aResultIsFollowedByItsEnd() throws {
        var (client, server) = (WireDialogue(), WireDialogue())
        let sync = try #require(ClientFrame.sync(lastSequence: 0).encode(wire, in: &client))
        _ = ClientFrame.decode(String(decoding: sync, as: UTF8.self), wire, in: &server)
        let replay = ServerFrame.replay(.init(messages: [], complete: true, lastSequence: 0))
        #expect(replay.encode(wire, answering: server.lastReference, in: &server) != nil)
        let end = try #require(server.following.first)
        #expect(String(decoding: end, as: UTF8.self) == #"{"id":"1","type":"complete"}"#)
        _ = ServerFrame.decode(String(decoding: end, as: UTF8.self), wire, in: &client)
        #expect(client.extra != nil)
    }

    @Test("Squall's client sends the subscribe frame after connected")
    mutating func theClientSubscribes() throws {
        var client = WireDialogue()
        let frames = try #require(wire.frames).extras(after: .connected, in: &client)
        #expect(frames.map { hear(String(decoding: $0, as: UTF8.self))?.name } == ["subscribe"])
    }
}
