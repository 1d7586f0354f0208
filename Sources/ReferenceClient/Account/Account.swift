import SquallCore

/// Owns the signed-in user, and determines the order of the steps of a sign-out.
///
/// On first launch, it signs in a user named after the client.
struct Account {
    /// A step of a sign-out. This component only decides which step comes next; other components carry it out.
    enum Part: String, CaseIterable {
        /// Removes the push token from the server. The request needs the user's credential.
        case token
        /// Resets the user's screen and notification state.
        case state
        /// Closes the connection and deletes the credential.
        case session
        /// Deletes the user's name. The user's unsent messages stay on disk until the user signs in again.
        case user
    }

    private let rules: Rules
    private var policy: AccountPolicy { rules.policy.account }
    /// The signed-in user; nil if no user is signed in.
    private(set) var user: String?
    /// The steps that a sign-out in progress has yet to carry out, in order.
    private var parts: [Part] = []
    /// The pending sign-in, which begins once the current sign-out is complete; nil if there is none.
    private var next: (user: String, key: String)?
    private(set) var isLeaving = false
    private let firstKey: String

    /// The store key for the user's name. A sign-out replaces the name with `false`.
    private static let storeKey = "account.user"

    init(_ rules: Rules, store: StoreImage, key: String) {
        self.rules = rules
        firstKey = key
        let stored = store[Self.storeKey]
        user = stored?.boolValue == false ? nil : stored?.stringValue ?? rules.id.name
    }

    // MARK: - Signing in

    mutating func signIn(_ user: String, key: String?, _ step: inout Step) {
        let key = key ?? firstKey
        guard self.user == nil, !isLeaving else {
            next = (user, key)
            return signOut(cancelsNextSignIn: false, &step)
        }
        self.user = user
        step.store(Self.storeKey, .string(user))
        step.log("client.signed_in", ["user": .string(user)])
        step.emit(.signedIn(user: user, key: key))
        step.changes.insert(.phone)
    }

    // MARK: - Signing out

    mutating func signOut(cancelsNextSignIn: Bool = true, _ step: inout Step) {
        if cancelsNextSignIn { next = nil }
        guard user != nil, !isLeaving else { return }
        isLeaving = true
        switch policy.order {
        case .tokenWhileSignedIn: parts = [.token, .state, .session, .user]
        case .tokenAfterwards: parts = [.session, .token, .state, .user]
        }
        step.changes.insert(.phone)
        runNextPart(&step)
    }

    /// Continues a sign-out once the request to remove the push token has succeeded (`isGone`) or failed.
    mutating func tokenRemovalEnded(_ isGone: Bool, _ step: inout Step) {
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
        runNextPart(&step)
    }

    /// Continues a sign-out after the step `part` has been carried out.
    ///
    /// After ``Part/token``, ``tokenRemovalEnded(_:_:)`` continues the sign-out instead.
    mutating func completed(_ part: Part, _ step: inout Step) {
        step.log("client.sign_out.\(part.rawValue)")
        if part != .token { runNextPart(&step) }
    }

    private mutating func runNextPart(_ step: inout Step) {
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
                "The client could not remove the push token from the server during a sign-out."
            ),
            .event("client.signed_in", ["user"], "A user has signed in."),
            .event("client.signed_out", [], "The user has signed out."),
        ]
}

extension Account.Part {
    fileprivate var meaning: String {
        switch self {
        case .token: "During a sign-out, the client has asked the server to remove the push token."
        case .state: "During a sign-out, the client has cleared the state of the user's screen and notifications."
        case .session: "During a sign-out, the client has closed the connection and deleted the key."
        case .user: "During a sign-out, the client has deleted the user's name."
        }
    }
}
