/// How the client handles the user's deletion of a message.
package struct DeletionPolicy: Hashable, Sendable {
    package enum Shown: Hashable, Sendable { case atOnce, onceTheServerAgrees }
    package enum Question: Hashable, Sendable { case isAsked, none }
    package enum Offline: Hashable, Sendable { case queues, drops }
    /// How the client reacts when a deletion request receives no final response: it retries the request, or abandons
    /// the deletion.
    package enum Failure: Hashable, Sendable { case isRetried, endsTheDeletion }

    /// What happens to the image of a message that is shown as deleted: it disappears, or stays in the bubble.
    package enum Image: Hashable, Sendable { case disappears, stays }

    /// What undoing a deletion does: it withdraws the deletion within its period or, with a planted defect, within a
    /// day; or nothing.
    package enum Undo: Hashable, Sendable { case withdraws, withdrawsForADay, isIgnored }

    /// How a started app treats deletions that the server has not confirmed: it loads them from disk, or forgets them.
    package enum Pending: Hashable, Sendable { case areLoaded, areForgotten }

    /// What happens to a message whose deletion the server has rejected.
    package enum Refusal: Hashable, Sendable { case isUndone, staysDeleted }

    /// How deletions that have waited for a connection are sent: each after the response to the one before, or at once.
    package enum Pace: Hashable, Sendable { case oneByOne, allAtOnce }

    package var pace = Pace.oneByOne
    package var undo = Undo.withdraws
    package var shown = Shown.atOnce
    package var question = Question.isAsked
    package var offline = Offline.queues
    package var failure = Failure.isRetried
    package var image = Image.disappears
    package var pending = Pending.areLoaded
    package var refusal = Refusal.isUndone

    static let defects: [Defect] = [
        Defect(
            "deleteOffered",
            ["PO-2.1a"],
            "the menu also offers to delete other users' messages",
            profile: { $0.delete.offered = .any }
        ),
        Defect(
            "undoIgnored",
            ["PO-2.1i"],
            "undoing a deletion has no effect",
            policy: { $0.deletion.undo = .isIgnored }
        ),
        Defect(
            "undoNeverEnds",
            ["PO-2.1i"],
            "a deletion can be undone for a day, and is not sent before",
            policy: { $0.deletion.undo = .withdrawsForADay }
        ),
        Defect(
            "deletesUnasked",
            ["PO-2.1b"],
            "a message is deleted without a question",
            policy: { $0.deletion.question = .none }
        ),
        Defect(
            "deleteWaitsForServer",
            ["PO-2.1e", "PO-2.1i", "PO-2.1d"],
            "a deleted message is still shown until the server has confirmed the deletion",
            policy: { $0.deletion.shown = .onceTheServerAgrees }
        ),
        Defect(
            "deleteDroppedOffline",
            ["PO-2.1f", "PO-S3", "PO-C4"],
            "a message deleted without a connection is deleted on this phone only",
            policy: { $0.deletion.offline = .drops }
        ),
        Defect(
            "deletionNotRetried",
            ["PO-2.1g"],
            "a deletion whose request fails is given up",
            policy: { $0.deletion.failure = .endsTheDeletion }
        ),
        Defect(
            "deletionsInMemory",
            ["PO-2.1f", "PO-2.1g"],
            "a kill loses the deletions that the server has not confirmed",
            policy: { $0.deletion.pending = .areForgotten }
        ),
        Defect(
            "refusedDeletionStays",
            ["WS-22", "PO-2.1h"],
            "a message whose deletion the server rejects stays deleted on this phone",
            policy: { $0.deletion.refusal = .staysDeleted }
        ),
        Defect(
            "deletionsAllAtOnce",
            ["WS-23"],
            "deletions that have waited for a connection are all sent at once",
            policy: { $0.deletion.pace = .allAtOnce }
        ),
        Defect(
            "deletedImageStays",
            ["PO-2.1d"],
            "a deleted image is still shown in its bubble",
            policy: { $0.deletion.image = .stays }
        ),
    ]
}
