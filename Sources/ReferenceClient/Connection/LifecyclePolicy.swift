/// How the client reacts when the app enters the background or the foreground, and when the user disconnects.
package struct LifecyclePolicy: Hashable, Sendable {
    package enum Leaving: Hashable, Sendable { case closes, vanishes }
    package enum Return: Hashable, Sendable { case reconnects, resumesNothing }
    /// Whether the client sends or omits acknowledgements while it keeps its connection open in the background.
    package enum Acknowledgements: Hashable, Sendable { case areSent, areForgotten }

    package enum Disconnect: Hashable, Sendable { case endsEverything, endsTheSocket }
    /// When a user's request to connect starts an attempt: in any state, or only after all automatic attempts have
    /// failed.
    package enum Reconnect: Hashable, Sendable { case inEveryState, whenGivenUp }

    /// What the client ends when its background allowance has expired: everything, or only an open connection.
    package enum Suspension: Hashable, Sendable { case endsEverything, endsTheSocket }

    package var suspension = Suspension.endsEverything
    package var leaving = Leaving.closes
    package var comeback = Return.reconnects
    package var acknowledgements = Acknowledgements.areSent

    package var disconnect = Disconnect.endsEverything
    package var reconnect = Reconnect.inEveryState

    static let defects: [Defect] = [
        Defect(
            "noCleanDisconnect",
            ["WS-9"],
            "the connection is dropped in the background without a close frame",
            policy: { $0.lifecycle.leaving = .vanishes }
        ),
        Defect(
            "retriesInBackground",
            ["WS-10"],
            "an app that is not connected goes on with its attempts to connect in the background",
            policy: { $0.lifecycle.suspension = .endsTheSocket }
        ),
        Defect(
            "pollingCancelledForGood",
            ["UX-2.4e", "WS-2d", "UX-2.1d", "WS-31d"],
            "a connection or polling that the background has ended is not resumed in the foreground",
            policy: { $0.lifecycle.comeback = .resumesNothing }
        ),
        Defect(
            "disconnectLeavesTimers",
            ["WS-3c"],
            "a disconnect closes only an open socket; an attempt or a wait in progress continues",
            policy: { $0.lifecycle.disconnect = .endsTheSocket }
        ),
        Defect(
            "reconnectOnlyWhenGivenUp",
            ["WS-37"],
            "the user's request for a connection has no effect unless the client has used up its attempts",
            policy: { $0.lifecycle.reconnect = .whenGivenUp }
        ),
        Defect(
            "acksLostOnSuspend",
            ["WS-28"],
            "messages received in the background are never acknowledged",
            policy: { $0.lifecycle.acknowledgements = .areForgotten }
        ),
    ]
}
