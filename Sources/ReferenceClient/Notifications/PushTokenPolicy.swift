/// What becomes of the phone's push token.
package struct PushTokenPolicy: Hashable, Sendable {
    package enum Registration: Hashable, Sendable { case whenBothAreThere, whenTheTokenComes }
    package enum Retry: Hashable, Sendable { case isDelayed, never }
    /// How long a token that could not be saved is left alone.
    package enum GivingUp: Hashable, Sendable { case isUntilTheNextLaunch, isForGood }
    /// Whether the last of the delays is waited for, and the try behind it made.
    package enum LastDelay: Hashable, Sendable { case isWaitedFor, isSkipped }
    /// What a sign-out does to a save that is under way.
    package enum Leaving: Hashable, Sendable { case cancelsSaves, letsSavesGoOn }
    package enum SignOut: Hashable, Sendable { case takesTheTokenBack, leavesTheToken }

    package var registration = Registration.whenBothAreThere
    package var retry = Retry.isDelayed
    package var givingUp = GivingUp.isUntilTheNextLaunch
    package var lastDelay = LastDelay.isWaitedFor
    package var leaving = Leaving.cancelsSaves
    package var signOut = SignOut.takesTheTokenBack

    static let defects: [Defect] = [
        Defect(
            "tokenNotRegistered",
            ["PN-4"],
            "a token is saved when the phone gives it, and not when a user signs in later",
            policy: { $0.pushToken.registration = .whenTheTokenComes }
        ),
        Defect(
            "tokenSaveNoRetry",
            ["PN-17", "PN-18", "PN-X14"],
            "a token that could not be saved is not tried again before the next launch",
            policy: { $0.pushToken.retry = .never }
        ),
        Defect(
            "tokenGivenUpForGood",
            ["PN-19"],
            "a token whose save was given up is not tried again at the next launch, either",
            policy: { $0.pushToken.givingUp = .isForGood }
        ),
        Defect(
            "backoffSkipsLast",
            ["PN-X7"],
            "the last delay of a token save is never waited for, nor the try behind it made",
            policy: { $0.pushToken.lastDelay = .isSkipped }
        ),
        Defect(
            "staleTokenRetry",
            ["PN-X15"],
            "a token save goes on for a user who has signed out",
            policy: { $0.pushToken.leaving = .letsSavesGoOn }
        ),
        Defect(
            "tokenKeptOnSignOut",
            ["PN-1", "PN-3", "PN-22", "PN-X2", "PN-X20"],
            "signing out leaves the token with its user, and who signs in next finds it saved",
            policy: { $0.pushToken.signOut = .leavesTheToken }
        ),
    ]
}
