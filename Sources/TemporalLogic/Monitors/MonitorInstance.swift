import SquallCore
import Trace

/// A fault that must end before an expectation can be evaluated.
package struct AwaitedFault: Hashable, Sendable {
    /// The label of the fault; nil for any active fault.
    package let label: String?
}

/// Evaluates one expectation for one client: opens and closes its intervals, and calls the operator's monitor.
struct MonitorInstance: Sendable {
    /// A bit set of the components that read an event: the scope, the operator and its conditions.
    typealias Interest = UInt64
    private static let closingBit: Interest = 1
    private static let openingBit: Interest = 2
    private static let wordBit: Interest = 4
    private static let firstConditionBit = 3
    /// The bit shared by all conditions beyond the 60th; each of these receives every event that any of them reads.
    private static let sharedBit: Interest = 1 << 63

    let client: ClientID?
    private let scope: Scope
    private let limit: Limit
    private var closing: ConditionTracker?
    private var opening: ConditionTracker?
    private var conditions: [ConditionTracker]
    private var word: any OperatorMonitor
    /// Whether any condition has an offset.
    private let hasOffsets: Bool

    private var isInScope = false
    /// Whether the operator is undecided in the current interval.
    private var isObserving = false
    /// Whether the scope has closed at least once.
    private var hasClosed = false
    /// The operator's status in a `before` scope. It takes effect when the scope closes; if the scope never closes, the
    /// expectation is inconclusive.
    private var held: OperatorStatus?
    private var interval = Interval(start: .zero, order: -1)
    /// The decisive events of the last satisfied interval. `vacuity`, `cut` and `failure` store the first result of
    /// their kind.
    private var satisfiedBy: [Int]?
    private var vacuity: String?
    private var cut: String?
    private var failure: Reason?
    /// Whether the verdict is final, that is, no later event can change it.
    private(set) var isDecided = false

    /// The current instant. All earlier instants have been evaluated.
    private var now = Instant.zero
    /// The instant at which the script ended; nil while it is running.
    private var scriptEnd: Instant?
    /// The index of the last observed event; -1 before the first event.
    private var lastIndex = -1
    /// Whether ``settle()`` still has to evaluate something that happened at `now`.
    private var isUnsettled = false
    /// The events and met conditions at `now` for which it is not yet known whether they are inside the scope.
    private var heldBack = InstantBuffer()
    /// The earliest instant at which the monitor must be called even if no event occurs, such as a deadline.
    private(set) var nextDue = Instant.never
    private(set) var readEvents: [Int] = []
    /// The cached ``runMustLastUntil``; nil if it must be recomputed.
    private var knownOpenUntil: Instant??

    init(_ expectation: Expectation, for client: ClientID?, tolerance: Tolerance) {
        self.client = client
        scope = expectation.scope
        limit = Limit(expectation.bound, tolerance, for: client)
        opening = scope.opening.map { ConditionTracker($0, for: client) }
        closing = scope.closing.map { ConditionTracker($0, for: client) }
        conditions = expectation.formula.conditions.enumerated().map { index, condition in
            ConditionTracker(condition, for: client, sharesInterest: Self.bit(of: index) == Self.sharedBit)
        }
        word = expectation.formula.claim.monitor(limit)
        hasOffsets = (expectation.formula.conditions + scope.conditions).contains { $0.offset > .zero }
        switch scope {
        case .run, .before: open(Interval(start: .zero, order: -1))
        case .atEnd:
            // `delivered` is evaluated at the end of the run in any case, but must observe the run from its start.
            if expectation.formula.spec.atEnd == .wholeRun { open(Interval(start: .zero, order: -1)) }
        case .after, .between, .during: break
        }
        isUnsettled = true
        // A state such as `{ toast.text: null }` may hold before any event.
        if opening?.isEvaluatedAtInstantEnd == true || closing?.isEvaluatedAtInstantEnd == true { heldBack.begin() }
        schedule()
    }

