package import SquallCore

/// Squall's side of the message exchange with an app that polls for messages over HTTP, without I/O.
///
/// The messages of each direction are numbered from 1. A poll acknowledges all messages up to a number and returns the
/// later ones. A post contains the number of its first message and returns the number of the last message accepted. A
/// request that is lost, repeated or reordered therefore neither loses nor duplicates a message.
///
/// Each launch of the app is an instance with its own numbers. A new instance replaces the previous one.
package struct AppChannel: Sendable {
    package enum Output: Hashable, Sendable {
        /// The caller must send the response to the request identified by the number.
        case answer(Int, ControlAnswer)
        /// A new instance of the app has connected. Unacknowledged messages to the previous instance are discarded.
        case connected
        /// The current instance has sent a message. Each message is reported once, in order.
        case received(JSON)
    }

    /// A poll that has not been answered yet, because there is no message for it.
    private struct HeldPoll: Hashable {
        var request: Int
        var until: Instant
    }

    /// How long a poll may be held while there is no message for it.
    package static let maximumHoldTime = TimeSpan.seconds(20)
    /// The maximum number of messages in one response.
    private static let maximumBatchSize = 100
    /// The maximum number of replaced instances to remember. Late requests from remembered instances are rejected.
    private static let maximumReplacedInstances = 64

    private var instance: String?
    private var replaced: [String] = []
    /// The messages that the app has not acknowledged, as JSON, beginning with number `acknowledged + 1`.
    private var outgoing: [[UInt8]] = []
    private var acknowledged: Int64 = 0
    /// The number of the last message accepted from the app.
    private var lastAccepted: Int64 = 0
    private var heldPoll: HeldPoll?
    private var lastRequest = Instant.zero
    /// Whether ``close()`` was called, so that all requests are rejected.
    private var isClosed = false

    package init() {}

    /// The time of the current instance's last request; nil while a poll is held or if there is no instance.
    package var silentSince: Instant? { instance == nil || heldPoll != nil ? nil : lastRequest }

    /// The next instant at which ``timer(at:)`` must be called; nil if no poll is held.
    package var nextDeadline: Instant? { heldPoll?.until }

    // MARK: - Messages from Squall

    /// Sends a message, a JSON object, to the current instance; discards it if there is no instance.
    package mutating func send(_ message: [UInt8]) -> [Output] {
        guard instance != nil else { return [] }
        outgoing.append(message)
        return answerHeld()
    }

    /// Rejects the current instance from now on, so that the next request must come from a new instance.
    package mutating func rejectCurrentInstance() -> [Output] {
        guard let instance else { return [] }
        replaced.append(instance)
        if replaced.count > Self.maximumReplacedInstances { replaced.removeFirst() }
        self.instance = nil
        (outgoing, acknowledged, lastAccepted) = ([], 0, 0)
        guard let poll = heldPoll else { return [] }
        heldPoll = nil
        return [.answer(poll.request, isClosed ? .over : .replaced)]
    }

    /// Rejects all requests from now on, including the held poll.
    package mutating func close() -> [Output] {
        isClosed = true
        return rejectCurrentInstance()
    }

    package mutating func timer(at now: Instant) -> [Output] {
        guard let heldPoll, heldPoll.until <= now else { return [] }
        lastRequest = now
        return answerHeld()
    }

    // MARK: - Requests from the app

    /// Handles a poll from the instance `app`, which has received the messages up to number `after`.
    package mutating func poll(_ request: Int, by app: String, after: Int64, at now: Instant) -> [Output] {
        var outputs: [Output] = []
        if let refusal = admit(app, isFirst: after == 0, &outputs) { return [.answer(request, refusal)] }
        lastRequest = now
        let sent = acknowledged + Int64(outgoing.count)
        guard after <= sent else {
            let why = "message \(after) was never sent; the last one is \(sent)"
            return outputs + [.answer(request, .refused(409, why))]
        }
        // A later poll has overtaken this one, and the app is no longer waiting for this response.
        guard after >= acknowledged else { return outputs + [.answer(request, .messages([], first: after + 1))] }
        outgoing.removeFirst(Int(after - acknowledged))
        acknowledged = after
        // Only the newest poll is held: the app has given up on the older one, or the older one's connection is lost.
        if let heldPoll { outputs.append(.answer(heldPoll.request, .messages([], first: acknowledged + 1))) }
        heldPoll = HeldPoll(request: request, until: now + Self.maximumHoldTime)
        return outputs + (outgoing.isEmpty ? [] : answerHeld())
    }

    /// Handles messages that the instance `app` posts, numbered from `first`.
    package mutating func post(
        _ request: Int,
        by app: String,
        first: Int64,
        _ messages: [JSON],
        at now: Instant
    ) -> [Output] {
        var outputs: [Output] = []
        if let refusal = admit(app, isFirst: first == 1, &outputs) { return [.answer(request, refusal)] }
        lastRequest = now
        // Earlier messages are in flight or lost; the app will send them again.
        guard first <= lastAccepted + 1 else { return outputs + [.answer(request, .taken(lastAccepted, status: 409))] }
        let new = messages.dropFirst(Int(min(lastAccepted + 1 - first, Int64(messages.count))))
        lastAccepted += Int64(new.count)
        outputs.append(.answer(request, .taken(lastAccepted)))
        return outputs + new.map(Output.received)
    }

    /// Removes a request whose connection has ended, so that the messages wait for the next poll.
    package mutating func abandoned(_ request: Int, at now: Instant) {
        guard heldPoll?.request == request else { return }
        heldPoll = nil
        lastRequest = now
    }

    /// Admits a request from the current instance, or from a new instance, which then replaces the current one. Returns
    /// nil if the request is admitted, otherwise the error response.
    private mutating func admit(_ app: String, isFirst: Bool, _ outputs: inout [Output]) -> ControlAnswer? {
        if isClosed { return .over }
        if app == instance { return nil }
        if replaced.contains(app) { return .replaced }
        // This request may have overtaken the instance's first request. The app retries a rejected request.
        guard isFirst else { return .refused(409, "the first request of the app '\(app)' has not arrived") }
        outputs += rejectCurrentInstance()
        instance = app
        outputs.append(.connected)
        return nil
    }

    private mutating func answerHeld() -> [Output] {
        guard let poll = heldPoll else { return [] }
        heldPoll = nil
        return [.answer(poll.request, .messages(outgoing.prefix(Self.maximumBatchSize), first: acknowledged + 1))]
    }
}
