import ChatWire
import ReferenceClient
import SquallCore

/// The checks for defects in the share extension and in how the app takes over its messages.
let sharingProofs: [Proof] = [
    Proof("sharedFoundAtLaunch") { driver in
        driver.startConnected()
        driver.feed(.sharedChanged)
        return driver.wishes.count { $0 == .readShared } == 2
    },
    Proof("sharedSentByBoth") { driver in
        !driver.writes(of: "a link").contains { if case .transfer = $0 { true } else { false } }
    },
    Proof("sharedTakenTwice") { driver in
        driver.startConnected()
        guard let message = driver.shared("a link") else { return false }
        driver.feed(.shared([message]))
        driver.feed(.shared([message]))
        return driver.sends.map(\.clientMessageID) == [message.key]
    },
    Proof("sharedRemovedFirst") { driver in
        driver.startConnected()
        guard let message = driver.shared("a link") else { return false }
        driver.diskIsFast = false
        driver.feed(.shared([message]))
        return !driver.wishes.contains(.removeShared(message.key))
    },
    Proof("sharedBeforeItsFile") { driver in
        guard case .wroteFile? = driver.writes(of: "", file: "cat.jpg").first else { return false }
        return true
    },
]

extension Driver {
    /// Returns everything that a share extension of this client writes for a message, in order.
    func writes(of text: String, file: String? = nil, number: Int = 0) -> [ShareExtension.Output] {
        var process = ShareExtension(
            SharedDraft(conversation: "stukov", text: text, file: file, bytes: 1000),
            label: nil,
            number: number,
            id: id,
            user: id.name,
            key: "key-1",
            profile: profile,
            policy: policy,
            wire: wire,
            seed: Seed(seed),
            at: now
        )
        var outputs: [ShareExtension.Output] = []
        while let deadline = process.deadline { outputs += process.timer(at: deadline) }
        return outputs
    }

    /// Returns the message that a share extension leaves for the app.
    func shared(_ text: String, file: String? = nil, number: Int = 0) -> SharedMessage? {
        for case .wroteMessage(let message) in writes(of: text, file: file, number: number) { return message }
        return nil
    }
}
