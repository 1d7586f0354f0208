import TemporalLogic

extension InvariantName {
    /// One sentence for reports and waivers.
    var meaning: String {
        switch self {
        case .acceptedNeverLost:
            "Every message that the client accepted is stored, or shown as queued, sending or failed."
        case .noDuplicateEffect: "One id is one stored message and one row, however often it is sent."
        case .order:
            "Messages are stored in the order in which they were accepted; one with an image, once that has arrived."
        case .honestUI: "Connected is shown only while frames arrive, delivered only once stored, and syncing ends."
        case .oneLiveTransport: "Two sockets of a client are open only for as long as the old one takes to close."
        case .liveness:
            """
            Undisturbed, with server and network up, the client is connected within a time, unless it reports that \
            it has given up or is behind a captive portal.
            """
        case .terminalMeansStop: "A client that has given up makes no attempt until it is asked to."
        case .backoffEnvelope:
            "Each delay lies between the profile's bounds, and the count restarts only for a reason."
        case .noSilentGap: "A detected gap is fetched again, and no list shows an undetected one."
        case .subscriptionsFollowSession: "On each connection the client sends its introduction once, and first."
        case .oldTransportDead: "Frames of an old connection have no effect on a new one."
        case .authBounded: "A refused credential is not sent again until the user or the app has replaced it."
        case .livenessNotFooled: "A ping without its own pong ends connected in time, whatever else arrives."
        case .statesWellFormed:
            "States follow legal transitions, none is repeated, and each end of a connection is reported."
        case .filesStoredOnce:
            "A file that the client accepted is stored once, or shown as waiting, uploading or failed."
        case .convergence: "Once all is calm after the script, the client shows what the server holds."
        }
    }
}
