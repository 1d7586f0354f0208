import Adapter
import ScenarioModel
import SquallCore
import Synchronization

/// Receives a client's reports about itself, as they happen, from any thread.
///
/// Reports that ``ClientCapabilities/shows`` does not list are ignored, and so are reports after `kill` or
/// ``ClientUnderTest/stop()``. A report with a name that is not in the registry, or with a value that the observable
/// cannot have, fails the case.
public struct ClientReporter: Sendable {
    /// One lifetime of a client, from its start to its end; reports after the end are ignored.
    final class Life: Sendable {
        private let isOver = Mutex(false)
        private let say: @Sendable (ForeignInput) -> Void

        init(_ say: @escaping @Sendable (ForeignInput) -> Void) {
            self.say = say
        }

        func end() { isOver.withLock { $0 = true } }

        func emit(_ input: ForeignInput) {
            // The report is emitted while the lock is held, so that no report can follow the end.
            isOver.withLock { if !$0 { say(input) } }
        }
    }

    let life: Life

    private func emit(_ event: AdapterEvent) { life.emit(.output(AdapterMessage.event(event).line)) }

    /// Reports a change in `connection.state`; `word` is the new state, as named by either the client or Squall.
    public func state(_ word: String) { emit(.state(word)) }

    /// Reports that a message is now in a conversation's list, the observable `conversation.messages`.
    ///
    /// - Parameters:
    ///   - id: The ID that the sender assigned to the message or, if there is none, the server-assigned ID.
    ///   - conversation: The conversation whose list contains the message.
    ///   - index: The message's index, from 0 to the length of the list; nil to append the message.
    public func message(_ id: String, in conversation: String, at index: Int? = nil) {
        emit(.message(conversation: conversation, key: id, at: index))
    }

    /// Reports the status of one of the user's messages; `word` is a value of `message.status`.
    public func status(of clientMessageID: String, _ word: String) { emit(.status(key: clientMessageID, word)) }

    /// Reports the new value of an observable that has no method of its own.
    ///
    /// - Parameters:
    ///   - observable: The observable's name.
    ///   - key: The key, written in brackets after the name in scenarios; nil for an observable without keys.
    ///   - value: The complete new value.
    public func show(_ observable: ObservableName, key: String? = nil, _ value: JSONValue) {
        emit(.show(name: observable.text, key: key, value.json))
    }

    /// Reports that a client event has occurred.
    ///
    /// - Parameters:
    ///   - event: The event's name.
    ///   - key: The key, written in brackets after the name in scenarios; nil for an event without a key.
    ///   - fields: The event's fields, an object; durations are ``JSONValue/nanoseconds(_:)``.
    public func did(_ event: ObservableName, key: String? = nil, _ fields: JSONValue = [:]) {
        emit(.did(name: event.text, key: key, fields.json))
    }

    /// Adds a line to the report as a `client.log` event.
    public func log(_ text: String) { emit(.log(text)) }

    /// Reports that the client cannot continue: the case fails with this error, and the run ends.
    public func failed(_ error: any Error) { life.emit(.gone(.clientThrew("\(error)"))) }
}
