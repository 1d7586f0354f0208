/// How the client signs a user out: the order of the steps, and the state that the sign-out clears.
package struct AccountPolicy: Hashable, Sendable {
    package enum Order: Hashable, Sendable { case tokenWhileSignedIn, tokenAfterwards }
    /// How the client reacts if the push token cannot be removed: it logs the failure and continues the sign-out, or it
    /// aborts the sign-out.
    package enum TokenFailure: Hashable, Sendable { case isLogged, endsTheSignOut }
    /// Whether a sign-out clears the user's screen state or leaves it in place.
    package enum State: Hashable, Sendable { case isCleared, survives }
    /// How much of the app's state a disappearing screen clears: only the values that it has set itself, all of the
    /// state, or nothing.
    package enum Disappearing: Hashable, Sendable { case clearsOwnState, clearsAll, clearsNothing }
    /// When a write to the app's state takes effect: immediately or after a delay.
    package enum Writing: Hashable, Sendable { case isImmediate, isLate }

    package var order = Order.tokenWhileSignedIn
    package var tokenFailure = TokenFailure.isLogged
    package var state = State.isCleared
    package var disappearing = Disappearing.clearsOwnState
    package var writing = Writing.isImmediate

    static let defects: [Defect] = [
        Defect(
            "signOutOrder",
            ["PN-X3"],
            "signing out ends the session first, so that the push token can no longer be removed",
            policy: { $0.account.order = .tokenAfterwards }
        ),
        Defect(
            "signOutBlocked",
            ["PN-X1"],
            "a push token that cannot be removed keeps the user signed in",
            policy: { $0.account.tokenFailure = .endsTheSignOut }
        ),
        Defect(
            "staticStateSurvives",
            ["PN-2", "PN-5", "PN-6", "PN-X10", "PN-21"],
            "the state of the screen and its user survives a sign-out",
            policy: { $0.account.state = .survives }
        ),
        Defect(
            "viewingOutlivesScreen",
            ["PN-5"],
            "a conversation still counts as viewed after its screen has disappeared",
            policy: { $0.account.disappearing = .clearsNothing }
        ),
        Defect(
            "disappearClearsOther",
            ["PN-X5"],
            "a screen that disappears clears the state of the next one",
            policy: { $0.account.disappearing = .clearsAll }
        ),
        Defect(
            "appStateRace",
            ["PN-5"],
            "reads of the app's state miss writes that have just been made",
            policy: { $0.account.writing = .isLate }
        ),
    ]
}
