/// How the client orders messages, detects duplicates and loads conversations.
package struct ConversationsPolicy: Hashable, Sendable {
    package enum Order: Hashable, Sendable { case byTimestamp, byArrival, byText }
    package enum Clock: Hashable, Sendable { case ofServer, ofPhone }
    package enum Duplicates: Hashable, Sendable { case areDropped, areShown }
    /// What happens to a page requested for a conversation that has since been closed: the request is cancelled, or the
    /// page is displayed in the open conversation.
    package enum Replies: Hashable, Sendable { case areMatched, areShownAsTheyCome }
    package enum StaleErrors: Hashable, Sendable { case areDropped, areShown }
    /// How the client treats a message for a conversation that is not open: it counts the message as unread, or
    /// discards it.
    package enum Elsewhere: Hashable, Sendable { case isCounted, isDropped }
    /// Whether the client displays or ignores messages that the user has sent from another device.
    package enum OtherDevices: Hashable, Sendable { case areReported, areIgnored }
    /// Which messages are kept on disk: the newest of each conversation, the newest of all conversations, or all.
    package enum Cache: Hashable, Sendable { case isPerConversation, isShared, isUnlimited }
    package enum Switching: Hashable, Sendable { case showsCache, wipes }
    package enum RefreshEnd: Hashable, Sendable { case hasFeedback, isSilent }
    /// What happens to unconfirmed messages when the user opens another conversation: they are kept, or they disappear.
    package enum Unconfirmed: Hashable, Sendable { case stay, areForgotten }
    /// How the store handles a message that it already has, regardless of how the message arrives: it changes nothing,
    /// or adds the message again.
    package enum Known: Hashable, Sendable { case areLeftAlone, areAddedAgain }
    /// How an arriving page changes the stored messages: it is merged with them, or replaces those that have arrived
    /// since the page was requested.
    package enum Pages: Hashable, Sendable { case areMerged, replaceTheStore }
    /// What happens to the received part of a streamed message when the connection is lost.
    package enum PartialMessages: Hashable, Sendable { case areKept, areHidden }
    /// Whether the client remembers across restarts which of the user's messages others have read.
    package enum ReadMarks: Hashable, Sendable { case areStored, areForgotten }

    /// What a page does to a message that the client knows as deleted: nothing, or it brings the message back if it is
    /// not deleted on the page.
    package enum Deleted: Hashable, Sendable { case stay, areRestored }
    /// Which messages of a page its record counts: those that the client did not have, or all of them.
    package enum Counted: Hashable, Sendable { case newOnes, all }

    /// What happens to the newest page of the open conversation that could not be loaded: it is requested again after
    /// a poll that succeeds or a message that arrives, or only by the user.
    package enum FailedPage: Hashable, Sendable { case isRequestedAgain, staysMissing }
    /// How long a refresh is displayed: until its answer, also after its failure, or not at all.
    package enum RefreshFlag: Hashable, Sendable { case endsWithAnswer, outlivesFailure, isNeverSet }
    /// What a refresh that fails does to the messages: nothing, or it removes them.
    package enum FailedRefresh: Hashable, Sendable { case keepsMessages, removesMessages }

    package var order = Order.byTimestamp
    package var clock = Clock.ofServer
    package var duplicates = Duplicates.areDropped
    package var historyDuplicates = Duplicates.areDropped
    package var replies = Replies.areMatched
    package var staleErrors = StaleErrors.areDropped
    package var elsewhere = Elsewhere.isCounted
    package var otherDevices = OtherDevices.areReported
    package var cache = Cache.isPerConversation
    package var switching = Switching.showsCache
    package var refreshEnd = RefreshEnd.hasFeedback
    package var unconfirmed = Unconfirmed.stay
    package var known = Known.areLeftAlone
    package var pages = Pages.areMerged
    package var partialMessages = PartialMessages.areKept
    package var readMarks = ReadMarks.areStored
    package var deleted = Deleted.stay
    package var counted = Counted.newOnes
    package var failedPage = FailedPage.isRequestedAgain
    package var refreshFlag = RefreshFlag.endsWithAnswer
    package var failedRefresh = FailedRefresh.keepsMessages

    static let defects: [Defect] = [
        Defect(
            "pageRestoresDeleted",
            ["FL-16"],
            "a page that was requested before a deletion brings the deleted message back",
            policy: { $0.conversations.deleted = .areRestored }
        ),
        Defect(
            "failedPageStaysMissing",
            ["UX-X1"],
            "a page that could not be loaded is requested again only by the user",
            policy: { $0.conversations.failedPage = .staysMissing }
        ),
        Defect(
            "refreshOutlivesFailure",
            ["UX-1.2c"],
            "a refresh is still displayed after it has failed",
            policy: { $0.conversations.refreshFlag = .outlivesFailure }
        ),
        Defect(
            "refreshNotDisplayed",
            ["UX-1.2c"],
            "nothing shows that a refresh is in progress",
            policy: { $0.conversations.refreshFlag = .isNeverSet }
        ),
        Defect(
            "failedRefreshEmpties",
            ["UX-1.2c"],
            "a refresh that fails removes the conversation's messages",
            policy: { $0.conversations.failedRefresh = .removesMessages }
        ),
        Defect(
            "addedCountsKnown",
            ["WS-12a"],
            "the record of a page counts the messages that the client already had as new",
            policy: { $0.conversations.counted = .all }
        ),
        Defect(
            "arrivalOrder",
            ["WS-5a", "FL-14", "WS-5e"],
            "messages are ordered by arrival",
            policy: { $0.conversations.order = .byArrival }
        ),
        Defect(
            "partialReplyLost",
            ["UX-X6"],
            "the received part of a streamed reply disappears when the connection is lost",
            policy: { $0.conversations.partialMessages = .areHidden }
        ),
        Defect(
            "readMarkForgotten",
            ["FL-18"],
            "after a restart, the client no longer shows which of the user's messages others have read",
            policy: { $0.conversations.readMarks = .areForgotten }
        ),
        Defect(
            "clientClockUsed",
            ["PO-2.3b", "PO-2.3d", "WS-5b", "WS-38"],
            "the user's messages are ordered by the phone's clock",
            policy: { $0.conversations.clock = .ofPhone }
        ),
        Defect(
            "noResponseDedup",
            ["WS-4f", "WS-12f"],
            "a message that arrives twice is shown twice",
            policy: { $0.conversations.duplicates = .areShown }
        ),
        Defect(
            "noHistoryDedup",
            ["WS-12a", "WS-5c"],
            "overlapping history pages show the same message twice",
            policy: { $0.conversations.historyDuplicates = .areShown }
        ),
        Defect(
            "noStaleReplyGuard",
            ["UX-3.6a", "UX-3.6b", "UX-X3"],
            "a history page is shown in the open conversation even if it was requested for another one",
            policy: { $0.conversations.replies = .areShownAsTheyCome }
        ),
        Defect(
            "staleErrorShown",
            ["UX-3.6c", "UX-X3"],
            "an error of the previous conversation is shown in the next one",
            policy: { $0.conversations.staleErrors = .areShown }
        ),
        Defect(
            "dropOtherAgentMessages",
            ["UX-3.2a", "UX-3.3b"],
            "messages for conversations that are not open are discarded",
            policy: { $0.conversations.elsewhere = .isDropped }
        ),
        Defect(
            "devicesDiverge",
            ["WS-X1"],
            "messages that the user sends from another device are not shown",
            policy: { $0.conversations.otherDevices = .areIgnored }
        ),
        Defect(
            "globalCache",
            ["UX-1.1a", "UX-1.1e", "UX-X3"],
            "all conversations share one cache, so a busy one evicts the messages of a quiet one",
            policy: { $0.conversations.cache = .isShared }
        ),
        Defect(
            "cacheUnlimited",
            ["UX-1.1e"],
            "the cache of a conversation keeps all of its messages",
            policy: { $0.conversations.cache = .isUnlimited }
        ),
        Defect(
            "wipeOnSwitch",
            ["UX-1.4a", "UX-3.1b", "UX-X3", "UX-3.1c"],
            "opening a conversation clears it until the server answers",
            policy: { $0.conversations.switching = .wipes }
        ),
        Defect(
            "noRefreshHaptic",
            ["UX-1.2b"],
            "the end of a refresh causes no haptic feedback",
            policy: { $0.conversations.refreshEnd = .isSilent }
        ),
        Defect(
            "pendingLostOnSwitch",
            ["UX-3.1d", "UX-3.1c"],
            "unconfirmed messages disappear when the user switches conversations",
            policy: { $0.conversations.unconfirmed = .areForgotten }
        ),
        Defect(
            "storeNoDedup",
            ["FL-13", "FL-17"],
            "the store adds a message again that it already has",
            policy: { $0.conversations.known = .areAddedAgain }
        ),
        Defect(
            "stringSort",
            ["FL-15", "WS-5a"],
            "timestamps are compared as strings",
            policy: { $0.conversations.order = .byText }
        ),
        Defect(
            "storeRace",
            ["FL-16", "UX-2.5b", "UX-3.1e"],
            "a history page overwrites the messages that arrived after it was requested",
            policy: { $0.conversations.pages = .replaceTheStore }
        ),
    ]
}
