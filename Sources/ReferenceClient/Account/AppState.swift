import SquallCore

/// Tracks the signed-in user and the conversation on screen, which together determine whether the client shows a
/// notification.
///
/// A screen disappears only after its successor has appeared, so each screen clears only the state that it has set
/// itself.
struct AppState {
    private let rules: Rules
    private var policy: AccountPolicy { rules.policy.account }
    private(set) var viewing: String?
    private(set) var user: String?
    /// The conversation whose screen is open.
    private var screen: String?
    /// The instant at which each closing screen disappears.
    private var leaving: [Instant] = []
    /// A delayed write and the instant at which it takes effect; nil unless a planted defect delays writes.
    private var late: (viewing: String?, at: Instant)?
    /// Whether any command has used the app's state. Until then, its observables are not reported.
    private(set) var isUsed = false
    /// Whether the app is in the foreground.
    private(set) var isInForeground = true
    private var isLocked: Bool
    /// Whether the app returns to the foreground when the screen is unlocked.
    private var returnsOnUnlock = false

    init(_ rules: Rules, viewing: String?, user: String?, isLocked: Bool = false) {
        self.rules = rules
        self.isLocked = isLocked
        isInForeground = !isLocked
        returnsOnUnlock = isLocked
        self.user = user
        screen = viewing
        self.viewing = viewing
    }

    var deadline: Instant? {
        leaving.reduce(late?.at) { first, entry in first.or(sooner: entry) }
    }

    mutating func timer(_ step: inout Step) {
        if let late, late.at <= step.now {
            viewing = late.viewing
            self.late = nil
            step.changes.insert(.phone)
        }
        for until in leaving where until <= step.now { disappeared(&step) }
        leaving.removeAll { $0 <= step.now }
    }

    mutating func use(_ step: inout Step) {
        guard !isUsed else { return }
        isUsed = true
        step.changes.insert(.phone)
    }

    // MARK: - Screens

    mutating func background() { isInForeground = false }

    /// Brings the app to the foreground. If the phone is locked, this happens only once it is unlocked.
    ///
    /// - Returns: Whether the app is now in the foreground.
    mutating func foreground() -> Bool {
        guard !isLocked else {
            returnsOnUnlock = true
            return false
        }
        isInForeground = true
        return true
    }

    /// Records that the screen was locked; returns whether this moves the app out of the foreground.
    mutating func locked() -> Bool {
        isLocked = true
        guard isInForeground else { return false }
        returnsOnUnlock = true
        return true
    }

    /// Records that the screen was unlocked; returns whether the app must return to the foreground.
    mutating func unlocked() -> Bool {
        defer { (isLocked, returnsOnUnlock) = (false, false) }
        return returnsOnUnlock
    }

    mutating func opened(_ conversation: String, _ step: inout Step) {
        guard screen != conversation else { return }
        dismissScreen(&step)
        screen = conversation
        write(conversation, &step)
    }

    mutating func left(_ step: inout Step) { dismissScreen(&step) }

    /// Handles the phone's report that a conversation's view has appeared.
    mutating func appeared(_ conversation: String, _ step: inout Step) {
        guard screen != conversation else { return }
        screen = conversation
        write(conversation, &step)
    }

    /// Handles the phone's report that a conversation's view has disappeared.
    mutating func vanished(_ conversation: String, _ step: inout Step) {
        let isOwn = screen == conversation
        if isOwn { screen = nil }
        switch policy.disappearing {
        case .clearsOwnState: if isOwn { write(nil, &step) }
        case .clearsAll: write(nil, &step)
        case .clearsNothing: break
        }
    }

    /// Closes the open screen, which stays visible until the transition ends.
    private mutating func dismissScreen(_ step: inout Step) {
        guard screen != nil else { return }
        screen = nil
        leaving.append(step.now + rules.profile.screen.transition)
    }

    private mutating func disappeared(_ step: inout Step) {
        switch policy.disappearing {
        case .clearsOwnState: if screen == nil { write(nil, &step) }
        case .clearsAll: write(nil, &step)
        case .clearsNothing: break
        }
    }

    // MARK: - Signed-in user

    mutating func signedIn(_ user: String, _ step: inout Step) {
        self.user = user
        use(&step)
        step.changes.insert(.phone)
    }

    mutating func clear(_ step: inout Step) {
        use(&step)
        screen = nil
        guard policy.state == .isCleared else { return }
        leaving = []
        write(nil, &step)
    }

    mutating func signedOut(_ step: inout Step) {
        guard policy.state == .isCleared else { return }
        user = nil
        step.changes.insert(.phone)
    }

    private mutating func write(_ viewing: String?, _ step: inout Step) {
        guard policy.writing == .isImmediate else {
            late = (viewing, step.now + rules.profile.screen.transition)
            return
        }
        self.viewing = viewing
        step.changes.insert(.phone)
    }
}

extension AppState {
    static let registry: [RegistryEntry] = [
        .observable("app.viewing", .text, "The open conversation according to the app's state; null if there is none."),
        .observable("app.user", .text, "The signed-in user according to the app's state; null if there is none."),
        .observable("app.signing_out", .flag, "Whether a sign-out is in progress."),
    ]
}
