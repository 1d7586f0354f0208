import ChatWire
import ReferenceClient
import SquallCore
import Testing

/// Tests the share extension, and how the app takes over the extension's messages.
@Suite struct SharingTests {
    @Test("Each write of the extension takes the profile's time, and the message comes last")
    func theExtensionWritesTheMessageLast() throws {
        let driver = Driver()
        var process = ShareExtension(
            SharedDraft(conversation: "stukov", text: "", file: "cat.jpg", bytes: 1000),
            label: "cat",
            number: 0,
            id: driver.id,
            user: "client",
            key: "key-1",
            profile: driver.profile,
            policy: .reference,
            wire: driver.wire,
            seed: Seed(1),
            at: .zero
        )
        let span = driver.profile.device.shareWrite
        #expect(process.deadline == Instant.zero + span)
        #expect(process.timer(at: .zero + span - .milliseconds(1)).isEmpty)
        guard case .wroteFile(process.message.key)? = process.timer(at: .zero + span).first else {
            Issue.record("the file is not written first")
            return
        }
        #expect(process.deadline == Instant.zero + span + span)
        guard case .wroteMessage(let message)? = process.timer(at: .zero + span + span).first else {
            Issue.record("the message is not written last")
            return
        }
        #expect(message.image?.file == "cat.jpg" && message.image?.bytes == 1000)
        #expect(process.deadline == nil)
        #expect(process.timer(at: .zero + .seconds(60)).isEmpty)
    }

    @Test("Two messages of the extension have different ids") func idsDiffer() throws {
        let driver = Driver()
        let first = try #require(driver.shared("one"))
        let second = try #require(driver.shared("two", number: 1))
        #expect(first.key != second.key)
    }

    @Test("Messages are sent in the order of the container, and removed once they are on disk")
    func messagesAreTakenOver() throws {
        var driver = Driver()
        driver.startConnected()
        let messages = try (0..<3).map { try #require(driver.shared("link \($0)", number: $0)) }
        driver.feed(.shared(messages))
        #expect(driver.sends.map(\.clientMessageID) == messages.map(\.key))
        #expect(driver.sends.map(\.text) == ["link 0", "link 1", "link 2"])
        #expect(driver.wishes.suffix(3) == messages.map { .removeShared($0.key) })
    }

    @Test("A message that is still in the container after a kill is neither sent nor shown again")
    func aKillBeforeTheRemovalChangesNothing() throws {
        var driver = Driver()
        driver.startConnected()
        let message = try #require(driver.shared("a link"))
        driver.feed(.shared([message]))
        driver.killAndStart(Phone())
        driver.feed(.shared([message]))
        #expect(driver.list("conversation.messages[stukov]") == [message.key])
        #expect(driver.wishes.last == .removeShared(message.key))
    }

    @Test("A message of another user stays in the container") func anotherUsersMessageStays() throws {
        var driver = Driver()
        driver.startConnected()
        let message = try #require(driver.shared("a link"))
        driver.command(.signIn(user: "anna", key: "key-2"))
        driver.feed(.shared([message]))
        #expect(driver.sends.isEmpty)
        #expect(!driver.wishes.contains(.removeShared(message.key)))
    }

    @Test("The app looks for messages at its launch and on the return to the foreground")
    func theAppLooksWhenMessagesMayHaveCome() {
        var driver = Driver()
        driver.startConnected()
        #expect(driver.wishes.count { $0 == .readShared } == 1)
        driver.command(.background)
        driver.command(.foreground)
        #expect(driver.wishes.count { $0 == .readShared } == 2)
    }
}
