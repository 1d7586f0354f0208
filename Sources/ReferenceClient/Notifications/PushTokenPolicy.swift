/// How the client registers the phone's push token with the server.
package struct PushTokenPolicy: Hashable, Sendable {
    package enum Registration: Hashable, Sendable { case whenBothAreThere, whenTheTokenComes }
    package enum Retry: Hashable, Sendable { case isDelayed, never }
    /// The delays between attempts: each twice as long as the previous one, or all equally long.
    package enum Delays: Hashable, Sendable { case double, stayTheSame }
    /// When the client tries to save a token again after all attempts have failed: at the next launch, or never.
    package enum GivingUp: Hashable, Sendable { case isUntilTheNextLaunch, isForGood }
    /// What happens after the second-to-last attempt has failed: the client waits and tries once more, or gives up at
    /// once.
    package enum LastDelay: Hashable, Sendable { case isWaitedFor, isSkipped }
    /// The effect of a sign-out on a save request in flight: the request is cancelled, or it continues.
    package enum Leaving: Hashable, Sendable { case cancelsSaves, letsSavesGoOn }
    /// How the client treats a token that replaces one it already has: it saves the token, or ignores it.
    package enum Replacement: Hashable, Sendable { case isSaved, isIgnored }
    package enum SignOut: Hashable, Sendable { case takesTheTokenBack, leavesTheToken }

    package var registration = Registration.whenBothAreThere
    package var retry = Retry.isDelayed
    package var delays = Delays.double
    package var givingUp = GivingUp.isUntilTheNextLaunch
    package var lastDelay = LastDelay.isWaitedFor
    package var leaving = Leaving.cancelsSaves
    package var signOut = SignOut.takesTheTokenBack
    package var replacement = Replacement.isSaved

    static let defects: [Defect] = [
        Defect(
            "tokenNotRegistered",
            ["PN-4", "PN-X6"],
            "the push token is saved when the phone provides it, but not when a user signs in later",
            policy: { $0.pushToken.registration = .whenTheTokenComes }
        ),
        Defect(
            "tokenRefreshIgnored",
            ["PN-X16"],
            "the app keeps its first push token when the phone replaces it",
            policy: { $0.pushToken.replacement = .isIgnored }
        ),
        Defect(
            "tokenSaveNoRetry",
            ["PN-17", "PN-18", "PN-X14", "PN-X21"],
            "a failed save of the push token is not retried before the next launch",
            policy: { $0.pushToken.retry = .never }
        ),
        Defect(
            "tokenSaveNoBackoff",
            ["PN-17", "PN-X7"],
            "the delays between the attempts to save the push token do not grow",
            policy: { $0.pushToken.delays = .stayTheSame }
        ),
        Defect(
            "tokenGivenUpForGood",
            ["PN-19"],
            "a push token that could not be saved is not retried at the next launch either",
            policy: { $0.pushToken.givingUp = .isForGood }
        ),
        Defect(
            "backoffSkipsLast",
            ["PN-X7"],
            "the last delay and retry of a push token save are skipped",
            policy: { $0.pushToken.lastDelay = .isSkipped }
        ),
        Defect(
            "staleTokenRetry",
            ["PN-X15", "PN-X20"],
            "the save of a push token continues for a user who has signed out",
            policy: { $0.pushToken.leaving = .letsSavesGoOn }
        ),
        Defect(
            "tokenKeptOnSignOut",
            ["PN-1", "PN-3", "PN-22", "PN-X2", "PN-X20", "PN-20"],
            "signing out does not remove the push token from the server, and the next user's token is not saved",
            policy: { $0.pushToken.signOut = .leavesTheToken }
        ),
    ]
}
