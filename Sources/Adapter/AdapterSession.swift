package import SquallCore

/// A signal from an ``AdapterSession`` to its caller.
package enum AdapterSignal: Hashable, Sendable {
    /// The client has reset itself after the previous run, so `init` can now be sent.
    case reset
    /// The client has answered `init`.
    case ready(AdapterCapabilities)
    case done(AdapterCommand, AdapterMessage.Completion)
    case refused(AdapterCommand, AdapterRefusal)
    case event(AdapterEvent)
    /// The client sent a message type or an event that belongs to a later version of the protocol.
    case ignored(String)
    /// A command was not answered in time. The caller closes the client's standard input, so that the client can still
    /// exit and report the reason on standard error. The signal ``failed(_:)`` follows.
    case closeInput
    /// The session has failed. This is the last signal; later output from the client is ignored.
    case failed(AdapterFailure)
}

/// Squall's side of the adapter protocol with one client process, without I/O: bytes in, signals and lines out.
///
/// Every command is answered or fails by its deadline, whatever the client does.
package struct AdapterSession: Sendable {
    private enum Phase: Hashable {
        /// `reset` was sent; remaining output from the previous run is skipped. The next state is ``initializing``,
        /// ``awaitingExit(_:until:)`` or ``finished``.
        case resetting
        /// `init` was sent. The next state is ``ready``, ``awaitingExit(_:until:)`` or ``finished``.
        case initializing
        /// Commands are sent, and answers and events are received. The next state is ``awaitingExit(_:until:)`` or
        /// ``finished``.
        case ready
        /// The client has missed a deadline and has a short time to write its last error output, because a client that
        /// hangs after an error often exits and reports the error once its input is closed. The next state is
        /// ``finished``.
        case awaitingExit(AdapterFailure.Kind, until: Instant)
        /// The session has failed or was ended by Squall; further input is ignored. This is the final state.
        case finished
    }

    private struct PendingCommand: Hashable {
        var id: Int64
        var command: AdapterCommand
        var deadline: Instant
        var isVoid = false
    }

    private let limits: AdapterLimits
    private var phase = Phase.initializing
    private var reader: LineReader
    private var errors: Tail
    private var pendingCommands: [PendingCommand] = []
    private var lastID: Int64 = 0
    /// The arrival times of the most recent lines, oldest first, limited to ``AdapterLimits/floodLines`` entries.
    private var arrivals: [Instant] = []
    private var outputIsClosed: Instant?
    private var pausedAt: Instant?

    /// How long a process may take to exit after closing its standard output.
    private static let exitTimeout = TimeSpan.seconds(1)
    /// How long a process may take to write its last error output after failing to answer.
    private static let errorOutputTimeout = TimeSpan.milliseconds(200)

    /// Creates a session that begins with `reset` for a process that has already served another run, and with `init`
    /// for a new process.
    package init(limits: AdapterLimits = AdapterLimits(), isReused: Bool = false) {
        self.limits = limits
        if isReused { phase = .resetting }
        reader = LineReader(limit: limits.line)
        errors = Tail(bytes: limits.errorBytes, lines: limits.errorLines)
    }

    package var isReady: Bool { phase == .ready }
    /// Whether further standard output from the client is ignored.
    package var isOver: Bool { phase == .finished || isLeaving }
    private var isLeaving: Bool { if case .awaitingExit = phase { true } else { false } }
    /// Whether the process is starting or ending, which takes real time.
    package var isStartingOrEnding: Bool {
        switch phase {
        case .resetting, .initializing: !pendingCommands.isEmpty
        case .awaitingExit: true
        case .ready: outputIsClosed != nil
        case .finished: false
        }
    }
    /// Whether the process has closed its standard output before the end of the session.
    package var hasClosedOutput: Bool { outputIsClosed != nil && !isOver }
    /// Whether Squall has paused the process.
    package var isPaused: Bool { pausedAt != nil }
    /// The last lines of standard error.
    package var lastErrors: [String] { errors.lines }

    /// The next instant at which ``timer(at:)`` must be called; nil if no deadline is pending.
    package var nextDeadline: Instant? {
        guard phase != .finished, pausedAt == nil else { return nil }
        if case .awaitingExit(_, let until) = phase { return until }
        let answers = pendingCommands.map(\.deadline).min()
        let closing = outputIsClosed.map { $0 + Self.exitTimeout }
        return [answers, closing].compactMap(\.self).min()
    }

    // MARK: - Commands to the client

    /// Returns the protocol line for a command, and sets the command's deadline.
    package mutating func ask(_ command: AdapterCommand, at now: Instant) -> [UInt8] {
        lastID += 1
        let span = phase == .initializing ? limits.ready : limits.answer
        pendingCommands.append(PendingCommand(id: lastID, command: command, deadline: now + span))
        return command.line(id: lastID)
    }

    /// Suspends all deadlines, because Squall has paused the process, which therefore cannot answer.
    package mutating func pause(at now: Instant) {
        if pausedAt == nil { pausedAt = now }
    }

    /// Resumes the deadlines, extended by the duration of the pause.
    package mutating func resume(at now: Instant) {
        guard let pausedAt else { return }
        self.pausedAt = nil
        for index in pendingCommands.indices {
            pendingCommands[index].deadline = pendingCommands[index].deadline + (now - pausedAt)
        }
    }

    /// Ignores the answers to all pending commands from now on, because the client that received them has been killed.
    package mutating func invalidatePendingCommands() {
        for index in pendingCommands.indices { pendingCommands[index].isVoid = true }
    }

    /// Ends the session before Squall terminates the process. Anything that the client does afterwards is not a
    /// failure.
    package mutating func end() {
        phase = .finished
        pendingCommands.removeAll()
    }

    // MARK: - Output from the client

    package mutating func receive(_ bytes: [UInt8], at now: Instant) -> [AdapterSignal] {
        guard !isOver else { return [] }
        var signals: [AdapterSignal] = []
        do throws(AdapterFailure.Kind) {
            for line in try reader.take(bytes) {
                let message = try read(line)
                if !isAnswerToAdvance(message) { try count(at: now) }
                guard let message else { continue }
                if let signal = try take(message) { signals.append(signal) }
            }
        } catch {
            signals.append(fail(error))
        }
        return signals
    }

    /// Parses a line. While the session is resetting, returns nil for a malformed line, because it may be an incomplete
    /// line left over from the previous run.
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
        case .finished: return []
        case .awaitingExit(let kind, _): return [fail(kind, end)]
        case .resetting, .initializing, .ready: return [fail(.exited(end), end)]
        }
    }

    /// Ends the session with a client that has no process of its own. `kind` is the reason.
    package mutating func gone(_ kind: AdapterFailure.Kind) -> [AdapterSignal] {
        guard phase != .finished else { return [] }
        return [fail(kind)]
    }

    package mutating func couldNotStart(_ reason: String) -> [AdapterSignal] {
        guard phase != .finished else { return [] }
        return [fail(.notStarted(reason: reason))]
    }

    package mutating func timer(at now: Instant) -> [AdapterSignal] {
        guard let due = nextDeadline, due <= now else { return [] }
        if case .awaitingExit(let kind, _) = phase { return [fail(kind)] }
        if let late = pendingCommands.first(where: { $0.deadline <= now }) {
            let kind: AdapterFailure.Kind =
                phase == .initializing
                ? .neverReady(after: limits.ready) : .commandTimedOut(command: late.command.type, after: limits.answer)
            phase = .awaitingExit(kind, until: now + Self.errorOutputTimeout)
            pendingCommands.removeAll()
            return [.closeInput]
        }
        return [fail(.closedOutput)]
    }

    /// Ends the session because of a failure that the session or the parser of the client's events has detected.
    package mutating func fail(_ kind: AdapterFailure.Kind, _ end: ProcessEnd? = nil) -> AdapterSignal {
        phase = .finished
        pendingCommands.removeAll()
        return .failed(AdapterFailure(kind, end: end, lastErrors: errors.lines))
    }

    /// Whether a message answers `advance`. Such answers do not count towards the flood limit, because the run has
    /// requested each of them.
    private func isAnswerToAdvance(_ message: AdapterMessage?) -> Bool {
        guard case .done(let id, _) = message else { return false }
        return pendingCommands.contains { $0.id == id && $0.command.type == AdapterCommand.advance }
    }

    private mutating func count(at now: Instant) throws(AdapterFailure.Kind) {
        arrivals.append(now)
        guard arrivals.count > limits.floodLines else { return }
        let oldest = arrivals.removeFirst()
        guard now - oldest > limits.floodSpan else {
            throw .flooded(lines: limits.floodLines, within: limits.floodSpan)
        }
    }

    /// Handles a message while the session is resetting, when only the answer to `reset` matters.
    private mutating func receiveWhileResetting(_ message: AdapterMessage) throws(AdapterFailure.Kind) -> AdapterSignal?
    {
        switch message {
        case .done(let id, _) where pendingCommands.contains { $0.id == id }:
            pendingCommands.removeAll()
            phase = .initializing
            return .reset
        case .refused(let id, _) where pendingCommands.contains { $0.id == id }: throw .notSupported(command: "reset")
        case .done, .refused, .ready, .event, .unknown: return nil
        }
    }

    private mutating func take(_ message: AdapterMessage) throws(AdapterFailure.Kind) -> AdapterSignal? {
        if phase == .resetting { return try receiveWhileResetting(message) }
        switch message {
        case .ready(let id, let offer):
            guard phase == .initializing, let index = pendingCommands.firstIndex(where: { $0.id == id }) else {
                throw .unsolicited(id: id)
            }
            pendingCommands.remove(at: index)
            phase = .ready
            return .ready(offer)
        case .done(let id, let completion):
            return try answered(id).map { .done($0, completion) }
        case .refused(let id, let refusal):
            if phase == .initializing, pendingCommands.contains(where: { $0.id == id }) {
                throw .refusedInit(refusal.text)
            }
            guard let command = try answered(id) else { return nil }
            guard refusal.code != "not_supported" else { throw .notSupported(command: command.type) }
            return .refused(command, refusal)
        case .event(let event): return .event(event)
        case .unknown(let word): return .ignored(word)
        }
    }

    /// Returns the command to which an answer belongs; nil if the answer must be ignored.
    ///
    /// - Throws: ``AdapterFailure/Kind/unsolicited(id:)`` if no command with this ID is pending.
    private mutating func answered(_ id: Int64) throws(AdapterFailure.Kind) -> AdapterCommand? {
        guard phase == .ready, let index = pendingCommands.firstIndex(where: { $0.id == id }) else {
            throw .unsolicited(id: id)
        }
        let answered = pendingCommands.remove(at: index)
        return answered.isVoid ? nil : answered.command
    }
}
