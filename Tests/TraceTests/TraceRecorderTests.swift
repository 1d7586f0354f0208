import SquallCore
import Testing
import Trace

@Suite struct TraceRecorderTests {
    @Test("The recorder numbers events, keeps their times in order and drops invalid causes")
    func order() {
        var recorder = TraceRecorder()
        recorder.record(happened("a"), client: .only, at: ms(5), cause: 0)
        recorder.record(happened("b"), client: nil, at: ms(3), cause: 0)
        let last = recorder.record(happened("c"), client: nil, at: ms(9), cause: 7)
        #expect(recorder.events.map(\.index) == [0, 1, 2])
        #expect(recorder.events.map(\.time) == [ms(5), ms(5), ms(9)])
        #expect(recorder.events.map(\.cause) == [nil, 0, nil])
        #expect(last == recorder.events[2])
        #expect(recorder.recording(header(), end: ms(10)).events == recorder.events)
    }

    @Test("The digest computed by the recorder equals the digest of its recording", arguments: [0, 1, variety.count])
    func digest(count: Int) {
        var recorder = TraceRecorder()
        for observation in variety.prefix(count) { recorder.record(observation, client: .only, at: ms(1), cause: nil) }
        #expect(recorder.digest(endingAt: ms(20)) == recorder.recording(header(), end: ms(20)).digest)
    }

    @Test("A message is named by its label from its first event on")
    func labels() {
        var recorder = TraceRecorder()
        func record(_ observation: Observation) -> Observation {
            recorder.record(observation, client: .only, at: ms(1), cause: nil).observation
        }
        #expect(record(happened("client.sent.send", key: "id-1")).key == "id-1")
        #expect(record(happened("client.accepted", key: "id-1", ["label": "hello"])).key == "hello")
        #expect(record(happened("client.sent.send", key: "id-1")).key == "hello")
        #expect(record(.set("message.status", key: "id-1", to: "queued")).key == "hello")
        #expect(record(happened("server.stored", key: "id-2", ["label": "news"])).key == "news")
        #expect(record(happened("server.stored", key: "id-3", [:])).key == "id-3")
        // A label replaces the id in the event's key, but fields keep the id that was sent on the wire.
        let wire = record(happened("server.received.send", key: "id-1", ["client_message_id": "id-1"]))
        #expect(wire.key == "hello")
        #expect(wire.change == .happened(["client_message_id": "id-1"]))
        // An id keeps its first label, and only certain kinds of event can define a label.
        #expect(record(happened("client.accepted", key: "id-1", ["label": "other"])).key == "hello")
        #expect(record(happened("client.sent.typing", key: "id-9", ["label": "x"])).key == "id-9")
    }

    @Test("Lists of messages contain labels instead of ids after every kind of edit")
    func lists() {
        var recorder = TraceRecorder()
        func change(_ name: String, _ change: Change) -> Change {
            recorder.record(edit(name, change), client: .only, at: ms(1), cause: nil).observation.change
        }
        recorder.record(
            happened("client.accepted", key: "id-1", ["label": "hello"]),
            client: .only,
            at: ms(1),
            cause: nil
        )
        for name in ["view.rows", "conversation.messages"] {
            #expect(change(name, .set(["a", "id-1"])) == .set(["a", "hello"]))
            #expect(change(name, .inserted(at: 0, "id-1")) == .inserted(at: 0, "hello"))
            #expect(change(name, .replaced(at: 0, "id-1")) == .replaced(at: 0, "hello"))
            #expect(change(name, .inserted(at: 0, "id-2")) == .inserted(at: 0, "id-2"))
            #expect(change(name, .removed(at: 0)) == .removed(at: 0))
        }
        #expect(change("peer.typing", .set(["id-1"])) == .set(["id-1"]))
    }

    @Test("A value that is a message id is replaced by the label, and the label maps back to the id")
    func references() {
        var recorder = TraceRecorder()
        func value(_ name: String, _ value: JSON) -> Change {
            recorder.record(.set(name, to: value), client: .only, at: ms(1), cause: nil).observation.change
        }
        #expect(recorder.id(of: "news", for: .only) == nil)
        recorder.record(happened("server.stored", key: "id-2", ["label": "news"]), client: nil, at: ms(1), cause: nil)
        #expect(recorder.id(of: "news", for: .only) == "id-2")
        for name in ["scroll.anchor", "new_marker.before"] {
            #expect(value(name, "id-2") == .set("news"))
            #expect(value(name, "id-3") == .set("id-3"))
            #expect(value(name, .null) == .set(.null))
        }
        #expect(value("composer.text", "id-2") == .set("id-2"))
    }

