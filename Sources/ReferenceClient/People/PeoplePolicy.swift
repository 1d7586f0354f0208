import SquallCore

/// How the client tracks and displays the presence of other users.
package struct PeoplePolicy: Hashable, Sendable {
    /// How an outdated presence is displayed: as the time when the user was last seen, or unchanged.
    package enum Stale: Hashable, Sendable { case isLastSeen, isKept }
    package enum Failure: Hashable, Sendable { case isTriedAgain, isFinal }
    package enum Surfaces: Hashable, Sendable { case shareOneValue, headerHasItsOwn, membersHaveTheirOwn }
    /// The source of a user's presence: the server's reports, or the state of the connection.
    package enum Source: Hashable, Sendable { case isTheServer, isTheConnection }
    package enum Status: Hashable, Sendable { case isShown, none }
    /// The users who are displayed as typing in the header of the open conversation: those who are typing in that
    /// conversation, those who are typing anywhere, or those who have begun to type since the conversation was opened.
    package enum Typing: Hashable, Sendable { case inTheConversation, anywhere, sinceTheOpening }

    /// How soon the client displays a change that the server has pushed: when it arrives, or a second later.
    package enum Change: Hashable, Sendable { case isPrompt, isDelayed }

    /// The time at which an absent user counts as last seen: the time that the server reports, or the time of the
    /// fetch.
    package enum LastSeen: Hashable, Sendable { case isTheServers, isWhenFetched }

    package var stale = Stale.isLastSeen
    package var lastSeen = LastSeen.isTheServers
    package var failure = Failure.isTriedAgain
    package var surfaces = Surfaces.shareOneValue
    package var source = Source.isTheServer
    package var status = Status.isShown
    package var typing = Typing.inTheConversation
    package var change = Change.isPrompt

    static let defects: [Defect] = [
        Defect(
            "presenceStale",
            ["PO-1.1a", "PO-1.1c", "PO-1.1f", "PO-2.3f", "UX-3.5b", "UX-3.4a"],
            "users who were online when the connection was lost are shown as online forever",
            policy: { $0.people.stale = .isKept }
        ),
        Defect(
            "slowPresence",
            ["PO-1.1a", "PO-2.3f"],
            "a change of a user's presence is shown a second after it has arrived",
            policy: { $0.people.change = .isDelayed }
        ),
        Defect(
            "lastSeenWhenFetched",
            ["PO-2.3i"],
            "an absent user was last seen when the client first fetched the presence",
            policy: { $0.people.lastSeen = .isWhenFetched }
        ),
        Defect(
            "presenceNoRetry",
            ["PO-1.1b"],
            "a failed request for the presence of users is not retried",
            policy: { $0.people.failure = .isFinal }
        ),
        Defect(
            "presenceSurfacesDiffer",
            ["PO-1.1e", "PO-2.3f", "UX-3.5c"],
            "the header shows the partner's presence from when the conversation was opened",
            policy: { $0.people.surfaces = .headerHasItsOwn }
        ),
        Defect(
            "memberPresenceFrozen",
            ["PO-1.1e", "PO-2.3f"],
            "the list of members shows their presence from when the conversation was opened",
            policy: { $0.people.surfaces = .membersHaveTheirOwn }
        ),
        Defect(
            "noAgentStatus",
            ["UX-3.5a", "UX-3.5b", "UX-3.5c"],
            "neither the header nor the list shows the partner's presence",
            policy: { $0.people.status = .none }
        ),
        Defect(
            "typingOfOthersShown",
            ["UX-3.5e"],
            "the header shows that a user is typing in another conversation",
            policy: { $0.people.typing = .anywhere }
        ),
        Defect(
            "typingBeforeOpeningMissed",
            ["UX-3.5e"],
            "a user who began to type before the conversation was opened is not shown as typing",
            policy: { $0.people.typing = .sinceTheOpening }
        ),
        Defect(
            "agentStatusFromConnection",
            ["UX-3.5d", "PO-2.3e", "PO-2.3g", "PO-2.3i", "PO-1.1i"],
            "a partner's presence is derived from the client's own connection",
            policy: { $0.people.source = .isTheConnection }
        ),
    ]
}

extension People {
    static let registry: [RegistryEntry] = [
        .observable("peer.presence", .words(Presence.self), key: "user", "The presence of another user."),
        .observable(
            "peer.last_seen",
            .text,
            key: "user",
            "The time at which the user was last seen, as text; null while the user is present. Reported once the list "
                + "was opened."
        ),
        .observable(
            "list.presence",
            .words(Presence.self),
            key: "conversation",
            "The partner's presence in the list of conversations; null in a group."
        ),
        .observable(
            "list.tone",
            .words(Tone.self),
            key: "conversation",
            "The colour of the presence dot in the list of conversations; null in a group."
        ),
        .observable(
            "header.presence",
            .words(Presence.self),
            "The partner's presence in the header of the open conversation; null in a group."
        ),
        .observable("header.tone", .words(Tone.self), "The colour of the presence dot in the header; null in a group."),
        .observable(
            "header.subtitle",
            .text,
            "The partner's status text in the header, or a neutral text; null if there is no conversation."
        ),
        .observable("header.typing", .flag, "Whether a user is typing in the open conversation."),
        .observable(
            "header.online",
            .text,
            "The number of members of the open group who are present; null if no group is open or a presence is out of "
                + "date."
        ),
        .observable(
            "header.members",
            .list,
            "The members of the open group, with present members first; empty if no group is open."
        ),
        .observable(
            "member.presence",
            .words(Presence.self),
            key: "user",
            "The presence of a user, as shown in a group's list of members."
        ),
        .event(
            "client.presence_changed",
            ["from", "to"],
            measured: [.duration("latency")],
            key: "user",
            "The presence shown for a user has changed; `latency` is the time since the change itself."
        ),
        .event(
            "client.presence_unavailable",
            [.integer("tries")],
            "The presence of users could not be fetched, so no user is shown as present."
        ),
    ]
}
