import ChatWire
import ReferenceClient
import SquallCore
import Testing

@Suite struct StraightPathTests {
    @Test("A client makes one attempt when it starts, and shows that it is connecting")
    func startsWithOneAttemptAndShowsWhereItStands() {
        var driver = Driver()
        driver.start()
        #expect(driver.attempts.map(\.id.number) == [1])
        #expect(driver.state == "connecting")
        #expect(driver["banner.kind"] == JSON.null)
        #expect(driver.text("connection.tone") == "yellow")
    }

    @Test("The client sends its key after the hello and nothing before it")
    func keyGoesOutAfterHelloAndNothingBeforeIt() {
        var driver = Driver()
        driver.start()
        driver.open()
        driver.upgrade()
        #expect(driver.frames == [])
        driver.receive(.hello(version: "0.2.0", authVersion: 1))
        #expect(driver.frames == [.connect(ClientFrame.Connect(key: "key-1"))])
        #expect(driver.state == "authenticating")
        driver.receive(.connected(ServerFrame.Connected(session: "s1", resumed: false, lastSequence: 7)))
        #expect(driver.history("connection.state") == ["connecting", "authenticating", "connected"])
        #expect(driver["auth.authenticated"] == true)
        #expect(driver["sync.last_sequence"] == 7)
        #expect(driver.frames.count == 1)
    }

    @Test("A message is shown, sent and confirmed")
    func messageIsShownSentAndConfirmed() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.command(.send(conversation: nil, text: "Hello.", label: "hello"))
        guard let key = driver.sends.first?.clientMessageID else {
            Issue.record("nothing was sent")
            return
        }
        #expect(driver.list("view.rows") == [key])
        #expect(driver.text("message.status[\(key)]") == "sending")
        #expect(driver.text("message.icon[\(key)]") == "clock")
        #expect(driver["outbox.count"] == 1)
        driver.confirm(key, sequence: 1)
        #expect(driver.text("message.status[\(key)]") == "delivered")
        #expect(driver["message.icon[\(key)]"] == JSON.null)
        #expect(driver["outbox.count"] == 0)
        #expect(driver["sync.last_sequence"] == 1)
        #expect(driver.history("message.status") == ["sending", "delivered"])
    }

    @Test("After a lost connection a reconnect fetches the missed messages")
    func lostConnectionComesBackAndBringsWhatWasMissed() {
        var driver = Driver()
        driver.startConnected(lastSequence: 3)
        driver.command(.open(conversation: "stukov"))
        driver.forget()
        driver.drop()
        #expect(driver.state == "reconnecting")
        #expect(driver.text("banner.text") == "RECONNECTING... MESSAGES MAY BE DELAYED.")
        #expect(driver.text("banner.tone") == "yellow")
        driver.advance(by: .seconds(1))
        #expect(driver.attempts.map(\.at) == [.zero + .seconds(1)])
        driver.connect(resumed: true, lastSequence: 5)
        #expect(
            driver.frames == [.connect(ClientFrame.Connect(key: "key-1", session: "s1")), .sync(lastSequence: 3)]
        )
        #expect(driver["sync.in_flight"] == true)
        driver.replay([message(4), message(5)], through: 5)
        #expect(driver["sync.in_flight"] == false)
        #expect(driver.list("view.rows") == ["m4", "m5"])
        #expect(driver.text("toast.text") == "Reconnected. 2 messages synced.")
        #expect(driver["banner.kind"] == JSON.null)
        #expect(driver.said(.messageAck) == [.messageAck(id: "m4"), .messageAck(id: "m5")])
        driver.advance(by: .seconds(3))
        #expect(driver["toast.text"] == JSON.null)
    }

    @Test("Messages written while disconnected are sent once, after the sync")
    func messageOfTheGapGoesOutOnceAfterTheSync() {
        var driver = Driver()
        driver.startConnected()
        driver.drop()
        driver.command(.send(conversation: "stukov", text: "one", label: nil))
        driver.command(.send(conversation: "stukov", text: "two", label: nil))
        #expect(driver.text("outbox.header_text") == "2 messages queued")
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 1)
        #expect(driver.sends == [])
        driver.replay([message(1)], through: 1)
        #expect(driver.sends.map(\.text) == ["one", "two"])
        #expect(driver["outbox.header_text"] == JSON.null)
    }

    @Test("The same seed gives the same outputs of the client")
    func sameSeedGivesTheSameOutputs() {
        func run() -> [ClientOutput] {
            var driver = Driver(ClientProfile())
            driver.startConnected()
            driver.command(.send(conversation: "stukov", text: "one", label: nil))
            driver.drop()
            return driver.feed(.command(.send(conversation: "stukov", text: "two", label: nil)))
        }
        #expect(run() == run())
    }
}
