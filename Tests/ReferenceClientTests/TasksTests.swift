import ChatWire
import ReferenceClient
import SquallCore
import Testing

/// Tests that the client sends a command each time the user issues it, and never resends one by itself.
@Suite struct TasksTests {
    private func connected() -> Driver {
        var driver = Driver()
        driver.startConnected()
        return driver
    }

    @Test("A command is sent once, and its id is shown")
    func aCommandGoesOutOnceAndItsIDIsShown() {
        var driver = connected()
        driver.command(.execute("make"))
        #expect(driver.said(.executeCommand) == [.executeCommand(text: "make")])
        #expect(driver["commands.unanswered"] == 1)
        driver.receive(.commandStarted(id: "cmd-1", text: "make"))
        #expect(driver.list("commands.started") == ["cmd-1"])
        #expect(driver["commands.unanswered"] == 0)
    }

    @Test("A command without an answer is reported as unanswered and is not repeated")
    func unansweredCommandIsReportedAndNotRepeated() {
        var driver = connected()
        driver.command(.execute("make"))
        driver.comeBack()
        driver.advance(by: .seconds(5))
        #expect(driver.said(.executeCommand).count == 1)
        #expect(driver["commands.unanswered"] == 0)
        #expect(driver.text("banner.text") == ClientProfile().text.banner.commandUnanswered)
        #expect(driver.text("banner.action") == "retry")
    }

    @Test("A command that was answered is not reported after a reconnect")
    func answeredCommandIsNotReported() {
        var driver = connected()
        driver.command(.execute("make"))
        driver.receive(.commandStarted(id: "cmd-1", text: "make"))
        driver.comeBack()
        #expect(driver["banner.text"]?.isNull == true)
    }

    @Test("Commands given while disconnected are not sent later")
    func withoutAConnectionNothingIsKeptForLater() {
        var driver = connected()
        driver.drop()
        driver.command(.execute("make"))
        driver.command(.stop(id: "stukov"))
        driver.advance(by: .seconds(2))
        driver.connect()
        #expect(driver.said(.executeCommand).isEmpty)
        #expect(driver.said(.stop).isEmpty)
        #expect(driver.text("banner.text") == ClientProfile().text.banner.stopNotSent)
    }

    @Test("A repeated answer to a command counts once")
    func anAnswerThatComesTwiceCountsOnce() {
        var driver = connected()
        driver.command(.execute("make"))
        for _ in 0..<2 { driver.receive(.commandStarted(id: "cmd-1", text: "make")) }
        #expect(driver.list("commands.started") == ["cmd-1"])
        #expect(driver["commands.unanswered"] == 0)
    }

    @Test("A repeated answer to a command does not answer the next one")
    func aCopyDoesNotAnswerTheNextCommand() {
        var driver = connected()
        driver.command(.execute("make"))
        driver.command(.execute("make test"))
        for _ in 0..<2 { driver.receive(.commandStarted(id: "cmd-1", text: "make")) }
        #expect(driver["commands.unanswered"] == 1)
        driver.comeBack()
        driver.advance(by: .seconds(5))
        #expect(driver.text("banner.text") == ClientProfile().text.banner.commandUnanswered)
    }

    @Test("A message to a locked conversation fails and can be retried")
    func aLockedConversationIsReportedAndCanBeRetried() {
        var driver = connected()
        driver.send(label: "second")
        let error = ServerFrame.ServerError(code: .sessionLocked, message: "busy", clientMessageID: driver.key)
        driver.receive(.error(error))
        #expect(driver.text("message.status[\(driver.key)]") == "failed")
        #expect(driver.text("banner.text") == ClientProfile().text.banner.sessionLocked)
        driver.command(.retry(label: "second"))
        #expect(driver.sends.map(\.clientMessageID) == [driver.key, driver.key])
    }

    @Test("With proves_fresh every login has a new nonce and the current time")
    func everyLoginHasANonceOfItsOwnWhereTheyAreToBeFresh() throws {
        var profile = ClientProfile.exact
        profile.connect.provesFresh = true
        var driver = Driver(profile)
        driver.startConnected()
        driver.comeBack()
        let logins = driver.said(.connect).compactMap { frame in
            if case .connect(let connect) = frame { connect.freshness } else { nil }
        }
        #expect(logins.count == 2)
        #expect(Set(logins.map(\.nonce)).count == 2)
        #expect(logins.map(\.timestamp) == [profile.device.epoch, profile.device.epoch + 2000])
    }
}
