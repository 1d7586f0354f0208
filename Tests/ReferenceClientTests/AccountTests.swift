import ChatWire
import ReferenceClient
import SquallCore
import Testing

/// Tests signing in and out, and the user's data that remains after signing out.
@Suite struct AccountTests {
    private func parts(_ driver: Driver) -> [String] {
        driver.observations.map(\.observation.name).filter { $0.hasPrefix("client.sign_out.") }
            .map { String($0.dropFirst("client.sign_out.".count)) }
    }

    @Test("Signing out waits until the server has confirmed the removal of the push token")
    func signingOutWaitsForTheToken() {
        var driver = Driver()
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.signOut)
        #expect(parts(driver) == ["token"])
        #expect(driver.state == "connected")
        #expect(driver["app.signing_out"] == true)
        driver.answer("/push_token")
        #expect(parts(driver) == ["token", "state", "session", "user"])
        #expect(driver.state == "idle")
        #expect(driver["app.user"] == .null)
        #expect(driver["app.signing_out"] == false)
    }

    @Test("Signing out waits for the removal of the push token no longer than the HTTP timeout")
    func anUnansweredTokenRemovalTimesOut() {
        var driver = Driver()
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.signOut)
        driver.advance(by: driver.profile.http.timeout)
        #expect(driver.events("client.sign_out.token_left").count == 1)
        #expect(driver.events("client.signed_out").count == 1)
    }

    @Test("A signed-out client stays signed out after a restart, until the user signs in again")
    func signedOutSurvivesARestart() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.signOut)
        driver.killAndStart()
        driver.advance(by: .seconds(60))
        #expect(driver.attempts.isEmpty)
        driver.command(.signIn(user: "anna", key: "key-2"))
        driver.connect()
        #expect(driver.frames.contains { if case .connect(let connect) = $0 { connect.key == "key-2" } else { false } })
        driver.killAndStart()
        #expect(driver.attempts.count == 1)
    }

    @Test("Signing in as another user signs the current user out first")
    func signingInSignsTheCurrentUserOutFirst() {
        var driver = Driver()
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.signIn(user: "anna", key: "key-2"))
        #expect(driver.events("client.signed_in").isEmpty)
        driver.answer("/push_token")
        #expect(driver.events("client.signed_out").count == 1)
        #expect(driver.text("app.user") == "anna")
        #expect(driver.requests.last?.request.authorization == "Bearer key-2")
    }

    @Test("Signing out removes the user's messages from the screen and from the store")
    func nothingOfTheLastUserIsLeft() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.receive(.message(message(1)))
        #expect(driver.list("view.rows") == ["m1"])
        driver.command(.signOut)
        #expect(driver.list("view.rows").isEmpty)
        #expect(driver.list("conversation.messages[stukov]").isEmpty)
        let kept = driver.store.entries.map(\.key)
        #expect(kept == ["account.user", "launches"])
        driver.killAndStart()
        #expect(driver.list("view.rows").isEmpty)
    }

    @Test("A user's queued messages are sent only after that user signs in again")
    func queuedMessagesWaitForTheirUser() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.signIn(user: "anna", key: "key-2"))
        driver.send("hers")
        driver.command(.signIn(user: "ben", key: "key-3"))
        driver.connect()
        #expect(driver.sends.isEmpty)
        #expect(driver["outbox.count"] == 0)
        driver.killAndStart()
        driver.connect()
        #expect(driver.sends.isEmpty)
        driver.command(.signIn(user: "anna", key: "key-2"))
        driver.connect()
        #expect(driver.sends.map(\.text) == ["hers"])
    }

    @Test("A client without a user sends nothing")
    func nothingIsSentWithoutAUser() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.signOut)
        driver.send("who am I")
        #expect(driver.events("client.accepted").isEmpty)
    }

    @Test("A conversation that is reopened immediately after it was left stays open")
    func aScreenThatComesBackBeforeItIsGoneStays() {
        var driver = Driver()
        driver.startWithToken()
        driver.command(.open(conversation: "stukov"))
        driver.command(.leave)
        driver.command(.open(conversation: "stukov"))
        driver.advance(by: .seconds(1))
        #expect(driver.text("app.viewing") == "stukov")
        driver.command(.leave)
        driver.advance(by: .seconds(1))
        #expect(driver["app.viewing"] == .null)
    }
}