    /// The events that this instance reads, each with the component that reads it.
    var subscriptions: [(reading: EventSubscription, interest: Interest)] {
        var all = (closing?.subscriptions ?? []).map { (reading: $0, interest: Self.closingBit) }
        all += (opening?.subscriptions ?? []).map { (reading: $0, interest: Self.openingBit) }
        all += word.subscriptions.map { (reading: $0, interest: Self.wordBit) }
        for (index, condition) in conditions.enumerated() {
            all += condition.subscriptions.map { (reading: $0, interest: Self.bit(of: index)) }
        }
        return all
    }

    private static func bit(of condition: Int) -> Interest {
        condition < 63 - firstConditionBit ? 1 << Interest(firstConditionBit + condition) : sharedBit
    }

    mutating func observe(_ event: TraceEvent, in state: ObservedState, _ interest: Interest) {
        guard !isDecided else { return }
        assert(event.index > lastIndex && event.time >= now, "events must come in the order of the trace")
        if event.time > now { advance(to: event.time) }
        guard !isDecided else { return }
        var isRead = false
        // For each event, the closing of the scope is handled before the operator's conditions, and its opening after
        // them.
        if interest & Self.closingBit != 0, let effect = closing?.observe(event, in: state), effect != .none {
            isRead = true
            isUnsettled = true
            if effect == .pending, closing?.isEvaluatedAtInstantEnd == true { heldBack.begin() }
            if case .met(let occurrence) = effect { take(.close(occurrence)) }
        }
        for index in conditions.indices where interest & Self.bit(of: index) != 0 {
            let effect = conditions[index].observe(event, in: state)
            guard effect != .none else { continue }
            isRead = true
            isUnsettled = true
            // A condition on an event while a state holds can be evaluated only at the end of the instant. Buffering
            // preserves the event's position in the trace.
            if effect == .pending, conditions[index].isEventWithState { heldBack.begin() }
            if case .met(let occurrence) = effect { take(.met(occurrence, condition: index)) }
        }
        if interest & Self.wordBit != 0 {
            if heldBack.isOn {
                heldBack.add(.read(event, state))
                isRead = true
                isUnsettled = true
            } else if word.observe(event, in: state, isInside: isObserving) {
                isRead = true
                isUnsettled = true
                rule()
            }
        }
        if interest & Self.openingBit != 0, let effect = opening?.observe(event, in: state), effect != .none {
            isRead = true
            isUnsettled = true
            // A scope that can open only once ignores later openings.
            let waits = effect == .pending && opening?.isEvaluatedAtInstantEnd == true
            if waits, !isInScope || scope.isRepeated { heldBack.begin() }
            if case .met(let occurrence) = effect { take(.open(occurrence)) }
        }
        lastIndex = event.index
        knownOpenUntil = nil
        if isRead { readEvents.append(event.index) }
        schedule()
    }

    /// Advances the current time to `time` and evaluates all earlier instants. More events at `time` may follow.
    mutating func advance(to time: Instant) {
        guard !isDecided, time > now else { return }
        guard isUnsettled || nextDue <= time else { return now = time }
        knownOpenUntil = nil
        settle()
        while nextDue < time, !isDecided {
            now = max(nextDue, now)
            takeDue()
            settle()
            if !isDecided, isObserving, let deadline = word.deadline, deadline <= now {
                word.expire(conditions)
                rule()
            }
            schedule()
        }
        now = time
        if nextDue == time, !isDecided { takeDue() }
    }

    mutating func scriptEnded(at time: Instant) {
        scriptEnd = time
        word.scriptEnded(at: time)
        knownOpenUntil = nil
    }

    /// The instant until which the run must continue for this expectation, assuming that the current instant has ended;
    /// nil if the run may end now.
    var runMustLastUntil: Instant? {
        mutating get {
            guard !isDecided else { return nil }
            if let knownOpenUntil { return knownOpenUntil }
            var settled = self
            if isUnsettled { settled.settle() }
            let latest = settled.isDecided ? nil : settled.openUntilNow
            knownOpenUntil = .some(latest)
            return latest
        }
    }

