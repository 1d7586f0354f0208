import Adapter
import ScenarioModel
import SquallCore
import Synchronization

/// Receives a client's reports about itself, as they happen, from any thread.
///
/// Reports that ``ClientCapabilities/shows`` does not list are ignored. A name that the registry does not have, or a
/// value that an observable cannot have, fails the case. Reports after `kill` or ``ClientUnderTest/stop()`` are
/// ignored.
public struct ClientReporter: Sendable {
    /// Whether reports still count.
    final class Life: Sendable {
        private let isOver = Mutex(false)
        private let say: @Sendable (ForeignInput) -> Void

        init(_ say: @escaping @Sendable (ForeignInput) -> Void) {
            self.say = say
        }

        func end() { isOver.withLock { $0 = true } }

        func emit(_ input: ForeignInput) {
            // Under the lock, so that nothing follows the end.
            isOver.withLock { if !$0 { say(input) } }
        }
    }

    let life: Life

    private func emit(_ event: AdapterEvent) { life.emit(.output(AdapterMessage.event(event).line)) }

    /// Reports that `connection.state` has changed, to one of ``ClientCapabilities/states``.
    public func state(_ word: String) { emit(.state(word)) }

    /// Reports a message that is now in a conversation's list, `conversation.messages`.
    ///
    /// - Parameters:
    ///   - id: The id that its sender gave it; if it has none, the server's.
    ///   - conversation: The conversation of the list.
    ///   - place: Its index, from 0 to the length of the list; nil for the end.
    public func message(_ id: String, in conversation: String, at place: Int? = nil) {
        emit(.message(conversation: conversation, key: id, at: place))
    }

    /// Reports the status of a message of the user: a value of `message.status`.
    public func status(of clientMessageID: String, _ word: String) { emit(.status(key: clientMessageID, word)) }

    /// Reports the new value of any other observable.
    ///
    /// - Parameters:
    ///   - observable: Its name.
    ///   - key: The text in brackets after the name, for names that have a key.
    ///   - value: The complete new value.
    public func show(_ observable: ObservableName, key: String? = nil, _ value: JSONValue) {
        emit(.show(name: observable.text, key: key, value.json))
    }

    /// Reports that an event of the client has happened.
    ///
    /// - Parameters:
    ///   - event: Its name.
    ///   - key: The text in brackets after the name, for names that have a key.
    ///   - fields: An object; durations are ``JSONValue/nanoseconds(_:)``.
    public func did(_ event: ObservableName, key: String? = nil, _ fields: JSONValue = [:]) {
        emit(.did(name: event.text, key: key, fields.json))
    }

    /// Adds a line to the report, `client.log`.
    public func log(_ text: String) { emit(.log(text)) }

    /// Reports that the client cannot go on: the case fails with this error, and the run ends.
    public func failed(_ error: any Error) { life.emit(.gone(.threw("\(error)"))) }
}
