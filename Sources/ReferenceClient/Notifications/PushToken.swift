import SquallCore

/// Owns the registration of the phone's push token with the server for the signed-in user.
///
/// A failed save is retried a few times with increasing delays, and then not again until the next launch.
struct PushToken {
    enum Phase: Equatable {
        /// The phone has not provided a token. Next: unowned, saving.
        case none
        /// There is a token, but no user is signed in, or the user is signing out. Next: saving.
        case unowned
        /// A save request is in flight; `attempt` counts from 1. Next: saved, waiting, failed.
        case saving(attempt: Int64)
        /// The delay before the next attempt is running. Next: saving.
        case waiting(until: Instant, attempt: Int64)
        /// The server has the token. Next: saving, with another token; unowned, when the user signs out.
        case saved
        /// All attempts have failed. Next: saving, at the next launch or with another token.
        case failed
    }

    /// The user who owns the token, and the API key for the request that saves it.
    ///
    /// The key is kept here so that a late attempt cannot use the key of another user.
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
    /// The token that an earlier process failed to save; stored only with a planted defect.
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

    /// Handles a token from the phone; it is not saved if `isLeaving`, because the user is about to be signed out.
    mutating func tokenArrived(_ token: String, isLeaving: Bool, _ step: inout Step) {
        guard token != self.token, self.token == nil || policy.replacement == .isSaved else { return }
        self.token = token
        if isLeaving { step.changes.insert(.phone) } else { begin(&step) }
    }

    /// Saves the token for the signed-in user; `isNew` is true after a sign-in and false at launch.
    mutating func signedIn(_ user: String, key: String, isNew: Bool, _ step: inout Step) {
        let isInherited = phase == .saved && policy.signOut == .leavesTheToken
        owner = Owner(user: user, key: key)
        guard !isInherited, !isNew || policy.registration == .whenBothAreThere else { return }
        begin(&step)
    }

    private mutating func begin(_ step: inout Step) {
        guard let token else { return }
        step.emit(.cancelRequests(.pushToken))
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

    // MARK: - Server responses

    /// Handles the response to a save request; `status` is nil if the server has not responded in time.
    mutating func answered(status: Int?, _ step: inout Step) {
        guard case .saving(let attempt) = phase else { return }
        if let status, (200..<300).contains(status) {
            step.log("client.push_token.saved", ["attempt": .integer(attempt)])
            return enter(.saved, &step)
        }
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

    /// Returns the delay after an attempt: the profile's base, doubled for each earlier attempt, plus jitter if the
    /// profile specifies jitter.
    private mutating func delay(after attempt: Int64) -> TimeSpan {
        let nominal = policy.delays == .double ? profile.base.doubled(attempt - 1) : profile.base
        guard let share = percent(profile.jitterPercent), share != .never else { return nominal }
        return chance.span(from: nominal, through: nominal + share.of(nominal))
    }

    // MARK: - Signing out

    /// Requests the removal of the token; ``ClientSignal/tokenRemovalEnded(_:)`` is emitted when the request has ended.
    mutating func remove(key: String, _ step: inout Step) {
        guard token != nil, policy.signOut == .takesTheTokenBack else { return step.emit(.tokenRemovalEnded(true)) }
        if policy.leaving == .cancelsSaves { cancelSave(&step) }
        step.emit(.ask(.removeToken(key: key)))
    }

    /// Cancels a save request and its retries, so that no save request can reach the server after the removal.
    private mutating func cancelSave(_ step: inout Step) {
        switch phase {
        case .saving, .waiting:
            step.emit(.cancelRequests(.pushToken))
            enter(.unowned, &step)
        case .none, .unowned, .saved, .failed: break
        }
    }

    /// Handles the user's sign-out.
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
    /// The values of the observable `push_token.state`.
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
            "The state of the registration of the phone's push token with the server."
        ),
        .event(
            "client.push_token.tried",
            [.integer("attempt"), .integer("of")],
            "The client has begun an attempt to save the push token on the server; attempts are numbered from 1."
        ),
        .event(
            "client.push_token.failed",
            [.integer("attempt"), .integer("of"), "reason"],
            "An attempt to save the push token on the server has failed."
        ),
        .event("client.push_token.saved", [.integer("attempt")], "The server has saved the push token."),
        .event(
            "client.push_token.given_up",
            [.integer("attempts")],
            "All attempts to save the push token on the server have failed; the client tries again at its next launch."
        ),
    ]
}
