import TemporalLogic

extension InvariantName {
    /// One line, for the reader of a report and the author of a waiver.
    var meaning: String {
        switch self {
        case .acceptedNeverLost:
            "What the client took over from its user is stored, or visibly queued, sending or failed."
        case .noDuplicateEffect: "One id is one stored message and one row, however often it was sent."
        case .order:
            "Messages of a conversation are stored in the order in which they were accepted; an image's when it has arrived."
        case .honestUI: "Connected is shown only while frames come, delivered only once stored, and syncing ends."
        case .oneLiveTransport: "No two sockets of a client are open for longer than closing the old one takes."
        case .liveness:
            "Left in peace, with server and network there, the client is connected within a time; one that says that it has given "
                + "up, or that a portal is in its way, waits for its user."
        case .terminalMeansStop: "A client that has given up makes no attempt until somebody asks for one."
        case .backoffEnvelope:
            "Each delay lies between the profile's bounds, and the count begins anew only with reason."
        case .noSilentGap: "A gap that was noticed is fetched again, and no list shows one that was not."
        case .subscriptionsFollowSession: "On each connection the client introduces itself once, and first."
        case .oldTransportDead: "Nothing of an old connection has an effect on a new one."
        case .authBounded: "A refused credential is not offered again until somebody has done something about it."
        case .livenessNotFooled: "A ping without its own pong ends connected in time, whatever else comes in."
        case .statesWellFormed: "States follow legal transitions, no two equal ones in a row, and ends are reported."
        case .filesStoredOnce: "A file that was taken over is stored once, or visibly waiting, uploading or failed."
        }
    }
}
