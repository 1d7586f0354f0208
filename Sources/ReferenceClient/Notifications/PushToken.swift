import SquallCore

/// Sees to it that the server knows where this user's notifications go: the phone's token is saved with whoever is signed in.
///
/// A save that fails is tried again a few times, with growing delays, and then not before the next launch.
struct PushToken {
    enum Phase: Equatable {
        /// The phone has given none. Next: unowned, saving.
        case none
        /// Nobody is signed in. Next: saving.
        case unowned
        /// Asked for the so-manieth time. Next: saved; waiting, failed.
        case saving(attempt: Int64)
        /// The delay before another try. Next: saving.
        case waiting(until: Instant, attempt: Int64)
        case saved
        /// The tries are spent. Next: saving, at the next launch or with another token.
        case failed
    }

    /// For whom, and with which key: a try that comes late is nobody else's.
    private struct Owner: Equatable {
        let user: String
        let key: String
    }

    private let rules: Rules
    private var policy: PushTokenPolicy { rules.policy.pushToken }
    private var profile: ClientProfile.PushSave { rules.profile.push }
    private(set) var phase = Phase.none
    private var token: String?
    private var owner: Owner?
    /// The token that was given up in an earlier life. Only a defect remembers one.
    private var givenUp: String?
    private var chance: SeededGenerator

    static let storeKey = "push_token.given_up"

    init(_ rules: Rules, store: StoreImage, phone: Phone) {
        self.rules = rules
        token = phone.token
        phase = token == nil ? .none : .unowned
        givenUp = store[Self.storeKey]?.stringValue
        chance = rules.stream("client.push_token")
    }

    var isKnown: Bool { token != nil }

    var deadline: Instant? {
        if case .waiting(let until, _) = phase { until } else { nil }
    }

    mutating func timer(_ step: inout Step) {
        guard case .waiting(let until, let attempt) = phase, until <= step.now else { return }
        save(attempt: attempt + 1, &step)
    }

    // MARK: - Phone and user

    /// `isLeaving`: the user is about to be signed out, and has no use for it any more.
    mutating func came(_ token: String, isLeaving: Bool, _ step: inout Step) {
        guard token != self.token else { return }
        self.token = token
        if isLeaving { step.changes.insert(.phone) } else { begin(&step) }
    }

    /// At a launch, and when somebody signs in.
    mutating func signedIn(_ user: String, key: String, isNew: Bool, _ step: inout Step) {
        let isInherited = phase == .saved && policy.signOut == .leavesTheToken
        owner = Owner(user: user, key: key)
        guard !isInherited, !isNew || policy.registration == .whenBothAreThere else { return }
        begin(&step)
    }

    private mutating func begin(_ step: inout Step) {
        guard let token else { return }
        step.emit(.withdraw(.pushToken))
        guard owner != nil else { return enter(.unowned, &step) }
        guard policy.givingUp == .isUntilTheNextLaunch || givenUp != token else { return enter(.failed, &step) }
        save(attempt: 1, &step)
    }

    private mutating func save(attempt: Int64, _ step: inout Step) {
        guard let token, let owner else { return }
        step.log("client.push_token.tried", ["attempt": .integer(attempt), "of": .integer(profile.maxTries)])
        enter(.saving(attempt: attempt), &step)
        step.emit(.ask(.saveToken(token, key: owner.key)))
    }

    // MARK: - The server's answer

    /// By its status; nil for none from the server, or none in time.
    mutating func answered(status: Int?, _ step: inout Step) {
        guard case .saving(let attempt) = phase else { return }
        if let status, (200..<300).contains(status) {
            step.log("client.push_token.saved", ["attempt": .integer(attempt)])
            return enter(.saved, &step)
        }
        // In words, for the log.
        let failure = status.map { "status \($0)" } ?? "no answer"
        let fields: JSON = [
            "attempt": .integer(attempt), "of": .integer(profile.maxTries), "reason": .string(failure),
        ]
        step.log("client.push_token.failed", fields)
        let tries = policy.lastDelay == .isWaitedFor ? profile.maxTries : profile.maxTries - 1
        guard attempt < tries, policy.retry == .isDelayed else {
            step.log("client.push_token.given_up", ["attempts": .integer(attempt)])
            if policy.givingUp == .isForGood { step.store(Self.storeKey, token.map { .string($0) }) }
            return enter(.failed, &step)
        }
        enter(.waiting(until: step.now + delay(after: attempt), attempt: attempt), &step)
    }

    /// Doubles from the base; spread where the profile wants that.
    private mutating func delay(after attempt: Int64) -> TimeSpan {
        let nominal = profile.base.doubled(attempt - 1)
        guard let share = percent(profile.jitterPercent), share != .never else { return nominal }
        return chance.span(from: nominal, through: nominal + share.of(nominal))
    }

    // MARK: - Signing out

    /// Asks the server to forget the token; ``ClientSignal/tokenIsGone(_:)`` is told when that has an end.
    mutating func remove(key: String, _ step: inout Step) {
        guard token != nil, policy.signOut == .takesTheTokenBack else { return step.emit(.tokenIsGone(true)) }
        if policy.leaving == .cancelsSaves { cancelSave(&step) }
        step.emit(.ask(.removeToken(key: key)))
    }

    /// Neither what is under way may come to the server after the removal, nor a try that would begin meanwhile.
    private mutating func cancelSave(_ step: inout Step) {
        switch phase {
        case .saving, .waiting:
            step.emit(.withdraw(.pushToken))
            enter(.unowned, &step)
        case .none, .unowned, .saved, .failed: break
        }
    }

    /// Nobody is signed in any more.
    mutating func signedOut(_ step: inout Step) {
        if policy.signOut == .leavesTheToken, phase == .saved { return }
        if policy.leaving == .letsSavesGoOn, case .waiting = phase { return }
        owner = nil
        if token != nil { enter(.unowned, &step) }
    }

    private mutating func enter(_ phase: Phase, _ step: inout Step) {
        self.phase = phase
        step.changes.insert(.phone)
    }
}

extension PushToken {
    /// What `push_token.state` shows.
    enum State: String, CaseIterable {
        case none, unowned, saving, waiting, saved, failed
    }

    var state: State {
        switch phase {
        case .none: .none
        case .unowned: .unowned
        case .saving: .saving
        case .waiting: .waiting
        case .saved: .saved
        case .failed: .failed
        }
    }

    static let registry: [RegistryEntry] = [
        .observable(
            "push_token.state",
            .words(State.self),
            "How far the phone's token has come on its way to the server."
        ),
        .event(
            "client.push_token.tried",
            [.integer("attempt"), .integer("of")],
            "A save of the token begins; counted from 1."
        ),
        .event(
            "client.push_token.failed",
            [.integer("attempt"), .integer("of"), "reason"],
            "A save of the token has come to nothing."
        ),
        .event("client.push_token.saved", [.integer("attempt")], "The server has the token."),
        .event("client.push_token.given_up", [.integer("attempts")], "The token is not saved before the next launch."),
    ]
}
