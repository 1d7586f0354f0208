/// How the client marks messages as read and counts unread messages.
package struct UnreadPolicy: Hashable, Sendable {
    package enum Opening: Hashable, Sendable { case readsAll, readsNothing }
    /// How an opened conversation becomes read: by the event that the profile specifies, or merely by being opened.
    package enum Clearing: Hashable, Sendable { case asTheProfileSays, onSelection }
    package enum AutoRead: Hashable, Sendable { case whileWatched, never, alsoInBackground }
    /// Whether a message that arrives in the open conversation while its view is not visible counts as unread or as
    /// read.
    package enum OutOfView: Hashable, Sendable { case isUnread, isRead }
    /// Whether a message that arrives in a closed conversation counts as unread or as read.
    package enum Elsewhere: Hashable, Sendable { case isUnread, isRead }
    /// How the client treats the user's own message when the server echoes it: it ignores the message, or sends a
    /// receipt.
    package enum Own: Hashable, Sendable { case isLeftAlone, isReceipted }
    /// How visibility is tracked: separately for each view, with one flag for all views, or separately for each view
    /// but ignoring its disappearance.
    package enum Views: Hashable, Sendable { case areTrackedSeparately, shareOneFlag, neverDisappear }
    package enum Counting: Hashable, Sendable { case byMessage, byArrival }
    /// The number subtracted from the count for a message that is read on arrival: 1 only if the message had been
    /// counted, or always 1.
    package enum ReadOnArrival: Hashable, Sendable { case subtractsCounted, subtractsOne }
    /// The number subtracted from the count when the server repeats a report of read messages: 0, or the same number
    /// again.
    package enum Repeated: Hashable, Sendable { case takesOffNothing, takesOffTheSame }
    /// The number subtracted from the count when another user deletes a message: 1 only if the message had been
    /// counted, or always 1.
    package enum Deletion: Hashable, Sendable { case subtractsCounted, subtractsOne }
    /// How the client handles a command to mark an unknown conversation as read: it ignores the command, or crashes.
    package enum Unknown: Hashable, Sendable { case isIgnored, crashes }
    package enum Receipts: Hashable, Sendable { case areQueued, areLost, areNeverSent, areRepeated, precedeTheStore }
    /// How a polling client reports read messages: with a mark-read request, or only with a receipt over the next
    /// WebSocket.
    package enum WhilePolling: Hashable, Sendable { case requestsReading, waitsForTheSocket }
    package enum Storing: Hashable, Sendable { case isStored, never }
    /// How the client treats the server's count for a conversation whose read reports are still pending: it ignores the
    /// count, or adopts it.
    package enum WhilePending: Hashable, Sendable { case ignoresCounts, adoptsCounts }
    /// The messages that a mark-read request covers: those that the user has read, or all that the server has when it
    /// receives the request.
    package enum Reading: Hashable, Sendable { case coversRead, coversAll }
    package enum ReadFailure: Hashable, Sendable { case isRepeated, isForgotten }
    /// How the client reacts when the server permanently rejects a mark-read request: the messages become unread again,
    /// or they stay read.
    package enum Refused: Hashable, Sendable { case isUndone, stands }
    /// Whether the client asks the server what another of the user's devices has read while this client was
    /// disconnected, or never finds out.
    package enum Absence: Hashable, Sendable { case asksServer, isIgnored }
    /// How a push that arrives while the app is suspended affects the counts: its message is counted at once, or not
    /// until the client has connected again.
    package enum Pushes: Hashable, Sendable { case areCounted, areIgnored }

    /// What happens to a mark-read request while an earlier one for the same conversation waits: they are merged, or
    /// both are sent.
    package enum Requests: Hashable, Sendable { case areMerged, areAllSent }

    package var opening = Opening.readsAll
    package var requests = Requests.areMerged
    package var clearing = Clearing.asTheProfileSays
    package var autoRead = AutoRead.whileWatched
    package var outOfView = OutOfView.isUnread
    package var elsewhere = Elsewhere.isUnread
    package var own = Own.isLeftAlone
    package var views = Views.areTrackedSeparately
    package var counting = Counting.byMessage
    package var readOnArrival = ReadOnArrival.subtractsCounted
    package var repeated = Repeated.takesOffNothing
    package var deletion = Deletion.subtractsCounted
    package var unknown = Unknown.isIgnored
    package var receipts = Receipts.areQueued
    package var whilePolling = WhilePolling.requestsReading
    package var storing = Storing.isStored
    package var whilePending = WhilePending.ignoresCounts
    package var reading = Reading.coversRead
    package var readFailure = ReadFailure.isRepeated
    package var refused = Refused.isUndone
    package var absence = Absence.asksServer
    package var pushes = Pushes.areCounted

    static let defects: [Defect] = arrival + counts + reports

    private static let arrival = [
        Defect(
            "readingsPile",
            ["WS-23"],
            "each mark-read request that waits for the network is sent, although the last one would be enough",
            policy: { $0.unread.requests = .areAllSent }
        ),
        Defect(
            "openDoesNotClear",
            ["FL-9", "FL-19"],
            "an opened conversation stays unread",
            policy: { $0.unread.opening = .readsNothing }
        ),
        Defect(
            "eagerBadgeClear",
            ["UX-3.2c"],
            "a conversation counts as read as soon as it is opened, before its messages were visible",
            policy: { $0.unread.clearing = .onSelection }
        ),
        Defect(
            "noAutoRead",
            ["FL-1", "FL-2", "FL-8", "PO-2.1j"],
            "a message that arrives in the visible conversation counts as unread",
            policy: { $0.unread.autoRead = .never }
        ),
        Defect(
            "autoReadInBackground",
            ["FL-21"],
            "a message that arrives while the app is in the background counts as read",
            policy: { $0.unread.autoRead = .alsoInBackground }
        ),
        Defect(
            "autoReadInactive",
            ["FL-3", "FL-7"],
            "a message for a conversation whose view has left the screen counts as read",
            policy: { $0.unread.outOfView = .isRead }
        ),
        Defect(
            "autoReadWrongConversation",
            ["FL-5", "FL-11"],
            "while any conversation is visible, messages for all conversations count as read",
            policy: { $0.unread.elsewhere = .isRead }
        ),
        Defect(
            "autoReadOwn",
            ["FL-4"],
            "a read receipt is sent for the user's own message when the server echoes it",
            policy: { $0.unread.own = .isReceipted }
        ),
        Defect(
            "viewFlagRace",
            ["FL-25"],
            "all views share one visibility flag, so a view that disappears late hides the next one",
            policy: { $0.unread.views = .shareOneFlag }
        ),
        Defect(
            "viewStaysActive",
            ["FL-7"],
            "a view that has left the screen still counts as visible",
            policy: { $0.unread.views = .neverDisappear }
        ),
    ]

    private static let counts = [
        Defect(
            "countsOverwritePending",
            ["FL-23"],
            "the server's count replaces the client's while the server has yet to learn what the user has read",
            policy: { $0.unread.whilePending = .adoptsCounts }
        ),
        Defect(
            "badgeWaitsForConnection",
            ["PN-8", "PN-X16"],
            "a push that arrives while the app is suspended does not raise the number on the app's icon",
            policy: { $0.unread.pushes = .areIgnored }
        ),
        Defect(
            "unreadDrift",
            ["PO-2.2i", "WS-12f"],
            "a message that arrives twice is counted twice",
            policy: { $0.unread.counting = .byArrival }
        ),
        Defect(
            "doubleDecrement",
            ["FL-24", "PO-2.2i"],
            "a repeated message in the visible conversation reduces the unread count, even if it was not counted",
            policy: { $0.unread.readOnArrival = .subtractsOne }
        ),
        Defect(
            "deletionLowersCount",
            ["PO-2.1j"],
            "a deletion reduces the unread count, even if the message had been read",
            policy: { $0.unread.deletion = .subtractsOne }
        ),
        Defect(
            "negativeUnread",
            ["PO-2.2j"],
            "a repeated report of messages read on another device reduces the unread count again, below zero",
            policy: { $0.unread.repeated = .takesOffTheSame }
        ),
        Defect(
            "crashOnUnknownClear",
            ["FL-12"],
            "marking an unknown conversation as read crashes the app",
            policy: { $0.unread.unknown = .crashes }
        ),
        Defect(
            "unreadNotPersisted",
            ["PO-2.2e"],
            "a kill loses the unread counts",
            policy: { $0.unread.storing = .never }
        ),
    ]

    private static let reports = [
        Defect(
            "readingCoversAll",
            ["FL-3", "FL-23"],
            "a mark-read request that is sent late also covers messages that have arrived since, unseen by the user",
            policy: { $0.unread.reading = .coversAll }
        ),
        Defect(
            "receiptDropped",
            ["FL-22", "WS-X1"],
            "a read receipt is lost if there is no connection when the message is read",
            policy: { $0.unread.receipts = .areLost }
        ),
        Defect(
            "receiptNotSent",
            ["FL-18"],
            "read receipts are never sent",
            policy: { $0.unread.receipts = .areNeverSent }
        ),
        Defect(
            "receiptBeforeStored",
            ["FL-2"],
            "a read receipt is sent before the message is on disk",
            policy: { $0.unread.receipts = .precedeTheStore }
        ),
        Defect(
            "doubleReceipt",
            ["FL-6"],
            "a message that arrives again gets another read receipt",
            policy: { $0.unread.receipts = .areRepeated }
        ),
        Defect(
            "pollingReportsNoReading",
            ["UX-2.3d", "WS-X1"],
            "a client that polls reports what was read in the open conversation only when the socket is back",
            policy: { $0.unread.whilePolling = .waitsForTheSocket }
        ),
        Defect(
            "readFailureIgnored",
            ["UX-3.2d", "FL-23", "WS-X1"],
            "a failed request to mark a conversation as read is not retried",
            policy: { $0.unread.readFailure = .isForgotten }
        ),
        Defect(
            "noRollback",
            ["WS-22", "UX-3.2d"],
            "a conversation stays marked as read although the server rejects the request",
            policy: { $0.unread.refused = .stands }
        ),
        Defect(
            "readElsewhereMissed",
            ["WS-X1", "PO-2.2i"],
            "messages that another device has read while the client was not connected stay unread",
            policy: { $0.unread.absence = .isIgnored }
        ),
    ]
}
