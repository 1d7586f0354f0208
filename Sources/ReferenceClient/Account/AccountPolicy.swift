/// What signing out does, and in which order.
package struct AccountPolicy: Hashable, Sendable {
    package enum Order: Hashable, Sendable { case tokenWhileSignedIn, tokenAfterwards }
    /// What a token that cannot be taken back means.
    package enum TokenFailure: Hashable, Sendable { case isLogged, endsTheSignOut }
    /// What the app knew of the user's screen, when they sign out.
    package enum State: Hashable, Sendable { case isCleared, survives }
    /// What a screen does to that state when it has disappeared.
    package enum Disappearing: Hashable, Sendable { case clearsItsOwn, clearsWhateverIsThere, clearsNothing }
    /// Whether what one part of the app writes is there for the next that reads.
    package enum Writing: Hashable, Sendable { case isAtOnce, isLate }

    package var order = Order.tokenWhileSignedIn
    package var tokenFailure = TokenFailure.isLogged
    package var state = State.isCleared
    package var disappearing = Disappearing.clearsItsOwn
    package var writing = Writing.isAtOnce

    static let defects: [Defect] = [
        Defect(
            "signOutOrder",
            ["PN-X3"],
            "the session ends first, so that the token is taken back by nobody",
            policy: { $0.account.order = .tokenAfterwards }
        ),
        Defect(
            "signOutBlocked",
            ["PN-X1"],
            "a token that cannot be taken back keeps the user signed in",
            policy: { $0.account.tokenFailure = .endsTheSignOut }
        ),
        Defect(
            "staticStateSurvives",
            ["PN-2", "PN-6", "PN-X10"],
            "what the app knew of the screen and its user is kept when they have signed out",
            policy: { $0.account.state = .survives }
        ),
        Defect(
            "viewingOutlivesScreen",
            ["PN-5"],
            "a conversation counts as looked at when its screen has gone",
            policy: { $0.account.disappearing = .clearsNothing }
        ),
        Defect(
            "disappearClearsOther",
            ["PN-X5"],
            "a screen that disappears takes what is known of the next one with it",
            policy: { $0.account.disappearing = .clearsWhateverIsThere }
        ),
        Defect(
            "appStateRace",
            ["PN-7"],
            "the app's state is written by many, and read before what was written is there",
            policy: { $0.account.writing = .isLate }
        ),
    ]
}
