import SquallCore
import Trace

/// A fault whose end somebody waits for.
package struct AwaitedFault: Hashable, Sendable {
    /// Nil for whichever is on.
    package let label: String?
}

/// Judges one expectation for one client: opens and closes its scope, and tells its word what happens in it.
///
/// Each event is told as it happens; when a later instant begins, the one before is over, and is judged. What happens
/// while it is in doubt whether the scope has just opened or closed is held back until its instant is over.
struct MonitorInstance: Sendable {
    /// Which parts of an instance an event matters to, as bits.
    typealias Interest = UInt64
    private static let closingBit: Interest = 1
    private static let openingBit: Interest = 2
    private static let wordBit: Interest = 4
    private static let firstConditionBit = 3
    /// Stands for all conditions that have no bit of their own: each is told what interests any of them.
    private static let sharedBit: Interest = 1 << 63

    let client: ClientID?
    private let scope: Scope
    private let limit: Limit
    private var closing: ConditionTracker?
    private var opening: ConditionTracker?
    private var conditions: [ConditionTracker]
    private var word: any WordMonitor
    /// Whether any condition moves the moment at which it is met.
    private let hasOffsets: Bool

    private var isInScope = false
    /// Whether the word still listens; in a scope, until it has come to a ruling.
    private var isJudging = false
    private var hasClosed = false
    /// A ruling that counts only once the scope closes: before something that may never come, nothing is decided.
    private var held: WordRuling?
    private var interval = Interval(start: .zero, order: -1)
    private var metBy: [Int]?
    private var vacuity: String?
    private var cut: String?
    private var failure: Reason?
    /// Whether nothing that comes can change the verdict.
    private(set) var isDecided = false

