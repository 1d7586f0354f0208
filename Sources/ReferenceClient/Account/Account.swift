import SquallCore

/// Owns who is signed in, and the order in which signing out takes that apart.
///
/// A client that was never told of users acts for one of its own name.
struct Account {
    /// The parts of signing out, each of which another concern does.
    enum Part: String, CaseIterable {
        /// The server forgets the device, while it still knows who asks.
        case token
        /// What the app knows of the user's screen and notifications.
        case state
        /// The connection, and the key.
        case session
        /// Who it was.
        case user
    }

    private let rules: Rules
    private var policy: AccountPolicy { rules.policy.account }
    /// Nil for nobody.
    private(set) var user: String?
    /// What is left of signing out, while that is under way.
    private var parts: [Part] = []
    /// Who signs in when that is done.
    private var next: (user: String, key: String)?
    private(set) var isLeaving = false
    private let firstKey: String

    /// A user's name, or false for nobody.
    private static let storeKey = "account.user"

    init(_ rules: Rules, store: StoreImage, key: String) {
        self.rules = rules
        firstKey = key
        let stored = store[Self.storeKey]
        user = stored?.boolValue == false ? nil : stored?.stringValue ?? rules.id.name
    }

    // MARK: - In

    mutating func signIn(_ user: String, key: String?, _ step: inout Step) {
        let key = key ?? firstKey
        guard self.user == nil, !isLeaving else {
            next = (user, key)
            return signOut(thenNobody: false, &step)
        }
        self.user = user
        step.store(Self.storeKey, .string(user))
        step.log("client.signed_in", ["user": .string(user)])
        step.emit(.signedIn(user: user, key: key))
        step.changes.insert(.phone)
    }

    // MARK: - Out

    mutating func signOut(thenNobody: Bool = true, _ step: inout Step) {
        if thenNobody { next = nil }
        guard user != nil, !isLeaving else { return }
        isLeaving = true
        switch policy.order {
        case .tokenWhileSignedIn: parts = [.token, .state, .session, .user]
        case .tokenAfterwards: parts = [.session, .token, .state, .user]
        }
        step.changes.insert(.phone)
        goOn(&step)
    }

    /// The server has forgotten the device, or will not.
    mutating func tokenIsGone(_ isGone: Bool, _ step: inout Step) {
        guard isLeaving else { return }
        if !isGone {
            step.log("client.sign_out.token_left")
            guard policy.tokenFailure == .isLogged else {
                parts = []
                isLeaving = false
                next = nil
                step.changes.insert(.phone)
                return
            }
        }
        goOn(&step)
    }

    /// A part is done; that of the token only when it is gone.
    mutating func did(_ part: Part, _ step: inout Step) {
        step.log("client.sign_out.\(part.rawValue)")
        if part != .token { goOn(&step) }
    }

    private mutating func goOn(_ step: inout Step) {
        if let part = parts.first {
            parts.removeFirst()
            return step.emit(.signOut(part))
        }
        user = nil
        isLeaving = false
        step.store(Self.storeKey, .bool(false))
        step.log("client.signed_out")
        step.changes.insert(.phone)
        if let (user, key) = next {
            next = nil
            step.emit(.signInNext(user: user, key: key))
        }
    }
}

extension Account {
    static let registry: [RegistryEntry] =
        Part.allCases.map { RegistryEntry.event("client.sign_out.\($0.rawValue)", [], $0.meaning) }
        + [
            RegistryEntry.event(
                "client.sign_out.token_left",
                [],
                "The server could not be told to forget the device: a warning, and no reason to stay."
            ),
            .event("client.signed_in", ["user"], "Somebody has signed in."),
            .event("client.signed_out", [], "Nobody is signed in any more."),
        ]
}

extension Account.Part {
    fileprivate var meaning: String {
        switch self {
        case .token: "Signing out: the server is told to forget the device."
        case .state: "Signing out: what the app knew of the user's screen and notifications is cleared."
        case .session: "Signing out: the connection and the key are given up."
        case .user: "Signing out: the user is forgotten."
        }
    }
}
