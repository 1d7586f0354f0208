import ReferenceClient
import SquallCore

/// The storage that the app shares with its share extension, and the extension's running processes.
///
/// It belongs to the device, so it outlives the processes of both the app and the extension.
struct SharedContainer {
    private(set) var extensions: [ShareExtension] = []
    /// The number of extension processes started so far.
    private(set) var launches = 0
    private var messages: [SharedMessage] = []
    /// The keys of the messages whose images are in the container.
    private var files: Set<String> = []

    var nextDeadline: Instant? { extensions.compactMap(\.deadline).min() }

    /// The number of messages in the container.
    var count: Int { messages.count }

    /// The messages for the app, oldest first. A message whose image is not in the container is returned without it.
    var contents: [SharedMessage] {
        messages.map { message in
            var message = message
            if !files.contains(message.key) { message.image = nil }
            return message
        }
    }

    mutating func begin(_ process: ShareExtension) {
        launches += 1
        extensions.append(process)
    }

    /// Completes the writes that are due, and ends the processes that have nothing left to write.
    mutating func timer(at now: Instant) -> [ShareExtension.Output] {
        var outputs: [ShareExtension.Output] = []
        for index in extensions.indices { outputs += extensions[index].timer(at: now) }
        extensions.removeAll { $0.deadline == nil }
        for output in outputs {
            switch output {
            case .wroteFile(let key): files.insert(key)
            case .wroteMessage(let message): messages.append(message)
            case .transfer: break
            }
        }
        return outputs
    }

    /// Ends all extension processes, and returns the keys of the messages that they had not saved yet.
    mutating func killExtensions() -> [String] {
        defer { extensions = [] }
        let saved = Set(messages.map(\.key))
        return extensions.map(\.message.key).filter { !saved.contains($0) }
    }

    /// Removes a message that the app has taken over; returns whether it was in the container.
    mutating func remove(_ key: String) -> Bool {
        let before = messages.count
        messages.removeAll { $0.key == key }
        files.remove(key)
        return messages.count < before
    }
}
