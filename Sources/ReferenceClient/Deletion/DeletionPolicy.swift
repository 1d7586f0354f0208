/// What becomes of a message that the user deletes.
package struct DeletionPolicy: Hashable, Sendable {
    package enum Shown: Hashable, Sendable { case atOnce, onceTheServerAgrees }
    package enum Offline: Hashable, Sendable { case queues, drops }

    package var shown = Shown.atOnce
    package var offline = Offline.queues

    static let defects: [Defect] = [
        Defect(
            "deleteOffered",
            ["PO-2.1a"],
            "everybody's messages can be deleted, as far as the menu is concerned",
            profile: { $0.delete.offered = .any }
        ),
        Defect(
            "deleteWaitsForServer",
            ["PO-2.1e"],
            "a deleted message stands there until the server has answered",
            policy: { $0.deletion.shown = .onceTheServerAgrees }
        ),
        Defect(
            "deleteDroppedOffline",
            ["PO-2.1f"],
            "what is deleted without a connection is deleted on this phone alone",
            policy: { $0.deletion.offline = .drops }
        ),
    ]
}
