import Adapter
import ScenarioModel
import SquallCore
import Synchronization

/// What a client tells of itself, when it happens, from any thread.
///
/// What its ``ClientAbilities/shows`` does not list is left alone; what the registry does not have, or what an observable cannot be, fails the
/// case. After `kill` or ``ClientUnderTest/stop()`` nobody listens.
public struct ClientReporter: Sendable {
    /// Whether anybody still listens.
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

    /// The connection's state is another, `connection.state`, in one of the words of ``ClientAbilities/states``.
    public func state(_ word: String) { emit(.state(word)) }

    /// A message stands in a conversation's list now, `conversation.messages`, under the id that its sender gave it or, where it has none, the
    /// server's.
    ///
    /// - Parameters:
    ///   - id: Which one.
    ///   - conversation: Whose list it is.
    ///   - place: From 0, at most as many as are in the list; at the end where it is nil.
    public func message(_ id: String, in conversation: String, at place: Int? = nil) {
        emit(.message(conversation: conversation, key: id, at: place))
    }

    /// What became of a message of the user: a word of `message.status`.
    public func status(of clientMessageID: String, _ word: String) { emit(.status(key: clientMessageID, word)) }

    /// Any other observable has a new value.
    ///
    /// - Parameters:
    ///   - observable: Its name.
    ///   - key: What stands in brackets behind the name, where it has a key.
    ///   - value: The whole new value.
    public func show(_ observable: String, key: String? = nil, _ value: JSONValue) {
        emit(.show(name: observable, key: key, value.json))
    }

    /// An event of the client's has happened.
    ///
    /// - Parameters:
    ///   - event: Its name.
    ///   - key: What stands in brackets behind the name, where it has a key.
    ///   - fields: An object; spans of time are ``JSONValue/nanoseconds(_:)``.
    public func did(_ event: String, key: String? = nil, _ fields: JSONValue = [:]) {
        emit(.did(name: event, key: key, fields.json))
    }

    /// A line for the report, `client.log`.
    public func log(_ text: String) { emit(.log(text)) }

    /// The client cannot go on: the case fails with this error, and the run ends.
    public func failed(_ error: any Error) { life.emit(.gone(.threw("\(error)"))) }
}
