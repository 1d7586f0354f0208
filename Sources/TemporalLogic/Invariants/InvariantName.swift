/// The standing invariants, which must hold in every run.
///
/// An invariant is skipped if the trace does not contain the events that it reads. Each case's comment says what the
/// invariant checks and what it does not detect.
package enum InvariantName: String, Hashable, Sendable, CaseIterable {
    /// At the end of the run, every message that the client accepted from its user is stored by the server, or shown as
    /// queued, sending or failed. If the client's process was killed, this applies once the client has reconnected or
    /// has had time to reconnect.
    ///
    /// Not detected: a message that was lost and reappeared in between.
    case acceptedNeverLost = "accepted_never_lost"
    /// Each message id is stored once and shown in one row: no server stores it twice, and no list shows it twice.
    ///
    /// Not detected: the same text under two ids, which only the client could distinguish from two messages.
    case noDuplicateEffect = "no_duplicate_effect"
    /// The server stores the messages of a conversation in the order in which they were accepted. Messages that the
    /// client has shown as failed are excluded, and so are messages with a file, because the file must be uploaded
    /// first.
    ///
    /// Not detected: a message that is never stored (see ``acceptedNeverLost``).
    case order
    /// The client shows `connected` only while frames arrive within its profile's time limit, and shows a message as
    /// delivered only after the server has stored it. Every sync and refresh ends.
    ///
    /// Not detected: texts and colours that contradict the state.
    case honestUI = "honest_ui"
    /// A client may have two sockets open only while it is closing the older one.
    ///
    /// Not detected: sockets that the client does not count. A connection that is still open at the server may be dead,
    /// so it does not prove that the client has a second socket.
    case oneLiveTransport = "one_live_transport"
    /// The client connects within a time limit while the server is up, the network is reachable, no fault is active,
    /// and the client is awake, in the foreground and has not given up.
    ///
    /// Not detected: delays while the scenario disturbs the client; each disturbance restarts the time limit.
    case liveness
    /// After giving up, after its user has disconnected or signed out, or after the server has closed the connection
    /// with code 1000, the client makes no connection attempt until it is asked to.
    ///
    /// These events ask a client to connect: a restart, waking up, coming to the foreground, another path or network, a
    /// login at a captive portal, and user actions that need a connection (reconnect, refresh, retry, another key, a
    /// sign-in, a tap on a notification).
    case terminalMeansStop = "terminal_means_stop"
    /// Each backoff delay is within its bounds, no connection attempt begins before its delay has passed, and the
    /// attempt count restarts only after a successful connection or an external event such as a user action. A client
    /// without a profile makes at most ten attempts in ten seconds.
    ///
    /// Not detected: many clients that make their attempts at the same time (use `count` with `in_any`).
    case backoffEnvelope = "backoff_envelope"
    /// The client fetches the missing messages of every gap that it has detected. If it was undisturbed for long enough
    /// before the end of the run, no list shows messages before and after a missing one.
    ///
    /// Not detected: missing messages that are older than any that the client shows.
    case noSilentGap = "no_silent_gap"
    /// On each connection the client sends its login once, and nothing else before the login is accepted.
    ///
    /// Not checked: subscriptions to single conversations, which the default chat protocol does not have.
    case subscriptionsFollowSession = "subscriptions_follow_session"
    /// The client receives nothing between the end of a connection and the next attempt. Until the new connection is
    /// accepted, it receives only a greeting and frames that the server has sent since the attempt began.
    ///
    /// Not detected: a late frame from the old connection that the server also sent on the new one.
    case oldTransportDead = "old_transport_dead"
    /// A rejected credential is not sent again before the user or the app has had a chance to replace it. A 401
    /// response to an upgrade also rejects the credential.
    ///
    /// Not checked: credentials in HTTP requests, and attempts after a 401 by a client that does not report its
    /// attempts.
    case authBounded = "auth_bounded"
    /// A client that has sent a ping leaves the state `connected` within a time limit if the pong to that ping does not
    /// arrive, even if other frames do.
    ///
    /// Not checked: pings sent by clients that do not report them.
    case livenessNotFooled = "liveness_not_fooled"
    /// No connection state is reported twice in a row, states follow legal transitions, and each end of a connection is
    /// reported.
    ///
    /// Not detected: states that lasted for less than a step.
    case statesWellFormed = "states_well_formed"
    /// At the end of the run, a file that the client accepted from its user is stored by the server completely and
    /// exactly once, or shown as waiting, uploading or failed. If the client's process was killed, this applies once
    /// the client has reconnected or has had time to reconnect.
    ///
    /// Not checked: the contents of the file.
    case filesStoredOnce = "files_stored_once"
    /// At the end of the fault-free period (no fault, no server rule, the app in the foreground) that follows the
    /// script, the client shows the data that the server has stored, and no operation is in progress.
    ///
    /// Not checked: content that the client has never loaded, and clients that have given up, were disconnected by
    /// their user or have signed out.
    case convergence
    /// The client's process ends only when the device or the user ends it.
    ///
    /// Not detected: a process that hangs.
    case processSurvives = "process_survives"
    /// Every operation that the client shows as in progress ends within its time limit while the client is connected
    /// and undisturbed: sending a message, loading a view, signing out, receiving a streamed message.
    ///
    /// Not checked: uploads, which have no time limit.
    case waitsEnd = "waits_end"
    /// The number on the app's icon is the sum of the conversations' unread counts, and no count is negative.
    ///
    /// Not checked: whether the counts are correct (see ``convergence``).
    case countsAddUp = "counts_add_up"
    /// The client makes no connection attempt without a network, behind a captive portal, or before the time that the
    /// server has requested in `draining` or in the Retry-After header of a rejected upgrade. It attempts to connect as
    /// soon as the device switches to another network.
    ///
    /// Not checked: whether any other attempt was necessary.
    case attemptsHaveReason = "attempts_have_reason"
    /// The client pings at most twice per ping interval, and does not request messages that it already has.
    ///
    /// Not checked: most HTTP requests that are repeated in different steps.
    case frugal
    /// A message causes at most one notification, in its conversation's group, and none while that conversation is on
    /// the screen.
    ///
    /// Not checked: titles and texts of notifications.
    case notificationsKept = "notifications_kept"
    /// When the user ends a connection, or the app ends it on going to the background, the client must close it with a
    /// close frame.
    ///
    /// Not checked: connections that a fault has affected.
    case cleanEnds = "clean_ends"
    /// A client in the foreground that is not connected shows a banner within a time limit.
    ///
    /// Not checked: the banner's text.
    case troubleIsTold = "trouble_is_told"
    /// Two observables that show the same fact agree: the state of the connection, a message and its icon, the rows and
    /// their list, a count and its badge.
    ///
    /// Not checked: facts that the client shows in one place only.
    case surfacesAgree = "surfaces_agree"
    /// By the end of the run, the client must have reported to the server which messages it has received and read, and
    /// must have registered its push token. The token is removed when its user signs out.
    ///
    /// Not checked: read receipts for messages that were fetched over HTTP.
    case toldToTheServer = "told_to_the_server"
    /// A list keeps the position to which the user has scrolled it, even if another conversation was open in between,
    /// and no list loses its newest message.
    ///
    /// Not checked: positions before the first scroll.
    case screenKeepsPlace = "screen_keeps_place"
    /// The server processes the messages of a conversation one at a time.
    ///
    /// Not checked: an external server.
    case oneAtATime = "one_at_a_time"
    /// A message is reported as read only after its conversation has been on the screen, and messages that are on the
    /// screen are not counted as unread.
    ///
    /// Not checked: requests that mark a whole conversation as read without naming a message.
    case readByTheUser = "read_by_the_user"
    /// The server rejects requests to mark messages as read for another user, and closes its connections with a close
    /// frame when it stops.
    ///
    /// Not checked: an external server.
    case serverKeepsPromises = "server_keeps_promises"
    /// No credential is part of a URL, which servers and proxies write to their logs.
    ///
    /// Not detected: credentials in a path.
    case noSecretInAddress = "no_secret_in_address"
}
