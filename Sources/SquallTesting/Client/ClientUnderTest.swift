/// A client of your own within the test process, driven as the adapter protocol drives a process.
///
/// Squall reads ``capabilities``, then calls ``start(at:reporting:)``, then ``send(_:)`` and ``perform(_:)`` for one
/// command after another, each after the call before has returned, and ``stop()`` at the end. A call may take five
/// seconds, including its wait for the previous call. What ``capabilities`` lists is judged; the rest is skipped, with
/// the reason.
public protocol ClientUnderTest: Sendable {
    /// What the client shows and takes. It must always be the same.
    var capabilities: ClientCapabilities { get }

    /// Starts the client, which may connect from now on. Returns without waiting for the connection.
    ///
    /// - Parameters:
    ///   - server: The addresses of its server, for this run alone.
    ///   - reporter: Receives the client's reports, as they happen, from any thread.
    /// - Throws: An error that keeps the client from starting; the case then fails.
    func start(at server: ServerAddresses, reporting reporter: ClientReporter) async throws

    /// The user sends a message. Called only if ``capabilities`` includes `.send`.
    ///
    /// Returns when the client has accepted the message, not when it has arrived.
    ///
    /// - Returns: The id under which the message goes to the server: it must not be lost any more. Nil if the client
    ///   did not accept it.
    /// - Throws: An error if the message was not accepted; the run continues and shows `client.refused`.
    func send(_ message: OutgoingMessage) async throws -> String?

    /// Carries out another command that ``capabilities`` lists. Returns when the client has accepted the
    /// command.
    ///
    /// - Throws: An error if it was not carried out; the run continues and shows `client.refused`.
    func perform(_ command: ClientCommand) async throws

    /// Ends the run: the client closes its connections and files, and reports nothing more.
    func stop() async
}

extension ClientUnderTest {
    /// Refuses every command, for clients that take `.send` alone.
    ///
    /// - Throws: ``SquallTestingError``, always.
    public func perform(_ command: ClientCommand) async throws {
        throw SquallTestingError(.usage, "the client lists this command in 'takes' but does not implement perform(_:)")
    }
}

/// A message that the user of a ``ClientUnderTest`` sends.
public struct OutgoingMessage: Hashable, Sendable {
    /// The message's conversation; nil for the open one.
    public let conversation: String?
    /// The text of the message.
    public let text: String
    /// The message's label in the scenario (`as:`), if it has one.
    public let label: String?
}