    /// The fault whose end closes the current interval; nil if something else closes it.
    var awaitedFault: AwaitedFault? {
        guard isAwaitingClose, let event = scope.closing?.event, event.name == "fault.ended" else { return nil }
        return AwaitedFault(label: event.key)
    }

    /// Whether the current interval must close before its result is known.
    ///
    /// An interval that opened after the script's end is evaluated while the run continues, but does not prolong it.
    private var isAwaitingClose: Bool {
        isInScope && !isDecided && (isObserving || held != nil) && interval.start <= scriptEnd ?? .never
    }

    private var openUntilNow: Instant? {
        var latest: Instant? = isObserving ? word.runMustLastUntil : nil
        if let due = opening?.nextDue, !isInScope {
            latest = max(latest ?? .zero, limit.latest(from: due) ?? due)
        }
        if isAwaitingClose, let due = closing?.nextDue { latest = max(latest ?? .zero, due) }
        if isObserving, hasOffsets {
            for condition in conditions {
                if let due = condition.nextDue { latest = max(latest ?? .zero, due) }
            }
        }
        return latest
    }

    mutating func finish(at end: Instant, scriptFinished: Bool) -> Verdict {
        let end = max(end, now)
        advance(to: end)
        // The run includes its last instant, so a deadline at that instant has passed.
        advance(to: end + TimeSpan(nanoseconds: 1))
        if !isDecided, scope == .atEnd, !isObserving {
            now = end
            open(Interval(start: end, order: lastIndex))
            settle()
        }
        if !isDecided, isObserving {
            word.close(at: end, .run(finished: scriptFinished), conditions)
            rule()
        }
        return verdict(scriptFinished)
    }

    private func verdict(_ scriptFinished: Bool) -> Verdict {
        if case .before(let condition) = scope, !hasClosed {
            return Verdict(
                .inconclusive,
                Reason("\(condition.text(for: client)) never happened, so there was nothing before it to judge")
            )
        }
        // `at: end` evaluates the state after the whole script, so an unfinished script makes it inconclusive. A
        // failure in any other scope was observed while the script ran, so it counts.
        if scope == .atEnd, !scriptFinished { return Verdict(.inconclusive, Reason(ScriptEnd.unfinished)) }
        if let failure { return Verdict(.fail, failure) }
        if let cut { return Verdict(.inconclusive, Reason(cut)) }
        if let satisfiedBy { return Verdict(.pass, Reason("", events: satisfiedBy)) }
        return Verdict(.inconclusive, Reason(vacuity ?? neverEntered))
    }

    private var neverEntered: String {
        if case .during(let label) = scope { return "the fault \(label) never began" }
        return "\(opening?.text ?? "its scope") never happened"
    }
}

extension MonitorInstance {
    /// Updates ``nextDue`` after the operator's deadline or a delayed occurrence has changed.
    private mutating func schedule() {
        var due = Instant.never
        if isObserving, let deadline = word.deadline { due = deadline }
        nextDue = hasOffsets ? min(due, nextOffset) : due
    }

    private var nextOffset: Instant {
        let moved = [opening?.nextDue, closing?.nextDue] + conditions.map(\.nextDue)
        return moved.compactMap(\.self).min() ?? .never
    }

    /// Handles the delayed occurrences that are due at this instant. They precede the instant's events.
    ///
    /// A delayed closing of the scope is the exception: it follows the instant's events, and ``settle()`` handles it.
    private mutating func takeDue() {
        if let occurrence = opening?.takeDue(at: now, order: lastIndex) { open(by: occurrence) }
        for index in conditions.indices {
            // If a delayed opening of the scope is due at this instant, it has the same position in the trace as these
            // occurrences, so the new interval contains all of them.
            while let occurrence = conditions[index].takeDue(at: now, order: lastIndex) {
                if isObserving { word.happened(occurrence, of: index, conditions) }
                rule()
            }
        }
        isUnsettled = true
    }

