import ChatWire
import ReferenceClient
import SquallCore
import Testing

/// Tests push notifications while the app is running, and the phone's notification permission.
@Suite struct NotificationTests {
    private func made(_ text: String, in conversation: String = "stukov") -> PhoneNotification {
        PhoneNotification(
            Push(for: "client", conversation: conversation, message: "m1", sender: "stukov", text: text),
            ClientProfile(),
            .reference
        )
    }

    @Test(
        "A notification shows a readable name derived from the conversation's id",
        arguments: [
            ("stukov", "Stukov"), ("stukov/adjutant", "Stukov"), ("anna_maria", "Anna Maria"), ("x", "X"),
            ("jean-luc.picard", "Jean Luc Picard"),
        ]
    )
    func anIDIsCalledByAName(_ id: String, _ name: String) {
        #expect(made("hello", in: id).title == name)
        #expect(made("hello", in: id).summary == "{count} messages from \(name).")
    }

    @Test("The text of a notification is truncated at 100 characters, not bytes")
    func aTextIsCutByCharactersAndNotBytes() {
        #expect(made(String(repeating: "ü", count: 100)).body == String(repeating: "ü", count: 100))
        let cut = made(String(repeating: "ü", count: 101)).body
        #expect(cut.count == 100)
        #expect(cut == String(repeating: "ü", count: 99) + "…")
        #expect(made("").body.isEmpty)
    }

    @Test("A push for the open conversation is suppressed only in the foreground")
    func pushForTheOpenConversationIsSuppressedInFront() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.push("here")
        driver.push("there", in: "anna", message: "m2")
        driver.command(.background)
        driver.push("behind", message: "m3")
        #expect(driver.presentations == [[], [.banner, .sound, .badge], [.banner, .sound, .badge]])
    }

    @Test("The notification permission is read again when the app comes to the foreground or opens a conversation")
    func thePermissionIsReadOnEachOccasionOnceItIsKnown() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.foreground)
        #expect(!driver.wishes.contains(.readPermission))
        driver.command(.permission(.denied))
        driver.command(.foreground)
        driver.command(.open(conversation: "stukov"))
        #expect(driver.wishes.filter { $0 == .readPermission }.count == 2)
        driver.command(.permission(.granted))
        #expect(driver["permission.banner_text"] == .null)
    }

    @Test("The system settings open only from the banner about the denied permission")
    func settingsAreOpenedFromTheBannerOnly() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.openSettings)
        #expect(driver.events("client.opened_url").isEmpty)
        driver.command(.permission(.denied))
        driver.command(.openSettings)
        #expect(driver.events("client.opened_url") == [["url": "app-settings:"]])
    }

    @Test("Replying from a notification does not change the open conversation")
    func aReplyLeavesTheScreenAlone() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "anna"))
        let push = Push(for: "client", conversation: "stukov", message: "m1", sender: "stukov", text: "hello")
        driver.command(.reply(to: nil, text: "yes", label: "answer", push: push))
        #expect(driver.sends.map(\.conversation) == ["stukov"])
        #expect(driver.text("view.conversation") == "anna")
    }
}
