package import TemporalLogic

extension InvariantName {
    /// A sentence that states what the invariant guarantees.
    package var meaning: String {
        switch self {
        case .acceptedNeverLost:
            "Every message that the client has accepted is stored by the server, or shown as queued, sending or failed."
        case .noDuplicateEffect: "Each message id is stored once and shown in one row, however often it is sent."
        case .order:
            """
            Messages are stored in the order in which they were accepted; a message with an image waits until the \
            image has been uploaded.
            """
        case .honestUI:
            """
            The client shows connected only while frames arrive, shows a message as delivered only once it is stored, \
            and ends every sync.
            """
        case .oneLiveTransport:
            "A client has more open sockets than 'connect.sockets' (1) only until an old one has closed."
        case .liveness:
            """
            While the server and the network are up and no fault is active, the client connects \
            within a time limit, unless it reports that it has given up or is behind a captive portal.
            """
        case .terminalMeansStop: "A client that has given up makes no attempt to connect until it is asked to."
        case .backoffEnvelope:
            "Each reconnect delay is within the profile's bounds, and the attempt count is reset only for a reason."
        case .noSilentGap:
            "The client fetches the messages of each detected gap, and no list contains an undetected gap."
        case .subscriptionsFollowSession:
            "On each connection the client sends its login once, and before anything else."
        case .oldTransportDead: "Frames of an old connection have no effect on a new one."
        case .authBounded: "A rejected credential is not sent again until the user or the app has replaced it."
        case .livenessNotFooled: "An unanswered ping ends the connected state in time, even if other frames arrive."
        case .statesWellFormed:
            "Connection states follow legal transitions, none is reported twice in a row, and each end of a connection "
                + "is reported."
        case .filesStoredOnce:
            "A file that the client has accepted is stored once, or shown as waiting, uploading or failed."
        case .convergence: "After the script, once all faults have ended, the client shows what the server has stored."
        case .processSurvives: "The client's process ends only when the device or its user ends it."
        case .waitsEnd:
            "Every operation shown as in progress (sending, loading, signing out, streaming a message) ends in time."
        case .countsAddUp:
            "The number on the app's icon is the sum of the unread counts, none of which is negative."
        case .attemptsHaveReason:
            "The client attempts no connection without a network or before the time that the server has requested, and "
                + "attempts one after a change of network."
        case .frugal:
            """
            Pings are at least half of the ping interval apart, because timers may fire early or late, and the client \
            requests no message that it already has.
            """
        case .notificationsKept:
            """
            Each message causes one notification, in its conversation's group, and none while that conversation is on \
            the screen.
            """
        case .cleanEnds: "A connection that the user ends is closed with a close frame."
        case .troubleIsTold: "A client that is not connected shows a banner within the banner's grace period."
        case .surfacesAgree: "A fact that the client shows in two places is the same in both."
        case .toldToTheServer:
            "By the end, the client has reported to the server everything that it has received, read and registered."
        case .screenKeepsPlace:
            "A list stays where the user has scrolled it, and no list loses its newest message."
        case .oneAtATime: "The server processes the messages of a conversation one at a time."
        case .serverKeepsPromises:
            "The server rejects requests to act for another user, and closes its connections with a close frame when "
                + "it stops."
        case .readByTheUser:
            "A message is reported as read only after it was on the screen, and no message on the screen is unread."
        case .noSecretInAddress: "No credential is part of a URL."
        }
    }
}