    @Test("Equal labels of different clients refer to different messages")
    func labelsOfSeveral() {
        var recorder = TraceRecorder()
        let (anna, ben, cora) = (ClientID("anna"), ClientID("ben"), ClientID("cora"))
        let accepted = { (id: String) in happened("client.accepted", key: id, ["label": "mine"]) }
        recorder.record(accepted("id-a"), client: anna, at: ms(1), cause: nil)
        recorder.record(accepted("id-b"), client: ben, at: ms(1), cause: nil)
        #expect(recorder.id(of: "mine", for: anna) == "id-a")
        #expect(recorder.id(of: "mine", for: ben) == "id-b")
        #expect(recorder.id(of: "mine", for: cora) == "id-a", "the first, of who has none")
    }

    @Test("Two messages with the same label get distinct names")
    func sameLabel() {
        var recorder = TraceRecorder()
        let keys = ["id-1", "id-2", "id-3"].map { id in
            recorder.record(happened("server.stored", key: id, ["label": "news"]), client: nil, at: ms(1), cause: nil)
                .key
        }
        #expect(keys == ["news", "news-2", "news-3"])
    }

    @Test("A secret is redacted from all later observations once it is known")
    func secrets() {
        var redactor = Redactor()
        redactor.conceal("sk-12345678", as: "key")
        var recorder = TraceRecorder(redactor: redactor)
        let said = recorder.record(happened("a", ["header": "Bearer sk-12345678"]), client: nil, at: ms(1), cause: nil)
        #expect(said.fields == ["header": "Bearer secret:key-1"])
        recorder.conceal("sk-87654321", as: "key")
        let other = recorder.record(.set("b", to: "sk-87654321"), client: nil, at: ms(1), cause: nil)
        #expect(other.observation.change == .set("secret:key-2"))
    }
}

@Suite struct RedactorTests {
    @Test("Each secret gets its own placeholder")
    func placeholders() {
        var redactor = Redactor()
        redactor.conceal("first-secret", as: "key")
        redactor.conceal("second-secret", as: "key")
        redactor.conceal("a-password", as: "password")
        redactor.conceal("first-secret", as: "key")
        #expect(
            redactor.redact("first-secret second-secret first-secret a-password")
                == "secret:key-1 secret:key-2 secret:key-1 secret:password-1"
        )
        #expect(redactor.redact("nothing") == "nothing")
    }

    @Test("A secret that is part of a longer secret does not split the longer one")
    func nested() {
        var redactor = Redactor()
        redactor.conceal("abcdef", as: "key")
        redactor.conceal("abcdefghi", as: "key")
        #expect(redactor.redact("xabcdefghix abcdefx") == "xsecret:key-2x secret:key-1x")
    }

    @Test("A short secret is redacted only where it is the whole text")
    func short() {
        var redactor = Redactor()
        redactor.conceal("abc", as: "key")
        redactor.conceal("", as: "key")
        #expect(redactor.redact("abc") == "secret:key-1")
        #expect(redactor.redact("abcd") == "abcd")
        #expect(redactor.redact("") == "")
    }

    @Test("Secrets are redacted everywhere in an observation except in member names")
    func everywhere() {
        var redactor = Redactor()
        redactor.conceal("geheim", as: "key")
        let hidden: JSON = "secret:key-1"
        let cases: [(Change, Change)] = [
            (.happened(["geheim": ["geheim", 1]]), .happened(["geheim": [hidden, 1]])),
            (.set("geheim"), .set(hidden)), (.inserted(at: 1, "geheim"), .inserted(at: 1, hidden)),
            (.replaced(at: 1, "geheim"), .replaced(at: 1, hidden)), (.removed(at: 1), .removed(at: 1)),
        ]
        for (plain, redacted) in cases {
            let observation = redactor.redact(edit("geheim", key: "geheim", plain))
            #expect(observation == edit("geheim", key: "secret:key-1", redacted))
        }
        let recording = recording([edit("x", .set("geheim")), edit("x", .set("offen"))])
        #expect(redactor.redact(recording).events.map(\.observation.change) == [.set(hidden), .set("offen")])
        #expect(Redactor().redact(recording) == recording)
    }
}
