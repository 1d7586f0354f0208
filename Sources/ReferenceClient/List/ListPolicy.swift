import SquallCore

/// How the list of conversations keeps up.
package struct ListPolicy: Hashable, Sendable {
    package enum Fetching: Hashable, Sendable { case eachTime, once }
    /// Changes of the counts.
    package enum Changes: Hashable, Sendable { case areHeard, waitForAReload }
    /// A badge whose count has come down to zero.
    package enum Cleared: Hashable, Sendable { case isGone, staysAsItWas }

    package var fetching = Fetching.eachTime
    package var changes = Changes.areHeard
    package var cleared = Cleared.isGone

    static let defects: [Defect] = [
        Defect(
            "unreadFetchedOnce",
            ["UX-3.2b"],
            "the counts of the list are fetched the first time it is opened, and never again",
            policy: { $0.list.fetching = .once }
        ),
        Defect(
            "listNotNotified",
            ["FL-10", "FL-20"],
            "the list shows the counts of when it was opened last",
            policy: { $0.list.changes = .waitForAReload }
        ),
        Defect(
            "badgeNotCleared",
            ["PO-2.2d"],
            "the badge of a conversation stays when nothing of it is unread any more",
            policy: { $0.list.cleared = .staysAsItWas }
        ),
    ]
}

extension Listing {
    static let registry: [RegistryEntry] = [
        .observable(
            "list.conversations",
            .list,
            "The list of conversations, the one with the newest message first. Shown once it was opened, as all of it."
        ),
        .observable("list.preview", .text, key: "conversation", "What its newest message says; null for none."),
        .observable("badge.text", .text, key: "conversation", "The badge beside it in the list; null for none."),
        .observable("badge.tone", .words(Tone.self), key: "conversation", "The badge's colour; null for none."),
    ]
}
