package import SquallCore

/// What comes of what a client says and does.
package enum AdapterSignal: Hashable, Sendable {
    /// The client has forgotten the run before: `init` may be asked.
    case reset
    /// `init` is answered.
    case ready(ClientOffer)
    case done(AdapterCommand, AdapterMessage.Completion)
    case refused(AdapterCommand, AdapterRefusal)
    case event(AdapterEvent)
    /// A type or an event of a later version.
    case ignored(String)
    /// A command was not answered in time: whoever holds its standard input closes it, and the client may still leave and say why on
    /// standard error. The failure follows.
    case closeInput
    /// The last signal: nothing that comes afterwards counts.
    case failed(AdapterFailure)
}

/// Squall's side of one client process's conversation, without I/O: bytes in, signals and lines out.
///
/// Whatever the client does, each command ends in an answer or in a failure, within its deadline.
package struct AdapterSession: Sendable {
    private enum Phase: Hashable {
        /// `reset` is out; what is left of another run is passed over. Next: ``greeting``, ``leaving(_:until:)``, ``over``.
        case resetting
        /// `init` is out. Next: ``ready``, ``leaving(_:until:)``, ``over``.
        case greeting
        /// Commands go out, answers and events come in. Next: ``leaving(_:until:)``, ``over``.
        case ready
        /// Has failed by not answering, and has a moment for its last words: what hung because of an error often ends, and tells of
        /// it, once it is let go. Next: ``over``.
        case leaving(AdapterFailure.Kind, until: Instant)
        /// Failed, or ended at Squall's wish. What still arrives is ignored.
        case over
    }

    private struct Asked: Hashable {
        var id: Int64
        var command: AdapterCommand
        var deadline: Instant
        var isVoid = false
    }

    private let limits: AdapterLimits
    private var phase = Phase.greeting
    private var reader: LineReader
    private var errors: Tail
    private var asked: [Asked] = []
    private var lastID: Int64 = 0
    /// When lines came, the oldest first; at most as many as make a flood.
    private var arrivals: [Instant] = []
    private var outputIsClosed: Instant?
    private var pausedAt: Instant?

    /// How long a process that has closed its output may take to end.
    private static let closingSpan = TimeSpan.seconds(1)
    /// How long a process that has not answered is given to say why.
    private static let lastWordsSpan = TimeSpan.milliseconds(200)

    /// A process that has served another run begins with `reset`, a new one with `init`.
    package init(limits: AdapterLimits = AdapterLimits(), isReused: Bool = false) {
        self.limits = limits
        if isReused { phase = .resetting }
        reader = LineReader(limit: limits.line)
        errors = Tail(bytes: limits.errorBytes, lines: limits.errorLines)
    }

    package var isReady: Bool { phase == .ready }
    /// Nothing that it says on standard output counts any more.
    package var isOver: Bool { phase == .over || isLeaving }
    private var isLeaving: Bool { if case .leaving = phase { true } else { false } }
    /// The last lines of standard error.
    package var lastErrors: [String] { errors.lines }

    /// When ``timer(at:)`` is due.
    package var nextDeadline: Instant? {
        guard phase != .over, pausedAt == nil else { return nil }
        if case .leaving(_, let until) = phase { return until }
        let answers = asked.map(\.deadline).min()
        let closing = outputIsClosed.map { $0 + Self.closingSpan }
        return [answers, closing].compactMap(\.self).min()
    }

    // MARK: - To the client

    /// The line to be written.
    package mutating func ask(_ command: AdapterCommand, at now: Instant) -> [UInt8] {
        lastID += 1
        let span = phase == .greeting ? limits.ready : limits.answer
        asked.append(Asked(id: lastID, command: command, deadline: now + span))
        return command.line(id: lastID)
    }

    /// Squall has stopped the process: it cannot answer, and need not.
    package mutating func pause(at now: Instant) {
        if pausedAt == nil { pausedAt = now }
    }

    /// It goes on: the time between does not count.
    package mutating func resume(at now: Instant) {
        guard let pausedAt else { return }
        self.pausedAt = nil
        for place in asked.indices { asked[place].deadline = asked[place].deadline + (now - pausedAt) }
    }

    /// The client has been ended in its place: what it still answers is about a life that is over.
    package mutating func voidAsked() {
        for place in asked.indices { asked[place].isVoid = true }
    }

    /// Squall ends the process: whatever it still says or does is no failure.
    package mutating func end() {
        phase = .over
        asked.removeAll()
    }

    // MARK: - From the client

    package mutating func receive(_ bytes: [UInt8], at now: Instant) -> [AdapterSignal] {
        guard !isOver else { return [] }
        var signals: [AdapterSignal] = []
        do throws(AdapterFailure.Kind) {
            for line in try reader.take(bytes) {
                try count(at: now)
                guard let message = try read(line) else { continue }
                if let signal = try take(message) { signals.append(signal) }
            }
        } catch {
            signals.append(fail(error))
        }
        return signals
    }

    /// Nil for what is left of another run, which may begin within a line.
    private func read(_ line: ArraySlice<UInt8>) throws(AdapterFailure.Kind) -> AdapterMessage? {
        do throws(AdapterFailure.Kind) {
            return try AdapterMessage(line: line)
        } catch {
            guard phase == .resetting else { throw error }
            return nil
        }
    }

    package mutating func receiveErrors(_ bytes: [UInt8]) {
        errors.add(bytes)
    }

    package mutating func outputClosed(at now: Instant) {
        outputIsClosed = outputIsClosed ?? now
    }

    package mutating func exited(_ end: ProcessEnd) -> [AdapterSignal] {
        switch phase {
        case .over: return []
        case .leaving(let kind, _): return [fail(kind, end)]
        case .resetting, .greeting, .ready: return [fail(.exited(end), end)]
        }
    }

    /// What has no process has ended all the same.
    package mutating func gone(_ kind: AdapterFailure.Kind) -> [AdapterSignal] {
        guard phase != .over else { return [] }
        return [fail(kind)]
    }

    package mutating func couldNotStart(_ reason: String) -> [AdapterSignal] {
        guard phase != .over else { return [] }
        return [fail(.notStarted(reason: reason))]
    }

    package mutating func timer(at now: Instant) -> [AdapterSignal] {
        guard let due = nextDeadline, due <= now else { return [] }
        if case .leaving(let kind, _) = phase { return [fail(kind)] }
        if let late = asked.first(where: { $0.deadline <= now }) {
            let kind: AdapterFailure.Kind =
                phase == .greeting
                ? .neverReady(after: limits.ready) : .hung(command: late.command.type, after: limits.answer)
            phase = .leaving(kind, until: now + Self.lastWordsSpan)
            asked.removeAll()
            return [.closeInput]
        }
        return [fail(.closedOutput)]
    }

    /// The run cannot go on with this client, for a reason that whoever reads its events has found.
    package mutating func fail(_ kind: AdapterFailure.Kind, _ end: ProcessEnd? = nil) -> AdapterSignal {
        phase = .over
        asked.removeAll()
        return .failed(AdapterFailure(kind, end: end, lastErrors: errors.lines))
    }

    private mutating func count(at now: Instant) throws(AdapterFailure.Kind) {
        arrivals.append(now)
        guard arrivals.count > limits.floodLines else { return }
        let oldest = arrivals.removeFirst()
        guard now - oldest > limits.floodSpan else {
            throw .flooded(lines: limits.floodLines, within: limits.floodSpan)
        }
    }

    /// Of all that comes before it, only the answer to `reset` counts.
    private mutating func takeLate(_ message: AdapterMessage) throws(AdapterFailure.Kind) -> AdapterSignal? {
        switch message {
        case .done(let id, _) where asked.contains { $0.id == id }:
            asked.removeAll()
            phase = .greeting
            return .reset
        case .refused(let id, _) where asked.contains { $0.id == id }: throw .notSupported(command: "reset")
        case .done, .refused, .ready, .event, .unknown: return nil
        }
    }

    private mutating func take(_ message: AdapterMessage) throws(AdapterFailure.Kind) -> AdapterSignal? {
        if phase == .resetting { return try takeLate(message) }
        switch message {
        case .ready(let id, let offer):
            guard phase == .greeting, let place = asked.firstIndex(where: { $0.id == id }) else {
                throw .unasked(id: id)
            }
            asked.remove(at: place)
            phase = .ready
            return .ready(offer)
        case .done(let id, let completion):
            return try answered(id).map { .done($0, completion) }
        case .refused(let id, let refusal):
            if phase == .greeting, asked.contains(where: { $0.id == id }) { throw .refusedInit(refusal.text) }
            guard let command = try answered(id) else { return nil }
            guard refusal.code != "not_supported" else { throw .notSupported(command: command.type) }
            return .refused(command, refusal)
        case .event(let event): return .event(event)
        case .unknown(let word): return .ignored(word)
        }
    }

    /// The command behind an answer; nil where nobody wants to know any more.
    private mutating func answered(_ id: Int64) throws(AdapterFailure.Kind) -> AdapterCommand? {
        guard phase == .ready, let place = asked.firstIndex(where: { $0.id == id }) else { throw .unasked(id: id) }
        let answered = asked.remove(at: place)
        return answered.isVoid ? nil : answered.command
    }
}
