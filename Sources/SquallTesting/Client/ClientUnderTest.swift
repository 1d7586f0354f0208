/// Your own client, which runs in the test process. Squall controls it with the same commands that the adapter protocol
/// sends to a client in another process.
///
/// Squall reads ``capabilities`` and calls ``start(at:reporting:)``. It then calls ``send(_:)`` or ``perform(_:)`` for
/// each command, after the previous call has returned, and calls ``stop()`` at the end. A call may take at most five
/// seconds, including any time spent waiting for the previous call. Expectations that need capabilities that the client
/// does not list are skipped, with the reason.
public protocol ClientUnderTest: Sendable {
    /// The observables, events and commands that the client supports. The value must never change.
    var capabilities: ClientCapabilities { get }

    /// Starts the client, which may connect from now on. The function returns without waiting for the connection.
    ///
    /// - Parameters:
    ///   - server: The addresses of the client's server, valid for this run only.
    ///   - reporter: Receives the client's reports, as they happen, from any thread.
    /// - Throws: An error if the client cannot start; the case then fails.
    func start(at server: ServerAddresses, reporting reporter: ClientReporter) async throws

    /// Sends a message from the user. Called only if ``capabilities`` includes `.send`.
    ///
    /// Returns when the client has accepted the message, not when the message has arrived.
    ///
    /// - Returns: The ID with which the client sends the message to the server, or nil if the client did not accept the
    ///   message. Once the function has returned an ID, the message must not be lost.
    /// - Throws: An error if the message was not accepted; the run continues and reports `client.refused`.
    func send(_ message: OutgoingMessage) async throws -> String?

    /// Performs a command other than `.send`. Called only for commands that ``capabilities`` lists.
    ///
    /// Returns when the client has accepted the command.
    ///
    /// - Throws: An error if the command was not performed; the run continues and reports `client.refused`.
    func perform(_ command: ClientCommand) async throws

    /// Ends the run. The client closes its connections and files, and reports nothing more.
    func stop() async
}

extension ClientUnderTest {
    /// Rejects every command; used by clients that accept only `.send`.
    ///
    /// - Throws: ``SquallTestingError``, always.
    public func perform(_ command: ClientCommand) async throws {
        throw SquallTestingError(.usage, "the client lists this command in 'takes' but does not implement perform(_:)")
    }
}

/// A message that the user of a ``ClientUnderTest`` sends.
public struct OutgoingMessage: Hashable, Sendable {
    /// The message's conversation; nil for the open conversation.
    public let conversation: String?
    /// The text of the message.
    public let text: String
    /// The message's label in the scenario (`as:`); nil if it has none.
    public let label: String?
}
