/// A client of one's own, within the test: what the adapter protocol is to a process.
///
/// Squall asks for ``offer``, says ``start(at:reporting:)``, then ``perform(_:)`` command by command, each after the one before has returned,
/// and ``stop()`` at the end. Each has five seconds, those in which a call before it was still at work among them. What ``offer`` lists is
/// judged; what it does not list is skipped, with the reason.
public protocol ClientUnderTest: Sendable {
    /// What the client shows and takes; the same whenever it is asked.
    var offer: ClientAbilities { get }

    /// The client begins: from here on it connects. Returns without waiting for the connection.
    ///
    /// - Parameters:
    ///   - server: Where its server is, for this run alone.
    ///   - reporter: Told whatever ``offer`` shows, when it happens, from any thread.
    /// - Throws: What keeps it from beginning; it fails the case.
    func start(at server: ServerAddresses, reporting reporter: ClientReporter) async throws

    /// The user, or the phone, does something that ``offer`` takes.
    ///
    /// Returns when the client has taken it over, not when it has arrived.
    ///
    /// - Returns: For `send`, the id under which the message goes to the server: from here on it may not be lost. Nil for everything else, and
    ///   for a message that was not taken over.
    /// - Throws: Where it was not done: the run goes on and shows `client.refused`.
    func perform(_ command: ClientCommand) async throws -> String?

    /// The run is over: the client closes what it holds, and reports nothing more.
    func stop() async
}