    private var now = Instant.zero
    /// When there was nothing more of the script to play; nil while there is.
    private var scriptEnd: Instant?
    private var lastIndex = -1
    /// Whether something at `now` is still to be judged.
    private var isUnsettled = false
    /// What has happened at `now` since a border of the scope has been in doubt.
    private var heldBack = HeldInstant()
    /// The first instant at which something is due without an event.
    private(set) var nextDue = Instant.never
    private(set) var readEvents: [Int] = []
    /// What ``openUntil`` is, until something is seen.
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
            // What is delivered is judged at the end in any case, and needs the whole run for it.
            if expectation.formula.spec.atEnd == .wholeRun { open(Interval(start: .zero, order: -1)) }
        case .after, .between, .during: break
        }
        isUnsettled = true
        // A state may hold before anything is shown.
        if opening?.isSettledLate == true || closing?.isSettledLate == true { heldBack.begin() }
        schedule()
    }

    /// What each part of this instance has to be told.
    var readings: [(reading: Reading, interest: Interest)] {
        var all = (closing?.readings ?? []).map { (reading: $0, interest: Self.closingBit) }
        all += (opening?.readings ?? []).map { (reading: $0, interest: Self.openingBit) }
        all += word.readings.map { (reading: $0, interest: Self.wordBit) }
        for (index, condition) in conditions.enumerated() {
            all += condition.readings.map { (reading: $0, interest: Self.bit(of: index)) }
        }
        return all
    }

    private static func bit(of condition: Int) -> Interest {
        condition < 63 - firstConditionBit ? 1 << Interest(firstConditionBit + condition) : sharedBit
    }

    mutating func observe(_ event: TraceEvent, in state: ObservedState, _ interest: Interest) {
        guard !isDecided else { return }
        if event.time > now { advance(to: event.time) }
        guard !isDecided else { return }
        var isRead = false
        // What closes a scope comes before what is in it, what opens it after.
        if interest & Self.closingBit != 0, let effect = closing?.observe(event, in: state), effect != .none {
            isRead = true
            isUnsettled = true
            if effect == .noted, closing?.isSettledLate == true { heldBack.begin() }
            if case .met(let occurrence) = effect { take(.close(occurrence)) }
        }
        for index in conditions.indices where interest & Self.bit(of: index) != 0 {
            let effect = conditions[index].observe(event, in: state)
            guard effect != .none else { continue }
            isRead = true
            isUnsettled = true
            // Whether an event with a state counts is known at the end of the instant; it counts in its place.
            if effect == .noted, conditions[index].isEventWithState { heldBack.begin() }
            if case .met(let occurrence) = effect { take(.met(occurrence, condition: index)) }
        }
        if interest & Self.wordBit != 0 {
            if heldBack.isOn {
                heldBack.add(.read(event, state))
                isRead = true
                isUnsettled = true
            } else if word.observe(event, in: state, isInside: isJudging) {
                isRead = true
                isUnsettled = true
                rule()
            }
        }
        if interest & Self.openingBit != 0, let effect = opening?.observe(event, in: state), effect != .none {
            isRead = true
            isUnsettled = true
            if effect == .noted, opening?.isSettledLate == true, !isInScope || scope.isRepeated { heldBack.begin() }
            if case .met(let occurrence) = effect { take(.open(occurrence)) }
        }
        lastIndex = event.index
        knownOpenUntil = nil
        if isRead { readEvents.append(event.index) }
        schedule()
    }

    /// The time has come; events of this instant may follow.
    ///
    /// Every instant before is over.
    mutating func advance(to time: Instant) {
        guard !isDecided, time > now else { return }
        guard isUnsettled || nextDue <= time else { return now = time }
        knownOpenUntil = nil
        settle()
        while nextDue < time, !isDecided {
            now = max(nextDue, now)
            takeDue()
            settle()
            if !isDecided, isJudging, let deadline = word.deadline, deadline <= now {
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

    /// Until when the run has to go on for this expectation, judged as if the instant were over.
    var openUntil: Instant? {
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

    /// The fault whose end closes the scope that is being judged; nil where none does.
    var awaitedFault: AwaitedFault? {
        guard isAwaitingClose, let event = scope.closing?.event, event.name == "fault.ended" else { return nil }
        return AwaitedFault(label: event.key)
    }

    /// Whether its scope is open, and what comes of it is not known before that closes.
    ///
    /// What has opened only since the script was over is judged as long as the run goes on, and does not prolong it.
    private var isAwaitingClose: Bool {
        isInScope && !isDecided && (isJudging || held != nil) && interval.start <= scriptEnd ?? .never
    }

    private var openUntilNow: Instant? {
        var latest: Instant? = isJudging ? word.openUntil : nil
        if let due = opening?.nextDue, !isInScope {
            latest = max(latest ?? .zero, limit.latest(from: due) ?? due)
        }
        if isAwaitingClose, let due = closing?.nextDue { latest = max(latest ?? .zero, due) }
        if isJudging, hasOffsets {
            for condition in conditions {
                if let due = condition.nextDue { latest = max(latest ?? .zero, due) }
            }
        }
        return latest
    }

    mutating func finish(at end: Instant, scriptFinished: Bool) -> Verdict {
        let end = max(end, now)
        advance(to: end)
        // The run lived through its last instant: what was due at it has been missed.
        advance(to: end + TimeSpan(nanoseconds: 1))
        if !isDecided, scope == .atEnd, !isJudging {
            now = end
            open(Interval(start: end, order: lastIndex))
            settle()
        }
        if !isDecided, isJudging {
            word.close(at: end, .run(finished: scriptFinished), conditions)
            rule()
        }
        return verdict(scriptFinished)
    }

    private func verdict(_ scriptFinished: Bool) -> Verdict {
        if case .before(let condition) = scope, !hasClosed {
            return Verdict(
                .inconclusive,
                Reason("\(condition.text(for: client)) never happened, and it was to be before it")
            )
        }
        if scope == .atEnd, !scriptFinished { return Verdict(.inconclusive, Reason("the script did not finish")) }
        if let failure { return Verdict(.fail, failure) }
        if let cut { return Verdict(.inconclusive, Reason(cut)) }
        if let metBy { return Verdict(.pass, Reason("", events: metBy)) }
        return Verdict(.inconclusive, Reason(vacuity ?? neverEntered))
    }

    private var neverEntered: String {
        if case .during(let label) = scope { return "the fault \(label) never began" }
        return "\(opening?.text ?? "its scope") never happened"
    }
}

extension MonitorInstance {
    private mutating func schedule() {
        var due = Instant.never
        if isJudging, let deadline = word.deadline { due = deadline }
        nextDue = hasOffsets ? min(due, nextOffset) : due
    }

    private var nextOffset: Instant {
        let moved = [opening?.nextDue, closing?.nextDue] + conditions.map(\.nextDue)
        return moved.compactMap(\.self).min() ?? .never
    }

    /// What an offset has moved to this instant: it comes before the events of the instant, but a scope that it
    /// closes still holds them.
    private mutating func takeDue() {
        if let occurrence = opening?.takeDue(at: now, order: lastIndex) { open(by: occurrence) }
        for index in conditions.indices {
            while let occurrence = conditions[index].takeDue(at: now, order: lastIndex) {
                if isJudging { word.happened(occurrence, of: index, conditions) }
                rule()
            }
        }
        isUnsettled = true
    }

    /// The instant `now` is over.
    private mutating func settle() {
        guard isUnsettled, !isDecided else { return }
        isUnsettled = false
        if heldBack.isOn { replay() } else { settleDirectly() }
        guard isJudging, !isDecided else { return }
        word.settle(at: now, conditions)
        rule()
        schedule()
    }

    /// No border of the scope was in doubt at this instant, or only one that an offset has moved to it.
    private mutating func settleDirectly() {
        while let occurrence = closing?.takeDue(at: now, order: .max) { close(at: occurrence) }
        for index in conditions.indices {
            for occurrence in conditions[index].settle() where !conditions[index].isLevel {
                emit(occurrence, of: index)
            }
        }
    }

    /// It is known now what has opened and closed the scope, and at which event: the rest of the instant in its order.
    private mutating func replay() {
        for occurrence in closing?.settle() ?? [] { heldBack.add(.close(occurrence)) }
        while let occurrence = closing?.takeDue(at: now, order: .max) { heldBack.add(.close(occurrence)) }
        for occurrence in opening?.settle() ?? [] { heldBack.add(.open(occurrence)) }
        for index in conditions.indices {
            for occurrence in conditions[index].settle() where !conditions[index].isLevel {
                heldBack.add(.met(occurrence, condition: index))
            }
        }
        for part in heldBack.end() { emit(part) }
    }

    /// Now, or when it is known whether it is in the scope.
    private mutating func take(_ part: HeldInstant.Part) {
        if heldBack.isOn { heldBack.add(part) } else { emit(part) }
    }

    private mutating func emit(_ part: HeldInstant.Part) {
        guard !isDecided else { return }
        switch part {
        case .close(let occurrence): close(at: occurrence)
        case .met(let occurrence, let condition): emit(occurrence, of: condition)
        case .read(let event, let state):
            if word.observe(event, in: state, isInside: isJudging) { rule() }
        case .open(let occurrence): open(by: occurrence)
        }
    }

    /// An event met one of the word's conditions.
    private mutating func emit(_ occurrence: Occurrence, of condition: Int) {
        guard isJudging, !isDecided, occurrence.order > interval.order else { return }
        word.happened(occurrence, of: condition, conditions)
        rule()
    }

    private mutating func open(by occurrence: Occurrence) {
        guard !isInScope, !isDecided else { return }
        let start = max(occurrence.time, now)
        open(Interval(start: start, order: occurrence.order, event: occurrence.event, opener: opening?.condition))
    }

    private mutating func open(_ interval: Interval) {
        self.interval = interval
        isInScope = true
        isJudging = true
        isUnsettled = true
        word.begin(interval, conditions)
        rule()
    }

    private mutating func close(at occurrence: Occurrence) {
        hasClosed = true
        guard isInScope else { return }
        isInScope = false
        if isJudging {
            word.close(at: max(occurrence.time, now), .scope, conditions)
            rule()
        } else if let held {
            take(held)
        }
        if !scope.isRepeated { isDecided = true }
    }

    /// Takes the word at its word, once it has come to one.
    private mutating func rule() {
        guard isJudging, !word.isOpen else { return }
        isJudging = false
        if case .before = scope, !hasClosed {
            held = word.ruling
        } else {
            take(word.ruling)
        }
    }

    private mutating func take(_ ruling: WordRuling) {
        switch ruling {
        case .open: break
        case .met(let events): metBy = events
        case .broken(let reason):
            failure = failure ?? reason
            isDecided = true
        case .vacuous(let text): vacuity = vacuity ?? text
        case .cut(let text): cut = cut ?? text
        }
        if !scope.isRepeated { isDecided = true }
    }
}
