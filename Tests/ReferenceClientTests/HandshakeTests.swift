import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing
import WebSocketWire

@Suite struct HandshakeTests {
    @Test("A refused key ends all attempts and asks for a new key")
    func refusedKeyStopsEverything() {
        var driver = Driver()
        driver.startRefused()
        #expect(driver.state == "auth_required")
        #expect(driver["auth.requires_reauth"] == true)
        #expect(driver["connection.attempt"] == 0)
        #expect(driver.text("connection.last_error") == "auth_error")
        #expect(driver.text("banner.kind") == "error")
        #expect(driver.closeFrames == 1)
        driver.advance(by: .seconds(3600))
        #expect(driver.attempts.count == 1)
    }

    @Test("A client with a refused key stays in auth_required after the network returns")
    func refusedKeyOutlivesTheNetwork() {
        var driver = Driver()
        driver.startRefused()
        driver.command(.network(reachable: false))
        #expect(driver.state == "offline")
        driver.command(.network(reachable: true))
        #expect(driver.state == "auth_required")
        #expect(driver.attempts.count == 1)
    }

    @Test("A new key set while offline is used as soon as the network returns")
    func aNewKeyBroughtWithoutANetworkIsUsedWhenThereIsOne() {
        var driver = Driver()
        driver.startRefused()
        driver.command(.network(reachable: false))
        driver.command(.setKey("key-2"))
        driver.command(.network(reachable: true))
        #expect(driver.attempts.count == 2)
    }

    @Test("A new key is used at once and kept after a kill")
    func newKeyIsUsedAtOnceAndSurvivesAKill() {
        var driver = Driver()
        driver.startRefused()
        driver.command(.setKey("key-2"))
        #expect(driver.attempts.count == 2)
        #expect(driver["auth.requires_reauth"] == false)
        driver.connect()
        #expect(driver.said(.connect).last == .connect(ClientFrame.Connect(key: "key-2")))
        driver.killAndStart()
        driver.connect(session: "s2")
        #expect(driver.said(.connect) == [.connect(ClientFrame.Connect(key: "key-2", session: "s1"))])
    }

    @Test("A client without a key asks the user for one and opens no connection")
    func missingKeyIsAskedForAndNotTried() {
        var driver = Driver(key: "")
        driver.start()
        #expect(driver.attempts.isEmpty)
        #expect(driver.state == "auth_required")
        #expect(driver["auth.requires_reauth"] == true)
        #expect(driver.text("banner.text") == "API key not configured. Please scan QR code in Settings.")
        driver.command(.setKey("key-1"))
        driver.connect()
        #expect(driver.state == "connected")
        #expect(driver["banner.kind"] == JSON.null)
    }

    @Test("Network faults never make the client ask for a key")
    func networkFaultsDoNotAskForAKey() {
        var driver = Driver()
        driver.start()
        driver.refuse()
        driver.advance(by: .seconds(1))
        driver.open()
        driver.drop()
        driver.advance(by: .seconds(2))
        driver.advance(by: .seconds(10))
        #expect(driver.history("auth.requires_reauth") == ["false"])
    }

    @Test("A newer protocol version of the server is reported in the banner")
    func newerServerIsShown() {
        var driver = Driver()
        driver.start()
        driver.open()
        driver.upgrade()
        driver.receive(.hello(version: "0.3.0", authVersion: 2))
        driver.receive(.connected(ServerFrame.Connected(session: "s1", resumed: false, lastSequence: 0)))
        #expect(driver.text("banner.kind") == "version")
        #expect(driver.text("auth.version_warning")?.contains("2") == true)
        #expect(driver.state == "connected")
    }

    @Test("The key appears only in the connect frame and in the Authorization header")
    func keyIsNowhereButInConnectAndAuthorization() {
        var driver = Driver(key: "secret-key")
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.command(.send(conversation: nil, text: "Hello.", label: nil))
        let shown = driver.observations.map { "\($0.observation)" }.joined()
        #expect(!shown.contains("secret-key"))
        #expect(driver.requests.allSatisfy { !$0.request.target.contains("secret-key") })
        #expect(driver.requests.first?.request.authorization == "Bearer secret-key")
    }

    @Test("Frames that arrive too early in the handshake are ignored")
    func framesBeforeTheirTimeMeanNothing() {
        var driver = Driver()
        driver.start()
        driver.open()
        driver.upgrade()
        driver.receive(.connected(ServerFrame.Connected(session: "s1", resumed: false, lastSequence: 0)))
        #expect(driver.state == "connecting")
        driver.receive(.hello(version: "0.2.0", authVersion: 1))
        driver.receive(.message(message(1)))
        #expect(driver.list("conversation.messages[stukov]") == [])
        driver.receive(.hello(version: "0.2.0", authVersion: 1))
        #expect(driver.said(.connect).count == 1)
    }

    @Test("A refused or malformed upgrade counts as a failed attempt")
    func badUpgradeIsAFailure() {
        var driver = Driver()
        driver.start()
        driver.open()
        driver.refuseUpgrade(503)
        #expect(driver.text("connection.last_error") == "http_503")
        #expect(driver.state == "reconnecting")
        #expect(driver["connection.attempt"] == 1)
        driver.advance(by: .seconds(1))
        driver.open()
        driver.receive(bytes: Array("SSH-2.0-OpenSSH_9.6\r\n".utf8))
        #expect(driver.text("connection.last_error") == "protocol_error")
    }

    @Test("A close frame with code 1012 is answered, and the client reconnects")
    func closeByTheServerIsAnsweredAndComesBack() {
        var driver = Driver()
        driver.startConnected()
        driver.closeByServer(.serviceRestart)
        #expect(driver.closeFrames == 1)
        #expect(driver.text("connection.last_error") == "closed_1012")
        #expect(driver.state == "reconnecting")
        driver.advance(by: .seconds(1))
        driver.connect()
        #expect(driver.state == "connected")
    }

    @Test("A close frame with code 1000 is answered, and the client does not reconnect")
    func closeInOrderByTheServerIsTheEnd() {
        var driver = Driver()
        driver.startConnected()
        driver.closeByServer(.normal)
        #expect(driver.closeFrames == 1)
        driver.advance(by: .seconds(3600))
        #expect(driver.attempts.count == 1)
        driver.command(.reconnect)
        #expect(driver.attempts.count == 2)
    }

    @Test("Input from a superseded connection has no effect")
    func supersededConnectionSaysNothingMore() {
        var driver = Driver()
        driver.startConnected()
        guard let old = driver.current else { return }
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect()
        driver.forget()
        driver.feed(.received(old, [0x81, 0x02, 0x7B, 0x7D]))
        driver.feed(.ended(old, .reset))
        driver.feed(.connectFailed(old, .refused))
        driver.feed(.opened(old))
        #expect(driver.observations.isEmpty)
        #expect(driver.state == "connected")
    }
}
