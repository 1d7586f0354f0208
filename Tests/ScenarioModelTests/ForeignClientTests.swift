import Adapter
import ChatWire
import SquallCore
import Testing

@testable import ScenarioModel

/// Tests how the events of a foreign client (one that is not Squall's own) are translated into registry events.
@Suite struct ForeignClientTests {
    private static let offer = AdapterCapabilities(
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

    @Test("A client's own state names are mapped to Squall's states, and an undeclared state fails the run")
    func itsOwnStateWordsAreMapped() {
        #expect(Self.told(.state("OPEN")) == [#"connection.state set("connected")"#])
        #expect(
            Self.told(.state("HALF")) == [
                "failed: the client reported the state 'HALF', which its init_ok does not declare; declared: CLOSED, OPEN"
            ]
        )
    }

    @Test("A reported message is inserted at the reported position")
    func messagesGoWhereTheyAreSaidToStand() {
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
                "failed: the client reported message: place 2 in a list of 0"
            ]
        )
    }

    @Test(
        "An event with an impossible value fails the run",
        arguments: [
            (AdapterEvent.show(name: "toast.txt", key: nil, "x"), "unknown observable"),
            (.show(name: "toast.text", key: "k", "x"), "it has no key"),
            (.show(name: "toast.text", key: nil, 7), "7 is not a text"),
            (.show(name: "message.status", key: nil, "sent"), "its key, a message, is missing"),
            (.status(key: "m", "lost"), "\"lost\" is not one of"),
            (.did(name: "client.sneezed", key: nil, [:]), "unknown event"),
            (.did(name: "client.backoff.began", key: nil, ["attempt": "1"]), "attempt: \"1\" is not a whole number"),
        ]
    )
    func anImpossibleEventIsAFailure(_ event: AdapterEvent, _ reason: String) {
        let told = Self.told(event)
        #expect(told.count == 1 && told[0].contains(reason), "\(told)")
    }

    @Test("Events that the client has not declared, or that are observed on the wire, are ignored")
    func undeclaredEventsAreLeftOut() {
        #expect(
            Self.told(
                .show(name: "banner.text", key: nil, "x"),
                .did(name: "client.sent.ping", key: nil, [:]),
                .did(name: "server.stored", key: "m", [:]),
                .did(name: "client.backoff.began", key: nil, ["attempt": 1])
            ).count == 1
        )
    }

    @Test("Events about a message are held until the answer that gives the message its id")
    func eventsWaitForTheAnswerThatNamesTheMessage() {
        var client = Self.ready()
        let line = client.emit(.send(conversation: nil, text: "hi", label: "hello"), at: .zero)
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

    private static func asked(_ labels: String...) -> (ForeignClient, [AdapterCommand]) {
        var client = ready()
        let commands = labels.map { label in
            _ = client.emit(.send(conversation: "a", text: "hi", label: label), at: .zero)
            return AdapterCommand("send", [JSONMember("conversation", "a"), JSONMember("label", .string(label))])
        }
        return (client, commands)
    }

    /// Only events that may concern the unnamed message are held until it is named.
    @Test("Events about other messages are not held")
    func eventsOfOtherMessagesDoNotWait() {
        var (client, commands) = Self.asked("hello")
        func took(_ signals: [AdapterSignal]) -> [String] {
            Self.told(client.take(signals) { $0.hasPrefix("m-") })
        }
        #expect(
            took([
                .event(.state("OPEN")), .event(.show(name: "toast.text", key: nil, "Back online")),
                .event(.message(conversation: "a", key: "m-1", at: nil)), .event(.log("x")),
            ]) == [
                #"connection.state set("connected")"#, #"toast.text set("Back online")"#,
                #"conversation.messages[a] inserted(at: 0, "m-1")"#, #"client.log happened({"text":"x"})"#,
            ]
        )
        // The index of `m-2` counts the held message `c-1`, so `m-2` is held as well.
        #expect(
            took([
                .event(.message(conversation: "a", key: "c-1", at: nil)), .event(.status(key: "c-1", "queued")),
                .event(.message(conversation: "a", key: "m-2", at: 2)),
                .event(.show(name: "conversation.messages", key: "b", ["m-3"])),
                .event(.show(name: "conversation.messages", key: "c", ["m-3", "c-1"])),
            ]) == [#"conversation.messages[b] set(["m-3"])"#]
        )
        #expect(
            took([.done(commands[0], .init(clientMessageID: "c-1"))]).dropFirst() == [
                #"conversation.messages[a] inserted(at: 1, "c-1")"#, #"message.status[c-1] set("queued")"#,
                #"conversation.messages[a] inserted(at: 2, "m-2")"#, #"conversation.messages[c] set(["m-3","c-1"])"#,
            ]
        )
    }

    @Test("The answer to a send releases only the events about its own message")
    func anAnswerReleasesWhatIsOfItsMessageAlone() {
        var (client, commands) = Self.asked("one", "two")
        #expect(
            Self.told(client.take([.event(.status(key: "c-2", "sending")), .event(.status(key: "c-1", "sending"))]))
                == []
        )
        #expect(
            Self.told(client.take([.done(commands[0], .init(clientMessageID: "c-1"))])).last
                == #"message.status[c-1] set("sending")"#
        )
        #expect(Self.told(client.take([.event(.status(key: "c-1", "delivered"))])).count == 1)
        #expect(client.hasPendingSend)
        #expect(Self.told(client.take([.done(commands[1], .init(clientMessageID: "c-2"))])).count == 2)
    }

    @Test("Held events are reported before a failure ends the run")
    func waitingEventsPrecedeTheFailure() {
        for signal in [AdapterSignal.closeInput, .failed(AdapterFailure(.closedOutput))] {
            var (client, _) = Self.asked("hello")
            let told = Self.told(client.take([.event(.status(key: "c-1", "sending")), signal]))
            #expect(told.count == 2 && told.first == #"message.status[c-1] set("sending")"#)
        }
    }

    /// The event and the invalid line arrive in the same read.
    @Test("Events received before an invalid line are still reported")
    func eventsBeforeAWrongLineCount() {
        var client = Self.ready()
        let lines = #"{"event":"state","value":"OPEN"}"# + "\noops\n"
        let told = Self.told(client.take(client.session.receive(Array(lines.utf8), at: .zero)))
        #expect(told.count == 2 && told.first == #"connection.state set("connected")"#)
        #expect(told.last?.hasPrefix("failed: ") == true)
    }

    @Test("The reason why a label has no message id is reported")
    func itIsKnownWhichMessagesHaveNoName() {
        var (client, commands) = Self.asked("hello")
        #expect(client.reasonsForMissingIDs(among: []) == ["the client has not answered send[hello]"])
        _ = client.take([.done(commands[0], .init())])
        #expect(client.reasonsForMissingIDs(among: []) == [])
        #expect(
            client.reasonsForMissingIDs(among: ["hello"]) == [
                "the client's ok to send[hello] named no client_message_id"
            ]
        )
    }

    @Test("A refused send is reported and gives its label no message id")
    func aRefusedSendIsReported() {
        var client = Self.ready()
        _ = client.emit(.send(conversation: "a", text: "hi", label: "hello"), at: .zero)
        let command = AdapterCommand("send", [JSONMember("label", "hello")])
        let refusal = AdapterRefusal(code: "offline", isDefinite: true, text: "no network")
        #expect(
            Self.told(client.take([.refused(command, refusal)])) == [
                #"client.refused[hello] happened({"command":"send","code":"offline","definite":true,"text":"no network"})"#
            ]
        )
        #expect(!client.hasPendingSend)
    }

    @Test("A restarted process begins with empty observables")
    func aProcessThatComesUpAgainShowsNothingOfTheOneBefore() {
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

    @Test("Commands that the client does not declare are not sent")
    func commandsThatItDoesNotTakeAreNotSent() {
        var client = Self.ready()
        #expect(client.emit(.refresh, at: .zero) == nil)
        #expect(client.emit(.open(conversation: "a"), at: .zero) == nil)
        #expect(client.emit(.start, at: .zero) != nil)
    }

    private static let push = Push(for: "client", conversation: "a", message: "m", sender: "a", text: "t")

    /// Compares the commands that Squall sends with the protocol's catalogue.
    @Test(
        "The protocol catalogue contains every command with exactly the fields that are sent",
        arguments: [
            ClientCommand.open(conversation: "a"), .send(conversation: "a", text: "t", label: "l"),
            .retry(label: "l"),
            .retryAll, .reconnect, .refresh, .dismissBanner, .portalLogin, .markRead(conversation: "a"), .setKey("k"),
            .start, .background, .foreground, .network(reachable: true), .handoff,
            .leave, .signIn(user: "a", key: nil), .signOut, .openSettings, .token("t"), .permission(.denied),
            .push(Self.push),
            .tap(label: nil, push: Self.push), .reply(to: nil, text: "t", label: "l", push: Self.push),
        ]
    )
    func everyCommandIsInTheCatalogue(_ command: ClientCommand) throws {
        let takes = AdapterCatalogue.entries.filter { $0.direction == .command }.map(\.name)
        var client = ForeignClient(
            .only,
            ForeignPlan(hasAdapter: true, offer: AdapterCapabilities(name: "acme", takes: takes))
        )
        _ = client.session.ask(AdapterCommand("init"), at: .zero)
        _ = client.session.receive(Array((#"{"in_reply_to":1,"type":"init_ok","name":"acme"}"# + "\n").utf8), at: .zero)
        let told = client.emit(command, at: .zero)
        let line = try #require(told)
        let json = try JSON.decode(line)
        let entry = try #require(AdapterCatalogue.entry(.command, json["type"]?.stringValue ?? ""))
        #expect(json.members?.map(\.name) == ["id", "type"] + entry.fields.map(\.name))
    }

    @Test("The same state reported twice in a row counts as one change")
    func aStateToldTwiceIsOne() {
        #expect(Self.told(.state("OPEN"), .state("OPEN"), .state("CLOSED")).count == 2)
    }

    @Test("An init_ok that differs from the client's first init_ok fails the run")
    func anotherAnswerToInitThanTheFirstIsAFailure() {
        var client = ForeignClient(.only, ForeignPlan(hasAdapter: true, offer: Self.offer))
        let other = AdapterCapabilities(name: "acme", shows: ["toast.text"])
        #expect(Self.told(client.take([.ready(other)])).first?.hasPrefix("failed: ") == true)
    }
}
