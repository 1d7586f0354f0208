package import SquallCore

/// Squall's end of the messages to and from an app that polls for them over HTTP, without I/O.
///
/// Both directions are numbered from 1. A poll acknowledges the messages up to a number and is answered with those
/// after it; a post names the number of its first message and is answered with the number of the last one taken. A
/// request that is lost, repeated or overtaken therefore loses and doubles nothing.
///
/// Each start of the app is an instance with numbers of its own. A new instance replaces the one before.
package struct AppChannel: Sendable {
    package enum Output: Hashable, Sendable {
        /// Answer the request with this number.
        case answer(Int, ControlAnswer)
        /// A new instance of the app has connected. What was sent to the one before and not acknowledged is discarded.
        case connected
        /// A message of the current instance; each is reported once, in order.
        case received(JSON)
    }

    /// A poll that is not answered yet, because there is no message for it.
    private struct HeldPoll: Hashable {
        var request: Int
        var until: Instant
    }

    /// How long a poll is held without a message.
    package static let hold = TimeSpan.seconds(20)
    /// The largest number of messages in one answer.
    private static let batch = 100
    /// How many replaced instances are recognized, so that their late requests are refused.
    private static let remembered = 64

    private var instance: String?
    private var replaced: [String] = []
    /// The messages that the app has not acknowledged, as JSON, beginning with number `acknowledged + 1`.
    private var outgoing: [[UInt8]] = []
    private var acknowledged: Int64 = 0
    /// The number of the last message taken from the app.
    private var taken: Int64 = 0
    private var held: HeldPoll?
    private var lastRequest = Instant.zero
    /// Set by ``close()``; every later request is refused.
    private var isClosed = false

    package init() {}

    /// The time of the current instance's last request; nil while a poll is held, or without an instance.
    package var silentSince: Instant? { instance == nil || held != nil ? nil : lastRequest }

    /// When ``timer(at:)`` is due.
    package var nextDeadline: Instant? { held?.until }

    // MARK: - From Squall

    /// Sends a message, a JSON object, to the current instance; without one it is discarded.
    package mutating func send(_ message: [UInt8]) -> [Output] {
        guard instance != nil else { return [] }
        outgoing.append(message)
        return answerHeld()
    }

    /// Refuses the current instance from now on. The next one is new.
    package mutating func retire() -> [Output] {
        guard let instance else { return [] }
        replaced.append(instance)
        if replaced.count > Self.remembered { replaced.removeFirst() }
        self.instance = nil
        (outgoing, acknowledged, taken) = ([], 0, 0)
        guard let poll = held else { return [] }
        held = nil
        return [.answer(poll.request, isClosed ? .over : .replaced)]
    }

    /// Ends all communication.
    package mutating func close() -> [Output] {
        isClosed = true
        return retire()
    }

    package mutating func timer(at now: Instant) -> [Output] {
        guard let held, held.until <= now else { return [] }
        lastRequest = now
        return answerHeld()
    }

    // MARK: - From the app

    /// Takes a poll of the instance `app`, which has the messages up to number `after`.
    package mutating func poll(_ request: Int, by app: String, after: Int64, at now: Instant) -> [Output] {
        var outputs: [Output] = []
        if let refusal = admit(app, isFirst: after == 0, &outputs) { return [.answer(request, refusal)] }
        lastRequest = now
        let sent = acknowledged + Int64(outgoing.count)
        guard after <= sent else {
            let why = "message \(after) was never sent; the last one is \(sent)"
            return outputs + [.answer(request, .refused(409, why))]
        }
        // A later poll has overtaken this one, whose answer the app no longer awaits.
        guard after >= acknowledged else { return outputs + [.answer(request, .messages([], first: after + 1))] }
        outgoing.removeFirst(Int(after - acknowledged))
        acknowledged = after
        // The newest poll counts: the app has given up an older one, or its connection is lost.
        if let held { outputs.append(.answer(held.request, .messages([], first: acknowledged + 1))) }
        held = HeldPoll(request: request, until: now + Self.hold)
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
        // Messages before these are still under way, or lost; the app sends them again.
        guard first <= taken + 1 else { return outputs + [.answer(request, .taken(taken, status: 409))] }
        let new = messages.dropFirst(Int(min(taken + 1 - first, Int64(messages.count))))
        taken += Int64(new.count)
        outputs.append(.answer(request, .taken(taken)))
        return outputs + new.map(Output.received)
    }

    /// Forgets a request whose connection has ended, so that the messages wait for the next poll.
    package mutating func abandoned(_ request: Int, at now: Instant) {
        guard held?.request == request else { return }
        held = nil
        lastRequest = now
    }

    /// Accepts a request of the current instance or of a new one; returns the refusal of any other.
    private mutating func admit(_ app: String, isFirst: Bool, _ outputs: inout [Output]) -> ControlAnswer? {
        if isClosed { return .over }
        if app == instance { return nil }
        if replaced.contains(app) { return .replaced }
        // The instance's first request may have been overtaken by this one, and is repeated in that case.
        guard isFirst else { return .refused(409, "the first request of the app '\(app)' has not arrived") }
        outputs += retire()
        instance = app
        outputs.append(.connected)
        return nil
    }

    private mutating func answerHeld() -> [Output] {
        guard let poll = held else { return [] }
        held = nil
        return [.answer(poll.request, .messages(outgoing.prefix(Self.batch), first: acknowledged + 1))]
    }
}
