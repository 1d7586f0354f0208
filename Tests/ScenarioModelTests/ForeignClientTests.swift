import Adapter
import ChatWire
import Foundations
import Testing

@testable import ScenarioModel

/// A foreign client's words in the registry's.
@Suite struct ForeignClientTests {
    private static let offer = ClientOffer(
        name: "acme",
        shows: ["connection.state", "message.status", "conversation.messages", "toast.text", "client.backoff"],
        takes: ["send"],
        states: [.init("OPEN", "connected"), .init("CLOSED", "reconnecting")]
    )

    private static func ready() -> ForeignClient {
        var client = ForeignClient(.only, ForeignPlan(hasAdapter: true, offer: offer))
        _ = client.session.ask(AdapterCommand("init"), at: .zero)
        _ = client.session.receive(Array((#"{"in_reply_to":1,"type":"init_ok","name":"acme"}"# + "\n").utf8), at: .zero)
        _ = client.take([.ready(offer)])
        return client
    }

    private static func told(_ steps: [ForeignClient.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .ready: "ready"
            case .reset: "reset"
            case .closeInput: "close input"
            case .observe(let observation):
                "\(observation.name)\(observation.key.map { "[\($0)]" } ?? "") \(observation.change)"
            case .failed(let failure): "failed: \(failure)"
            }
        }
    }

    private static func told(_ events: AdapterEvent...) -> [String] {
        var client = ready()
        return told(client.take(events.map { .event($0) }))
    }

    @Test func itsOwnStateWordsAreMapped() {
        #expect(Self.told(.state("OPEN")) == [#"connection.state set("connected")"#])
        #expect(
            Self.told(.state("HALF")) == [
                "failed: the client's state 'HALF' is not in the map that it gave with init_ok: OPEN, CLOSED"
            ]
        )
    }

    @Test func messagesGoWhereTheyAreSaidToStand() {
        #expect(
            Self.told(
                .message(conversation: "a", key: "m1", at: nil),
                .message(conversation: "a", key: "m0", at: 0),
                .message(conversation: "b", key: "m2", at: nil)
            ) == [
                #"conversation.messages[a] inserted(at: 0, "m1")"#, #"conversation.messages[a] inserted(at: 0, "m0")"#,
                #"conversation.messages[b] inserted(at: 0, "m2")"#,
            ]
        )
        #expect(
            Self.told(.message(conversation: "a", key: "m1", at: 2)) == [
                "failed: the client told of message: place 2 of a list of 0"
            ]
        )
    }

    @Test(arguments: [
        (AdapterEvent.show(name: "toast.txt", key: nil, "x"), "there is no such observable"),
        (.show(name: "toast.text", key: "k", "x"), "it has no key"),
        (.show(name: "toast.text", key: nil, 7), "7 is no text"),
        (.show(name: "message.status", key: nil, "sent"), "its key, a message, is missing"),
        (.status(key: "m", "lost"), "\"lost\" is none of"),
        (.did(name: "client.sneezed", key: nil, [:]), "there is no such event"),
        (.did(name: "client.backoff.began", key: nil, ["attempt": "1"]), "attempt: \"1\" is no whole number"),
    ])
    func whatCannotBeIsAFailure(_ event: AdapterEvent, _ reason: String) {
        let told = Self.told(event)
        #expect(told.count == 1 && told[0].contains(reason), "\(told)")
    }

    @Test func whatWasNotDeclaredAndWhatTheWireShowsIsLeftOut() {
        #expect(
            Self.told(
                .show(name: "banner.text", key: nil, "x"),
                .did(name: "client.sent.ping", key: nil, [:]),
                .did(name: "server.stored", key: "m", [:]),
                .did(name: "client.backoff.began", key: nil, ["attempt": 1])
            ).count == 1
        )
    }

    @Test func eventsWaitForTheAnswerThatNamesTheMessage() {
        var client = Self.ready()
        let line = client.tell(.send(conversation: nil, text: "hi", label: "hello"), at: .zero)
        let command = AdapterCommand(
            "send",
            [JSONMember("conversation", .null), JSONMember("text", "hi"), JSONMember("label", "hello")]
        )
        #expect(line == command.line(id: 2))
        #expect(Self.told(client.take([.event(.status(key: "c-1", "sending"))])) == [])
        #expect(
            Self.told(client.take([.done(command, .init(clientMessageID: "c-1"))])) == [
                #"client.accepted[c-1] happened({"conversation":null,"label":"hello"})"#,
                #"message.status[c-1] set("sending")"#,
            ]
        )
    }

    @Test func aRefusedSendIsToldAndTakesNothingOver() {
        var client = Self.ready()
        _ = client.tell(.send(conversation: "a", text: "hi", label: "hello"), at: .zero)
        let command = AdapterCommand("send", [JSONMember("label", "hello")])
        let refusal = AdapterRefusal(code: "offline", isDefinite: true, text: "no network")
        #expect(
            Self.told(client.take([.refused(command, refusal)])) == [
                #"client.refused[hello] happened({"command":"send","code":"offline","definite":true,"text":"no network"})"#
            ]
        )
        #expect(client.openSends == 0)
    }

    @Test func aProcessThatComesUpAgainShowsNothingOfTheOneBefore() {
        var client = Self.ready()
        #expect(client.blank() == [])
        _ = client.take([.event(.message(conversation: "a", key: "m1", at: nil))])
        client.begin()
        #expect(
            client.blank() == [
                .set("conversation.messages", key: "a", to: [], by: .observed),
                .set("connection.state", to: "idle", by: .observed),
            ]
        )
    }

    @Test func commandsThatItDoesNotTakeAreNotSent() {
        var client = Self.ready()
        #expect(client.tell(.refresh, at: .zero) == nil)
        #expect(client.tell(.open(conversation: "a"), at: .zero) == nil)
        #expect(client.tell(.start, at: .zero) != nil)
    }

    private static let push = Push(for: "client", conversation: "a", message: "m", sender: "a", text: "t")

    /// Every verb that a script may have for a client is in the protocol's catalogue, with the fields that are sent.
    @Test(arguments: [
        ClientCommand.open(conversation: "a"), .send(conversation: "a", text: "t", label: "l"), .retry(label: "l"),
        .retryAll, .reconnect, .refresh, .dismissBanner, .portalLogin, .markRead(conversation: "a"), .setKey("k"),
        .start, .background, .foreground, .network(reachable: true), .handoff,
        .leave, .signIn(user: "a", key: nil), .signOut, .openSettings, .token("t"), .permission(.denied),
        .push(Self.push),
        .tap(label: nil, push: Self.push), .reply(to: nil, text: "t", label: "l", push: Self.push),
    ])
    func everyCommandIsInTheCatalogue(_ command: ClientCommand) throws {
        let takes = AdapterCatalogue.entries.filter { $0.direction == .command }.map(\.name)
        var client = ForeignClient(.only, ForeignPlan(hasAdapter: true, offer: ClientOffer(name: "acme", takes: takes)))
        _ = client.session.ask(AdapterCommand("init"), at: .zero)
        _ = client.session.receive(Array((#"{"in_reply_to":1,"type":"init_ok","name":"acme"}"# + "\n").utf8), at: .zero)
        let told = client.tell(command, at: .zero)
        let line = try #require(told)
        let json = try JSON.decode(line)
        let entry = try #require(AdapterCatalogue.entry(.command, json["type"]?.stringValue ?? ""))
        #expect(json.members?.map(\.name) == ["id", "type"] + entry.fields.map(\.name))
    }

    @Test func aStateToldTwiceIsOne() {
        #expect(Self.told(.state("OPEN"), .state("OPEN"), .state("CLOSED")).count == 2)
    }

    @Test func anotherAnswerToInitThanTheFirstIsAFailure() {
        var client = ForeignClient(.only, ForeignPlan(hasAdapter: true, offer: Self.offer))
        let other = ClientOffer(name: "acme", shows: ["toast.text"])
        #expect(Self.told(client.take([.ready(other)])).first?.hasPrefix("failed: ") == true)
    }
}
