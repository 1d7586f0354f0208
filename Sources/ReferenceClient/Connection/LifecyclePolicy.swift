/// What going to the background means.
package struct LifecyclePolicy: Hashable, Sendable {
    package enum Leaving: Hashable, Sendable { case closes, vanishes }
    package enum Return: Hashable, Sendable { case reconnects, resumesNothing }
    /// Acknowledgements that are due in the background, while its allowance lasts.
    package enum Acknowledgements: Hashable, Sendable { case goOut, areForgotten }

    package enum Disconnect: Hashable, Sendable { case endsEverything, endsTheSocket }

    package var leaving = Leaving.closes
    package var comeback = Return.reconnects
    package var acknowledgements = Acknowledgements.goOut

    package var disconnect = Disconnect.endsEverything

    static let defects: [Defect] = [
        Defect(
            "noCleanDisconnect",
            ["WS-9"],
            "the connection is dropped in the background without a close frame",
            policy: { $0.lifecycle.leaving = .vanishes }
        ),
        Defect(
            "pollingCancelledForGood",
            ["UX-2.4e"],
            "what the background has ended stays ended in the foreground",
            policy: { $0.lifecycle.comeback = .resumesNothing }
        ),
        Defect(
            "disconnectLeavesTimers",
            ["WS-3c"],
            "a disconnect closes an open socket only: an attempt or a wait that is under way goes on",
            policy: { $0.lifecycle.disconnect = .endsTheSocket }
        ),
        Defect(
            "acksLostOnSuspend",
            ["WS-28"],
            "what is received in the background is never acknowledged",
            policy: { $0.lifecycle.acknowledgements = .areForgotten }
        ),
    ]
}
