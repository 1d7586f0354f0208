/// How messages come to be read, and how they are counted until then.
package struct UnreadPolicy: Hashable, Sendable {
    package enum Opening: Hashable, Sendable { case readsAll, readsNothing }
    /// When an opened conversation counts as read.
    package enum Clearing: Hashable, Sendable { case asTheProfileSays, onSelection }
    package enum AutoRead: Hashable, Sendable { case whileWatched, never, alsoInBackground }
    /// What arrives for the chosen conversation while its view is not on the screen.
    package enum OutOfView: Hashable, Sendable { case isUnread, isRead }
    /// What arrives for another conversation than the one in view.
    package enum Elsewhere: Hashable, Sendable { case isUnread, isRead }
    /// What the user has sent and the server sends back.
    package enum Own: Hashable, Sendable { case isLeftAlone, isReceipted }
    /// Who knows whether a view is on the screen.
    package enum Views: Hashable, Sendable { case knowForThemselves, shareOneFlag }
    package enum Counting: Hashable, Sendable { case byMessage, byArrival }
    /// What a message takes off the count that is read as it arrives.
    package enum ReadOnArrival: Hashable, Sendable { case takesOffWhatWasCounted, takesOffOne }
    /// What a reading takes off the count that was taken off before.
    package enum Repeated: Hashable, Sendable { case takesOffNothing, takesOffTheSame }
    /// What becomes of a reading of a conversation that nobody has heard of.
    package enum Unknown: Hashable, Sendable { case isIgnored, crashes }
    package enum Receipts: Hashable, Sendable { case areQueued, areLost, areNeverSent, areRepeated }
    package enum Storing: Hashable, Sendable { case isStored, never }
    package enum ReadFailure: Hashable, Sendable { case isRepeated, isForgotten }
    /// What becomes of a reading that the server refuses for good.
    package enum Refused: Hashable, Sendable { case isUndone, stands }

    package var opening = Opening.readsAll
    package var clearing = Clearing.asTheProfileSays
    package var autoRead = AutoRead.whileWatched
    package var outOfView = OutOfView.isUnread
    package var elsewhere = Elsewhere.isUnread
    package var own = Own.isLeftAlone
    package var views = Views.knowForThemselves
    package var counting = Counting.byMessage
    package var readOnArrival = ReadOnArrival.takesOffWhatWasCounted
    package var repeated = Repeated.takesOffNothing
    package var unknown = Unknown.isIgnored
    package var receipts = Receipts.areQueued
    package var storing = Storing.isStored
    package var readFailure = ReadFailure.isRepeated
    package var refused = Refused.isUndone

    static let defects: [Defect] = arrival + counts + told

    private static let arrival = [
        Defect(
            "openDoesNotClear",
            ["FL-9", "FL-19"],
            "an opened conversation stays unread",
            policy: { $0.unread.opening = .readsNothing }
        ),
        Defect(
            "eagerBadgeClear",
            ["UX-3.2c"],
            "a conversation counts as read once it is chosen, before anything of it was seen",
            policy: { $0.unread.clearing = .onSelection }
        ),
        Defect(
            "noAutoRead",
            ["FL-1", "FL-2", "FL-8"],
            "what arrives on the open screen counts as unread",
            policy: { $0.unread.autoRead = .never }
        ),
        Defect(
            "autoReadInBackground",
            ["FL-21"],
            "what arrives in the background counts as read",
            policy: { $0.unread.autoRead = .alsoInBackground }
        ),
        Defect(
            "autoReadInactive",
            ["FL-3"],
            "what arrives for a conversation whose view has left the screen counts as read",
            policy: { $0.unread.outOfView = .isRead }
        ),
        Defect(
            "autoReadWrongConversation",
            ["FL-5"],
            "while any conversation is in view, what arrives for all of them counts as read",
            policy: { $0.unread.elsewhere = .isRead }
        ),
        Defect(
            "autoReadOwn",
            ["FL-4"],
            "the user's own message is receipted when the server sends it back",
            policy: { $0.unread.own = .isReceipted }
        ),
        Defect(
            "viewFlagRace",
            ["FL-25"],
            "all views share one flag: a view that leaves late takes the next one for gone",
            policy: { $0.unread.views = .shareOneFlag }
        ),
    ]

    private static let counts = [
        Defect(
            "unreadDrift",
            ["PO-2.2i"],
            "a message that comes twice is counted twice",
            policy: { $0.unread.counting = .byArrival }
        ),
        Defect(
            "doubleDecrement",
            ["FL-24"],
            "a message that is read as it arrives is taken off the count, whether or not it was on it",
            policy: { $0.unread.readOnArrival = .takesOffOne }
        ),
        Defect(
            "negativeUnread",
            ["PO-2.2j"],
            "a reading that comes twice is taken off twice",
            policy: { $0.unread.repeated = .takesOffTheSame }
        ),
        Defect(
            "crashOnUnknownClear",
            ["FL-12"],
            "reading a conversation that nobody has heard of ends the app",
            policy: { $0.unread.unknown = .crashes }
        ),
        Defect(
            "unreadNotPersisted",
            ["PO-2.2e"],
            "a kill forgets what is unread",
            policy: { $0.unread.storing = .never }
        ),
    ]

    private static let told = [
        Defect(
            "receiptDropped",
            ["FL-22"],
            "a receipt for which there is no connection is never sent",
            policy: { $0.unread.receipts = .areLost }
        ),
        Defect(
            "receiptNotSent",
            ["FL-18"],
            "nobody learns that a message was read",
            policy: { $0.unread.receipts = .areNeverSent }
        ),
        Defect(
            "doubleReceipt",
            ["FL-6"],
            "a message that comes again is receipted again",
            policy: { $0.unread.receipts = .areRepeated }
        ),
        Defect(
            "readFailureIgnored",
            ["UX-3.2d", "FL-23"],
            "a reading that could not be told is never told again",
            policy: { $0.unread.readFailure = .isForgotten }
        ),
        Defect(
            "noRollback",
            ["WS-22"],
            "what the server refuses stays as it was shown in advance",
            policy: { $0.unread.refused = .stands }
        ),
    ]
}
