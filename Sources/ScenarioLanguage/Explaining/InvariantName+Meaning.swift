package import TemporalLogic

extension InvariantName {
    /// The meaning in one sentence.
    package var meaning: String {
        switch self {
        case .acceptedNeverLost:
            "Every message that the client accepted is stored, or shown as queued, sending or failed."
        case .noDuplicateEffect: "Each message id is stored once and shown in one row, however often it is sent."
        case .order:
            "Messages are stored in the order in which they were accepted; one with an image, once it is uploaded."
        case .honestUI: "Connected is shown only while frames arrive, delivered only once stored, and syncing ends."
        case .oneLiveTransport: "Two sockets of a client are open only for as long as the old one takes to close."
        case .liveness:
            """
            With server and network up and no fault, the client connects within a time limit, unless it reports \
            that it has given up or is behind a captive portal.
            """
        case .terminalMeansStop: "A client that has given up makes no attempt until it is asked to."
        case .backoffEnvelope:
            "Each delay lies between the profile's bounds, and the count restarts only for a reason."
        case .noSilentGap: "A detected gap is fetched, and no list contains an undetected gap."
        case .subscriptionsFollowSession:
            "On each connection the client sends its login once, and before anything else."
        case .oldTransportDead: "Frames of an old connection have no effect on a new one."
        case .authBounded: "A refused credential is not sent again until the user or the app has replaced it."
        case .livenessNotFooled: "A ping without a pong ends the state connected in time, whatever else arrives."
        case .statesWellFormed:
            "States follow legal transitions, none is repeated, and each end of a connection is reported."
        case .filesStoredOnce:
            "A file that the client accepted is stored once, or shown as waiting, uploading or failed."
        case .convergence: "After the script, once faults have ended, the client shows what the server holds."
        case .processSurvives: "The client's process ends only when the device or its user ends it."
        case .waitsEnd:
            "Anything shown as in progress (sending, loading, signing out, a message that is being written) ends in time."
        case .countsAddUp:
            "The number on the app's icon is the sum of the unread counts, none of which is negative."
        case .attemptsHaveReason:
            "No attempt without a network or before the time that the server has asked for; one after a change of network."
        case .frugal:
            "The client pings no more often than its interval says, and asks for no message that it has."
        case .notificationsKept:
            """
            Each message causes one notification, in its conversation's group, and none while that conversation is on \
            the screen.
            """
        case .cleanEnds: "A connection that the user ends is closed with a close frame."
        case .troubleIsTold: "A client that is not connected shows a banner, within the banner's grace."
        case .surfacesAgree: "What the client shows of one fact in two places is the same."
        case .toldToTheServer:
            "What the client has received, read and registered, the server has been told by the end."
        case .screenKeepsPlace: "What the user reads stays where it is, and no list loses its newest message."
        case .oneAtATime: "The server works on one message of a conversation at a time."
        case .serverKeepsPromises:
            "The server refuses to act for another user, and ends its connections with a close frame when it stops."
        case .readByTheUser:
            "A message is reported as read once it was on the screen, and what is on the screen is not unread."
        case .noSecretInAddress: "No credential is part of a URL."
        }
    }
}
