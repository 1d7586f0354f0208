import SquallCore

/// How the list of conversations is kept up to date.
package struct ListPolicy: Hashable, Sendable {
    package enum Fetching: Hashable, Sendable { case eachTime, once }
    /// When the list of conversations displays a changed unread count: immediately, or only after the list is reloaded.
    package enum Changes: Hashable, Sendable { case areReported, waitForAReload }
    /// What happens to a badge when its count falls to zero: it disappears, or it stays unchanged.
    package enum Cleared: Hashable, Sendable { case isGone, staysAsItWas }
    /// What the user sees when the list on the screen cannot be fetched: a banner, or nothing.
    package enum Failure: Hashable, Sendable { case isShown, isSilent }
    /// The colour of a badge: the profile's colour regardless of the count, or red above the limit.
    package enum Colour: Hashable, Sendable { case isCalm, alarmsAboveTheLimit }

    /// When the counts are fetched in the background: at the profile's interval, or every second.
    package enum Pace: Hashable, Sendable { case ofProfile, everySecond }

    package var fetching = Fetching.eachTime
    package var changes = Changes.areReported
    package var cleared = Cleared.isGone
    package var failure = Failure.isShown
    package var colour = Colour.isCalm
    package var pace = Pace.ofProfile

    static let defects: [Defect] = [
        Defect(
            "countsFetchedTooOften",
            ["UX-3.2b"],
            "the unread counts are fetched every second, whatever the interval",
            policy: { $0.list.pace = .everySecond }
        ),
        Defect(
            "unreadFetchedOnce",
            ["UX-3.2b"],
            "the unread counts of the list are fetched only when it is first opened",
            policy: { $0.list.fetching = .once }
        ),
        Defect(
            "listNotNotified",
            ["FL-2", "FL-10", "FL-20", "PO-2.2a", "UX-3.2c"],
            "the list shows the unread counts from when it was last opened",
            policy: { $0.list.changes = .waitForAReload }
        ),
        Defect(
            "badgeNotCleared",
            ["PO-2.2d", "FL-19"],
            "the badge of a conversation stays when the conversation has no unread messages left",
            policy: { $0.list.cleared = .staysAsItWas }
        ),
        Defect(
            "listFailureSilent",
            ["UX-X1", "UX-X4"],
            "nothing tells the user that the list of conversations could not be fetched",
            policy: { $0.list.failure = .isSilent }
        ),
        Defect(
            "redBadge",
            ["PO-2.2b"],
            "the badge of a conversation turns red when its count exceeds the limit",
            policy: { $0.list.colour = .alarmsAboveTheLimit }
        ),
    ]
}

extension Listing {
    static let registry: [RegistryEntry] = [
        .observable(
            "list.conversations",
            .list,
            "The list of conversations, the one with the newest message first; reported once the list was opened."
        ),
        .observable(
            "list.preview",
            .text,
            key: "conversation",
            "The text of the conversation's newest message in the list; null if there is none."
        ),
        .observable(
            "badge.text",
            .text,
            key: "conversation",
            "The text of the conversation's badge in the list; null if there is no badge."
        ),
        .observable(
            "badge.tone",
            .words(Tone.self),
            key: "conversation",
            "The colour of the conversation's badge in the list; null if there is no badge."
        ),
    ]
}