    /// Evaluates the instant `now` after its last event.
    private mutating func settle() {
        guard isUnsettled, !isDecided else { return }
        isUnsettled = false
        if heldBack.isOn { replay() } else { settleDirectly() }
        guard isObserving, !isDecided else { return }
        word.settle(at: now, conditions)
        rule()
        schedule()
    }

    /// Evaluates an instant at which nothing was buffered.
    private mutating func settleDirectly() {
        while let occurrence = closing?.takeDue(at: now, order: .max) { close(at: occurrence) }
        for index in conditions.indices {
            for occurrence in conditions[index].settle() where !conditions[index].isStateOnly {
                emit(occurrence, of: index)
            }
        }
    }

    /// Evaluates an instant with buffered items. All states are now known, so the items are handled in trace order.
    private mutating func replay() {
        for occurrence in closing?.settle() ?? [] { heldBack.add(.close(occurrence)) }
        while let occurrence = closing?.takeDue(at: now, order: .max) { heldBack.add(.close(occurrence)) }
        for occurrence in opening?.settle() ?? [] { heldBack.add(.open(occurrence)) }
        for index in conditions.indices {
            for occurrence in conditions[index].settle() where !conditions[index].isStateOnly {
                heldBack.add(.met(occurrence, condition: index))
            }
        }
        for part in heldBack.end() { emit(part) }
    }

    /// Handles an item immediately, or buffers it until the end of the instant if it is unclear whether it is in the
    /// scope.
    private mutating func take(_ part: InstantBuffer.Item) {
        if heldBack.isOn { heldBack.add(part) } else { emit(part) }
    }

    private mutating func emit(_ part: InstantBuffer.Item) {
        guard !isDecided else { return }
        switch part {
        case .close(let occurrence): close(at: occurrence)
        case .met(let occurrence, let condition): emit(occurrence, of: condition)
        case .read(let event, let state):
            if word.observe(event, in: state, isInside: isObserving) { rule() }
        case .open(let occurrence): open(by: occurrence)
        }
    }

    /// Passes a met condition to the operator, unless it was met before the interval began.
    private mutating func emit(_ occurrence: Occurrence, of condition: Int) {
        guard isObserving, !isDecided, occurrence.order > interval.order else { return }
        word.happened(occurrence, of: condition, conditions)
        rule()
    }

    private mutating func open(by occurrence: Occurrence) {
        guard !isInScope, !isDecided else { return }
        let start = max(occurrence.time, now)
        open(Interval(start: start, order: occurrence.order, event: occurrence.event, opener: opening?.condition))
    }

    private mutating func open(_ interval: Interval) {
        assert(!isInScope && !isDecided, "an interval opened inside another one")
        assert(interval.start >= self.interval.start, "an interval began before the last one")
        self.interval = interval
        isInScope = true
        isObserving = true
        isUnsettled = true
        word.begin(interval, conditions)
        rule()
    }

    private mutating func close(at occurrence: Occurrence) {
        hasClosed = true
        guard isInScope else { return }
        isInScope = false
        if isObserving {
            word.close(at: max(occurrence.time, now), .scope, conditions)
            assert(!word.isOpen, "a closed interval has no ruling")
            rule()
        } else if let held {
            take(held)
        }
        if !scope.isRepeated { isDecided = true }
    }

    /// Stores the operator's status unless it is still open.
    private mutating func rule() {
        guard isObserving, !word.isOpen else { return }
        isObserving = false
        if case .before = scope, !hasClosed {
            held = word.status
        } else {
            take(word.status)
        }
    }

    private mutating func take(_ status: OperatorStatus) {
        switch status {
        case .open: break
        case .met(let events): satisfiedBy = events
        case .broken(let reason):
            failure = failure ?? reason
            isDecided = true
        case .vacuous(let text): vacuity = vacuity ?? text
        case .cut(let text): cut = cut ?? text
        }
        if !scope.isRepeated { isDecided = true }
    }
}
