import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct DeletionsTests {
    private func settle(_ driver: inout Driver, _ status: Int = 200) {
        var record = message(1)
        (record.text, record.isDeleted, record.deletedBy) = ("", true, "client")
        driver.answer("/messages/m1", status, body: record.encode(driver.wire))
    }

    @Test("A deletion is shown at once and sent once it can no longer be undone")
    func itIsShownAtOnceAndSentWhenItCannotBeUndone() {
        var driver = Driver(.exact)
        let key = driver.deliver()
        driver.command(.delete(message: key))
        #expect(driver.text("dialog.text") == "Delete this message? Everybody will see that it was deleted.")
        #expect(driver.list("dialog.actions") == ["Keep", "Delete"])
        #expect(driver.text("message.text[\(key)]") == "one", "asked, not done")
        driver.command(.confirmDelete)
        #expect(driver["dialog.text"] == .null)
        #expect(driver.text("message.text[\(key)]") == "Message deleted")
        #expect(driver.text("message.status[\(key)]") == "deleted")
        #expect(driver["message.undo_available[\(key)]"] == true)
        driver.advance(by: .milliseconds(4999))
        #expect(driver.open("/messages/").isEmpty)
        driver.advance(by: .milliseconds(1))
        #expect(driver["message.undo_available[\(key)]"] == false)
        #expect(driver.requests.last?.request.method == "DELETE")
        settle(&driver)
        #expect(driver["deletions.pending"] == 0)
        #expect(driver.events("client.delete.ended") == [["ok": true]])
        #expect(driver["metrics.deletions"] == 1)
        driver.killAndStart()
        #expect(driver.text("message.text[\(key)]") == "Message deleted", "also of what is on disk")
    }

    @Test("A deletion that is undone within five seconds sends no request and restores the message")
    func undoneInTimeItHasNeverBeen() {
        var driver = Driver(.exact)
        let key = driver.deliver()
        driver.delete(key)
        driver.advance(by: .milliseconds(4999))
        driver.command(.undo(message: key))
        driver.advance(by: .seconds(20))
        #expect(driver.open("/messages/").isEmpty)
        #expect(driver.text("message.text[\(key)]") == "one")
        #expect(driver.text("message.status[\(key)]") == "delivered")
        driver.killAndStart()
        #expect(driver["deletions.pending"] == nil)
    }

    @Test("An undo after five seconds has no effect")
    func tooLateToUndo() {
        var driver = Driver(.exact)
        let key = driver.deliver()
        driver.delete(key)
        driver.advance(by: .seconds(5))
        driver.command(.undo(message: key))
        #expect(driver.text("message.text[\(key)]") == "Message deleted")
    }

    @Test("A deletion that was not sent yet is kept after a kill")
    func itOutlivesAKillBeforeItWasSent() {
        var driver = Driver(.exact)
        let key = driver.deliver()
        driver.delete(key)
        driver.killAndStart()
        #expect(driver.text("message.text[\(key)]") == "Message deleted")
        #expect(driver["message.undo_available[\(key)]"] == false, "the undo is not offered after a restart")
        driver.connectAgain()
        #expect(driver.open("/messages/m1").count == 1)
    }

    @Test("A message whose deletion is refused is shown again", arguments: [403, 404, 400, 409])
    func refusedDeletionRestoresTheMessage(_ status: Int) {
        var driver = Driver(.exact)
        let key = driver.deliver()
        driver.delete(key)
        driver.advance(by: .seconds(5))
        settle(&driver, status)
        #expect(driver.text("message.text[\(key)]") == "one")
        #expect(driver["message.deleted[\(key)]"] == false)
        #expect(driver.text("banner.text") == "This message could not be deleted.")
        #expect(driver["metrics.deletion_success_percent"] == 0)
    }

    @Test("A deletion that fails temporarily is repeated", arguments: [500, 503, 429, 302])
    func failedDeletionIsRepeated(_ status: Int) {
        var driver = Driver(.exact)
        let key = driver.deliver()
        driver.delete(key)
        driver.advance(by: .seconds(5))
        driver.answer("/messages/m1", status)
        #expect(driver.open("/messages/m1").isEmpty)
        driver.advance(by: .seconds(5))
        #expect(driver.open("/messages/m1").count == 1)
        driver.failRequest("/messages/m1", .reset)
        driver.advance(by: .seconds(5))
        #expect(driver.open("/messages/m1").count == 1)
        #expect(driver.text("message.text[\(key)]") == "Message deleted")
    }

    @Test("Deletions are sent one after the other and only for the user's own messages")
    func oneAfterTheOther() {
        var driver = Driver(.exact)
        driver.startConnected()
        var own = (1...3).map { message(Int64($0), from: "client") }
        own.append(message(4))
        for message in own { driver.receive(.message(message)) }
        driver.command(.delete(message: "m1", through: "m4"))
        driver.command(.confirmDelete)
        #expect(driver["deletions.pending"] == 3, "only the user's own messages")
        driver.advance(by: .seconds(5))
        #expect(driver.open("/messages/").count == 1)
        settle(&driver)
        #expect(driver.requests.last?.request.target == "/messages/m2")
    }

    @Test("Messages that are unsent, unknown or from another user cannot be deleted")
    func nothingIsDeletedThatIsNotOffered() {
        var driver = Driver(.exact)
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.delete(message: "m1"))
        driver.command(.confirmDelete)
        driver.send("waits")
        driver.command(.delete(message: driver.key))
        driver.command(.confirmDelete)
        driver.command(.delete(message: "unknown"))
        #expect(driver["deletions.pending"] == nil)
        #expect(driver["dialog.text"] == nil)
    }

    @Test("A message deleted by another user keeps its place and no longer counts as unread")
    func anothersDeletionLeavesThePlace() {
        var driver = Driver(.exact)
        driver.startConnected()
        for number in 1...3 { driver.receive(.message(message(Int64(number)))) }
        #expect(driver["unread[stukov]"] == 3)
        driver.receive(.deleted(.init(conversation: "stukov", messageID: "m2", at: 9, by: "stukov")))
        #expect(driver.list("conversation.messages[stukov]") == ["m1", "m2", "m3"])
        #expect(driver.text("message.text[m2]") == "Message deleted")
        #expect(driver["unread[stukov]"] == 2, "a deleted message is not unread")
        driver.receive(.deleted(.init(conversation: "stukov", messageID: "m2", at: 9, by: "stukov")))
        #expect(driver["unread[stukov]"] == 2, "once")
        driver.receive(.deleted(.init(conversation: "stukov", messageID: "unknown", at: 9, by: "stukov")))
        #expect(driver.crash == nil)
    }

    @Test("A message that was deleted before it arrived does not count as unread")
    func aMessageThatArrivesDeletedIsNotUnread() {
        var driver = Driver(.exact)
        driver.startConnected()
        var gone = message(1)
        (gone.text, gone.isDeleted) = ("", true)
        driver.receive(.message(gone))
        #expect(driver.text("message.text[m1]") == "Message deleted")
        #expect(driver["unread[stukov]"] == 0)
    }

    @Test("A page of history also marks deleted messages as deleted")
    func aPageAppliesDeletions() {
        var driver = Driver(.exact)
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.open(conversation: "stukov"))
        var gone = message(1)
        (gone.text, gone.isDeleted) = ("", true)
        driver.answerPage("/conversations/stukov/messages", [gone])
        #expect(driver.text("message.text[m1]") == "Message deleted")
    }

    @Test("A user's pending deletions and uploads are sent only after that user signs in again")
    func pendingDeletionsWaitForTheirUser() {
        var driver = Driver(.exact)
        let key = driver.deliver()
        driver.drop()
        driver.delete(key)
        driver.sendImage(1000)
        driver.command(.signOut)
        driver.command(.signIn(user: "ben", key: "key-2"))
        driver.connect()
        driver.advance(by: .seconds(20))
        #expect(driver.open("/messages/").isEmpty)
        #expect(driver.open("/uploads/").isEmpty)
        driver.killAndStart()
        driver.connectAgain()
        driver.advance(by: .seconds(20))
        #expect(driver.open("/messages/").isEmpty)
        #expect(driver.open("/uploads/").isEmpty)
        driver.command(.signOut)
        driver.command(.signIn(user: driver.id.name, key: "key-1"))
        driver.connect()
        driver.replay([], through: 0)
        #expect(driver.open("/messages/m1").count == 1)
        #expect(driver.open("/uploads/").count == 1)
    }

    @Test("The menu of a message has an explanation of the message's status")
    func everyStatusIsExplainedInItsMenu() {
        var driver = Driver(.exact)
        let key = driver.deliver()
        driver.command(.longPress(message: key))
        #expect(driver.list("menu.actions[\(key)]") == ["Delete"])
        #expect(driver.text("menu.explanation[\(key)]") == "The server has it.")
        driver.delete(key)
        #expect(driver.list("menu.actions[\(key)]") == [], "closed")
        driver.command(.longPress(message: key))
        let pending = "Deleted on this phone, and for everybody once the server knows."
        #expect(driver.text("menu.explanation[\(key)]") == pending)
    }
}
