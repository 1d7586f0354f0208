/// How messages are ordered and told apart.
package struct ConversationsPolicy: Hashable, Sendable {
    package enum Order: Hashable, Sendable { case byTimestamp, byArrival, byText }
    package enum Clock: Hashable, Sendable { case ofServer, ofPhone }
    package enum Duplicates: Hashable, Sendable { case areDropped, areShown }
    /// What becomes of a page that was asked for on another screen.
    package enum Replies: Hashable, Sendable { case areMatched, areShownAsTheyCome }
    package enum StaleErrors: Hashable, Sendable { case areDropped, areShown }
    /// A message for a conversation that is not on the screen.
    package enum Elsewhere: Hashable, Sendable { case isCounted, isDropped }
    /// What the same user has sent from another device.
    package enum OtherDevices: Hashable, Sendable { case areHeard, areIgnored }
    package enum Cache: Hashable, Sendable { case isPerConversation, isShared }
    package enum Switching: Hashable, Sendable { case showsCache, wipes }
    package enum RefreshEnd: Hashable, Sendable { case isFelt, isSilent }
    /// What becomes of the user's messages that are on their way when he looks elsewhere.
    package enum Unconfirmed: Hashable, Sendable { case stay, areForgotten }
    /// What the store does with a message that it has, whichever way it came.
    package enum Known: Hashable, Sendable { case areLeftAlone, areAddedAgain }
    /// What becomes of the store when a page comes.
    package enum Pages: Hashable, Sendable { case areMerged, replaceTheStore }

    package var order = Order.byTimestamp
    package var clock = Clock.ofServer
    package var duplicates = Duplicates.areDropped
    package var historyDuplicates = Duplicates.areDropped
    package var replies = Replies.areMatched
    package var staleErrors = StaleErrors.areDropped
    package var elsewhere = Elsewhere.isCounted
    package var otherDevices = OtherDevices.areHeard
    package var cache = Cache.isPerConversation
    package var switching = Switching.showsCache
    package var refreshEnd = RefreshEnd.isFelt
    package var unconfirmed = Unconfirmed.stay
    package var known = Known.areLeftAlone
    package var pages = Pages.areMerged

    static let defects: [Defect] = [
        Defect(
            "arrivalOrder",
            ["WS-5a", "FL-14"],
            "messages stand in the order they came in",
            policy: { $0.conversations.order = .byArrival }
        ),
        Defect(
            "clientClockUsed",
            ["PO-2.3d", "WS-5b", "WS-38"],
            "the user's messages stand where the phone's clock puts them",
            policy: { $0.conversations.clock = .ofPhone }
        ),
        Defect(
            "noResponseDedup",
            ["WS-4f", "WS-12f"],
            "a message that comes twice is shown twice",
            policy: { $0.conversations.duplicates = .areShown }
        ),
        Defect(
            "noHistoryDedup",
            ["WS-12a"],
            "pages that overlap show the same message twice",
            policy: { $0.conversations.historyDuplicates = .areShown }
        ),
        Defect(
            "noStaleReplyGuard",
            ["UX-3.6a", "UX-3.6b"],
            "a page is shown on the screen of the moment, whichever it was for",
            policy: { $0.conversations.replies = .areShownAsTheyCome }
        ),
        Defect(
            "staleErrorShown",
            ["UX-3.6c"],
            "an error of a screen that was left shows on the next",
            policy: { $0.conversations.staleErrors = .areShown }
        ),
        Defect(
            "dropOtherAgentMessages",
            ["UX-3.2a"],
            "messages of conversations that are not open are thrown away",
            policy: { $0.conversations.elsewhere = .isDropped }
        ),
        Defect(
            "devicesDiverge",
            ["WS-X1"],
            "what the user sends from another device is not shown here",
            policy: { $0.conversations.otherDevices = .areIgnored }
        ),
        Defect(
            "globalCache",
            ["UX-1.1a", "UX-1.1e", "UX-X3"],
            "all conversations share one cache, a busy one drives out a quiet",
            policy: { $0.conversations.cache = .isShared }
        ),
        Defect(
            "wipeOnSwitch",
            ["UX-1.4a", "UX-3.1b", "UX-X3"],
            "opening a conversation empties it until the server answers",
            policy: { $0.conversations.switching = .wipes }
        ),
        Defect(
            "noRefreshHaptic",
            ["UX-1.2b"],
            "the end of a refresh is not felt",
            policy: { $0.conversations.refreshEnd = .isSilent }
        ),
        Defect(
            "pendingLostOnSwitch",
            ["UX-3.1d"],
            "messages on their way are gone from the screen after a switch",
            policy: { $0.conversations.unconfirmed = .areForgotten }
        ),
        Defect(
            "storeNoDedup",
            ["FL-13"],
            "the store takes in a message that it has, whichever way it comes",
            policy: { $0.conversations.known = .areAddedAgain }
        ),
        Defect(
            "stringSort",
            ["FL-15"],
            "times are compared as the texts they were written in",
            policy: { $0.conversations.order = .byText }
        ),
        Defect(
            "storeRace",
            ["FL-16"],
            "a page is put into the store as it was when it was asked for: what was written since is lost",
            policy: { $0.conversations.pages = .replaceTheStore }
        ),
    ]
}
