import Adapter
package import SquallCore

/// The run's view of one client's clock, for a client whose timers follow the run's clock.
///
/// The client's clock changes only when the run sends `advance`. The client answers when it has nothing to do before
/// its next timer. That answer is valid as long as the client neither receives nor sends anything.
struct ClientClock: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// The client may be working. The next state is ``asked(isDisturbed:)``.
        case unknown
        /// `advance` was sent and has not been answered. If `isDisturbed` is true, the client has since received or
        /// sent something, so its answer will not be valid. The next state is ``idle(at:next:)`` or ``unknown``.
        case asked(isDisturbed: Bool)
        /// The client's clock is at `at`, and the client will do nothing before its next timer; `next` is nil if no
        /// timer is set. The next state is ``asked(isDisturbed:)`` or ``unknown``.
        case idle(at: Instant, next: Instant?)
    }

    private var state = State.unknown
    /// The time sent with the last `advance`.
    private var lastAdvance = Instant.zero
    /// The number of consecutive answers whose next timer was due within ``shortStep``.
    private var shortSteps = 0

    /// The maximum number of consecutive answers whose next timer is due within ``shortStep``. A client that exceeds it
    /// fails, because its timers would keep the run's clock from advancing.
    static let shortStepLimit = 10_000
    static let shortStep = TimeSpan.microseconds(100)

    /// Whether an `advance` is still unanswered.
    var isAsked: Bool { if case .asked = state { true } else { false } }

    /// Returns whether an `advance` with the time `now` is still unanswered.
    func isAsked(at now: Instant) -> Bool { isAsked && lastAdvance == now }

    /// Returns whether the client must be sent `advance` before the run's clock may advance beyond `now`.
    func needsAdvance(at now: Instant) -> Bool {
        switch state {
        case .unknown: true
        case .asked: false
        case .idle(let at, _): at < now
        }
    }

    /// When the client's next timer is due. The outer optional is nil if the client may be working; the inner optional
    /// is nil if no timer is set.
    var idle: Instant?? {
        guard case .idle(_, let next) = state else { return nil }
        return .some(next)
    }

    /// Records that `advance` was sent.
    mutating func asked(at now: Instant) {
        lastAdvance = now
        state = .asked(isDisturbed: false)
    }

    /// Records the answer to `advance`.
    ///
    /// - Throws: ``AdapterFailure/Kind`` if the client's next timer is overdue, or if its timers are due so soon after
    ///   one another that its time hardly advances. An answer that is no longer valid is ignored.
    mutating func answered(next: Instant?) throws(AdapterFailure.Kind) {
        guard case .asked(let isDisturbed) = state else { return }
        guard !isDisturbed else { return state = .unknown }
        state = .idle(at: lastAdvance, next: next)
        guard let next else { return shortSteps = 0 }
        guard next > lastAdvance else { throw .overdueTimer(next: next, now: lastAdvance) }
        shortSteps = next - lastAdvance < Self.shortStep ? shortSteps + 1 : 0
        guard shortSteps <= Self.shortStepLimit else {
            throw .timersTooClose(answers: Self.shortStepLimit, within: Self.shortStep)
        }
    }

    /// Records that the client has received or sent something, so that it may be working.
    mutating func disturb() {
        state = isAsked ? .asked(isDisturbed: true) : .unknown
    }

    /// Records that the answer to a pending `advance` will not be received.
    mutating func reset() { state = .unknown }
}

/// The combined state of all client clocks in a run.
package enum ClientClocks: Hashable, Sendable {
    /// No client has a clock that follows the run's.
    case real
    /// The run waits in real time for a client; the text describes what that client has not done yet. If
    /// `holdsDeadlines` is true, no deadline of the run fires until then.
    case behind(String, holdsDeadlines: Bool)
    /// A client may still be working, so the run must send it `advance` before the run's clock may skip ahead.
    case unknown
    /// Every client is idle until its next timer; `next` is when the earliest timer is due, or nil if none is set.
    case idle(next: Instant?)

    /// Describes what the run waits for in real time; nil if it does not wait.
    package var pendingWork: String? {
        if case .behind(let what, _) = self { what } else { nil }
    }

    /// Whether the run's deadlines must not fire yet, because a client's clock is behind the run's.
    package var holdsDeadlines: Bool { if case .behind(_, true) = self { true } else { false } }

    /// Returns the combined state of two clients' clocks.
    func and(_ other: Self) -> Self {
        switch (self, other) {
        case (.real, let one), (let one, .real): one
        case (.behind, .behind): holdsDeadlines ? self : other
        case (.behind, _): self
        case (_, .behind): other
        case (.unknown, _), (_, .unknown): .unknown
        case (.idle(let left), .idle(let right)): .idle(next: left.or(sooner: right))
        }
    }
}
