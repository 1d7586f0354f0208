import Adapter
package import SquallCore

/// The clock of one client whose timers follow the run's clock, as the run knows it.
///
/// The client's clock changes only when the run sends `advance`. The client answers once it can only wait. That answer
/// is valid as long as nothing reaches the client and nothing comes from it.
struct ClientClock: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// The client may be working. The next state is ``asked(isDisturbed:)``.
        case unknown
        /// `advance` is not answered yet. If `isDisturbed`, something has happened since it was sent, so the answer
        /// will not be valid. The next state is ``idle(at:next:)`` or ``unknown``.
        case asked(isDisturbed: Bool)
        /// The client's clock is at `at`, and the client only waits for its next timer; `next` is nil if it has set
        /// none. The next state is ``asked(isDisturbed:)`` or ``unknown``.
        case idle(at: Instant, next: Instant?)
    }

    private var state = State.unknown
    /// The time in the last `advance`.
    private var told = Instant.zero
    /// The number of consecutive answers whose next timer was due within ``shortStep``.
    private var shortSteps = 0

    /// The maximum number of consecutive answers whose next timer is due within ``shortStep``. If there are more, the
    /// client's timers keep the run's clock from moving on.
    static let shortStepLimit = 10_000
    static let shortStep = TimeSpan.microseconds(100)

    /// Whether `advance` is not answered yet.
    var isAsked: Bool { if case .asked = state { true } else { false } }

    /// Whether `advance` with the time `now` is not answered yet.
    func isAsked(at now: Instant) -> Bool { isAsked && told == now }

    /// Returns whether the client must be sent `advance` before the run's clock may leave `now`.
    func needsAdvance(at now: Instant) -> Bool {
        switch state {
        case .unknown: true
        case .asked: false
        case .idle(let at, _): at < now
        }
    }

    /// When the client's next timer is due. The outer optional is nil if the client may be working, the inner one if it
    /// has set no timer.
    var idle: Instant?? {
        guard case .idle(_, let next) = state else { return nil }
        return .some(next)
    }

    /// Records that `advance` was sent.
    mutating func asked(at now: Instant) {
        told = now
        state = .asked(isDisturbed: false)
    }

    /// Records the answer to `advance`.
    ///
    /// - Throws: The failure of a client whose next timer is due already, or of one whose timers are due so soon, again
    ///   and again, that its time hardly passes. An answer that is not valid is not judged.
    mutating func answered(next: Instant?) throws(AdapterFailure.Kind) {
        guard case .asked(let isDisturbed) = state else { return }
        guard !isDisturbed else { return state = .unknown }
        state = .idle(at: told, next: next)
        guard let next else { return shortSteps = 0 }
        guard next > told else { throw .overdueTimer(next: next, now: told) }
        shortSteps = next - told < Self.shortStep ? shortSteps + 1 : 0
        guard shortSteps <= Self.shortStepLimit else {
            throw .timersTooClose(answers: Self.shortStepLimit, within: Self.shortStep)
        }
    }

    /// Records that something has reached the client or has come from it, so that it may be working.
    mutating func disturb() {
        state = isAsked ? .asked(isDisturbed: true) : .unknown
    }

    /// Records that the answer to a pending `advance` will not be received.
    mutating func reset() { state = .unknown }
}

/// What a run knows about the clocks of its clients.
package enum ClientClocks: Hashable, Sendable {
    /// No client has a clock that follows the run's.
    case real
    /// The run waits for a client in real time; the text describes what the client has not done yet. If
    /// `holdsDeadlines`, no deadline of the run fires until then.
    case behind(String, holdsDeadlines: Bool)
    /// A client may be working; the run must ask it before its own clock may leap.
    case unknown
    /// All clients only wait; `next` is when the earliest of their timers is due, or nil if none is set.
    case idle(next: Instant?)

    /// What the run waits for in real time; nil if it does not.
    package var pendingWork: String? {
        if case .behind(let what, _) = self { what } else { nil }
    }

    /// Whether the run fires no deadline, because a client does not know the time yet.
    package var holdsDeadlines: Bool { if case .behind(_, true) = self { true } else { false } }

    /// Combines the facts about two clients.
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
