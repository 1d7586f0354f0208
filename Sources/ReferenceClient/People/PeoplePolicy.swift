import SquallCore

/// How the others are known and shown.
package struct PeoplePolicy: Hashable, Sendable {
    /// What becomes of a presence that is not sure any more.
    package enum Stale: Hashable, Sendable { case isLastSeen, isKept }
    package enum Failure: Hashable, Sendable { case isTriedAgain, isFinal }
    package enum Changes: Hashable, Sendable { case fade, jump }
    package enum Surfaces: Hashable, Sendable { case shareOneValue, headerHasItsOwn }
    /// What the status of somebody follows.
    package enum Source: Hashable, Sendable { case isTheServer, isTheConnection }
    package enum Status: Hashable, Sendable { case isShown, none }

    package var stale = Stale.isLastSeen
    package var failure = Failure.isTriedAgain
    package var changes = Changes.fade
    package var surfaces = Surfaces.shareOneValue
    package var source = Source.isTheServer
    package var status = Status.isShown

    static let defects: [Defect] = [
        Defect(
            "presenceStale",
            ["PO-1.1a", "PO-1.1c", "PO-1.1f", "PO-2.3f"],
            "who was there when the link died is there for ever",
            policy: { $0.people.stale = .isKept }
        ),
        Defect(
            "presenceNoRetry",
            ["PO-1.1b"],
            "who is there is asked for once, whatever comes of it",
            policy: { $0.people.failure = .isFinal }
        ),
        Defect(
            "presenceJump",
            ["PO-1.1d"],
            "a change of presence has no transition",
            policy: { $0.people.changes = .jump }
        ),
        Defect(
            "presenceSurfacesDiffer",
            ["PO-1.1e"],
            "the header shows what somebody was when the conversation was opened",
            policy: { $0.people.surfaces = .headerHasItsOwn }
        ),
        Defect(
            "noAgentStatus",
            ["UX-3.5a", "UX-3.5b", "UX-3.5c"],
            "neither header nor list shows a partner's status",
            policy: { $0.people.status = .none }
        ),
        Defect(
            "agentStatusFromConnection",
            ["UX-3.5d"],
            "a partner is called online while this client is connected, and offline while it is not",
            policy: { $0.people.source = .isTheConnection }
        ),
    ]
}

extension People {
    static let registry: [RegistryEntry] = [
        .observable("peer.presence", .words(Presence.self), key: "user", "Whether somebody is there."),
        .observable(
            "peer.last_seen",
            .text,
            key: "user",
            "When somebody who is not there, or not surely, was last seen; null for others. Shown once the list was opened, as all "
                + "below."
        ),
        .observable("list.presence", .words(Presence.self), key: "conversation", "The partner's, in the list."),
        .observable("list.tone", .words(Tone.self), key: "conversation", "The dot beside the partner in the list."),
        .observable("header.presence", .words(Presence.self), "The partner's, above the messages; null in a group."),
        .observable("header.tone", .words(Tone.self), "The dot above the messages; null in a group."),
        .observable("header.subtitle", .text, "The partner's status in words, or neutral ones."),
        .observable("header.typing", .flag, "Whether somebody types in the open conversation."),
        .observable(
            "header.online",
            .text,
            "How many of a group are there; null outside groups, or where it is not sure of all."
        ),
        .observable(
            "header.members",
            .list,
            "The members of the open group, those who are there first; empty outside groups."
        ),
        .observable("member.presence", .words(Presence.self), key: "user", "What a group's list of members shows."),
        .event(
            "client.presence_changed",
            ["from", "to", "how"],
            measured: [.duration("latency")],
            key: "user",
            "Somebody is shown as another than before, with a `fade` or a `jump`; `latency` since the server knew, where it says."
        ),
        .event(
            "client.presence_unavailable",
            [.integer("tries")],
            "Who is there cannot be had: nobody is shown as being there."
        ),
    ]
}
