/// The standing invariants, which must hold in every run.
///
/// Each invariant is judged as far as the trace shows what it reads, and skipped otherwise. The comments say what each
/// one checks and what it cannot see.
package enum InvariantName: String, Hashable, Sendable, CaseIterable {
    /// Every message that the client accepted from its user is stored by the server, or shown as queued, sending or
    /// failed, at the end of the run; after a kill, once the client is connected again or has had the time to be.
    ///
    /// Not seen: a message that was lost and reappeared in between.
    case acceptedNeverLost = "accepted_never_lost"
    /// Each message id is stored once and shown in one row: no server stores it twice, and no list shows it twice.
    ///
    /// Not seen: the same text under two ids, which only the client could distinguish from two messages.
    case noDuplicateEffect = "no_duplicate_effect"
    /// The server stores the messages of a conversation in the order in which they were accepted, except messages
    /// that the client had shown as failed, and messages with a file, which has to arrive before them.
    ///
    /// Not seen: one that is never stored at all (see ``acceptedNeverLost``).
    case order
    /// `connected` is shown only while frames have come within the dead time; a message is shown as delivered only once
    /// the server has stored it; syncing and refreshing end.
    ///
    /// Not seen: texts and colours that contradict the state.
    case honestUI = "honest_ui"
    /// No two sockets of a client are open for longer than it takes to close the old one.
    ///
    /// Not seen: sockets that the client does not count; the server's side of a dead link proves nothing.
    case oneLiveTransport = "one_live_transport"
    /// While the server is up, the network reachable, no fault active, and the client awake, in the foreground and
    /// not given up, the client is connected within a time.
    ///
    /// Not seen: anything while the scenario disturbs the client; each disturbance restarts the time.
    case liveness
    /// Once the client has reported that it has given up, its user has disconnected or signed out, or the server has
    /// closed the connection with 1000, it makes no attempt until it is asked to.
    ///
    /// Requests are a restart, waking up, the foreground, another path or network, a portal's login, and what the user
    /// does to get a connection: reconnect, refresh, retry, another key, a sign-in, a tapped notification.
    case terminalMeansStop = "terminal_means_stop"
    /// Each backoff lies between its bounds, attempts wait for it, and the count restarts only after a success or an
    /// outside event. A client that claims no profile makes at most ten attempts in ten seconds.
    ///
    /// Not seen: whether many clients are spread well (that is `count` with `in_any`).
    case backoffEnvelope = "backoff_envelope"
    /// A gap that the client has detected is fetched again, and no list shows messages around a missing one without the
    /// client having detected it.
    ///
    /// Not seen: messages older than any that the client shows.
    case noSilentGap = "no_silent_gap"
    /// On each connection the client sends its login once, and nothing else before it is accepted.
    ///
    /// Not seen: subscriptions for single conversations, which this protocol does not have.
    case subscriptionsFollowSession = "subscriptions_follow_session"
    /// The client receives nothing between a connection's end and the next attempt, and nothing but a greeting before
    /// the new connection is accepted, unless the server sent it since the attempt began.
    ///
    /// Not seen: a late frame of the old connection that the server also sent on the new one.
    case oldTransportDead = "old_transport_dead"
    /// A refused credential is not sent again before the user or the app has had a chance to replace it. A 401 in
    /// answer to an upgrade refuses it, too.
    ///
    /// Not seen: credentials in HTTP requests, and attempts after a 401 of a client that does not report its attempts.
    case authBounded = "auth_bounded"
    /// A ping without its own pong ends `connected` in time, whatever other frames come in.
    ///
    /// Not seen: pings of clients that do not report them.
    case livenessNotFooled = "liveness_not_fooled"
    /// No connection state is reported twice in a row, states follow legal transitions, and each end of a connection is
    /// reported.
    ///
    /// Not seen: states that lasted for less than a step.
    case statesWellFormed = "states_well_formed"
    /// A file that the client accepted from its user is stored by the server completely and once, or shown as
    /// waiting, uploading or failed, at the end of the run; after a kill, once the client is connected again or has
    /// had the time to be.
    ///
    /// Not seen: the contents of the file.
    case filesStoredOnce = "files_stored_once"
    /// Once everything is calm after the script (no fault, no rule of the server, the app in the foreground), the
    /// client shows what the server holds, and nothing is under way any more.
    ///
    /// Not seen: what the client has never loaded, and clients that have given up, were disconnected by their user or
    /// have signed out.
    case convergence
    /// The client's process ends only when the device or its user ends it.
    ///
    /// Not seen: a process that hangs.
    case processSurvives = "process_survives"
    /// What the client shows as under way ends within its limit while it is connected and undisturbed: a message that
    /// is sent, a view that loads, a sign-out, a message that the server streams.
    ///
    /// Not seen: uploads, which may take any time.
    case waitsEnd = "waits_end"
    /// The number on the app's icon is the sum of the conversations' unread counts, and none of them is negative.
    ///
    /// Not seen: whether the counts are right (see ``convergence``).
    case countsAddUp = "counts_add_up"
    /// The client makes no attempt without a network or before the time that the server has asked for, in `draining`
    /// or in the Retry-After of a refused upgrade, and makes one as soon as the device has changed to another network.
    ///
    /// Not seen: attempts behind a captive portal.
    case attemptsHaveReason = "attempts_have_reason"
    /// The client pings no more often than its interval says, and does not ask for messages that it has.
    ///
    /// Not seen: repeated HTTP requests.
    case frugal
    /// A message is notified once, in the group of its conversation, and not while the conversation is on the screen.
    ///
    /// Not seen: titles and texts of notifications.
    case notificationsKept = "notifications_kept"
    /// A connection that the user ends is closed with a close frame.
    ///
    /// Not seen: connections that the client ends in the background.
    case cleanEnds = "clean_ends"
    /// A client in the foreground that is not connected shows a banner, within the banner's grace.
    ///
    /// Not seen: the banner's text.
    case troubleIsTold = "trouble_is_told"
    /// What the client shows of one fact in two places is the same: the state of the connection, a message and its
    /// icon, the rows and their list, a count and its badge.
    ///
    /// Not seen: facts that the client shows in one place only.
    case surfacesAgree = "surfaces_agree"
    /// What the client has received and read, and the push token that it has registered, the server has been told by
    /// the end; a token is removed when its user signs out.
    ///
    /// Not seen: readings of messages that were fetched over HTTP.
    case toldToTheServer = "told_to_the_server"
    /// The list stays where the user has scrolled it, also after another conversation was open, and no list loses its
    /// newest message.
    ///
    /// Not seen: positions before the first scroll.
    case screenKeepsPlace = "screen_keeps_place"
    /// The server works on one message of a conversation at a time.
    ///
    /// Not seen: the work of an external server.
    case oneAtATime = "one_at_a_time"
    /// A message is reported as read only once its conversation was on the screen, and what is on the screen is not
    /// counted as unread.
    ///
    /// Not seen: reports of whole conversations, which name no message.
    case readByTheUser = "read_by_the_user"
    /// The server refuses to mark messages as read for another user, and ends its connections with a close frame when
    /// it stops.
    ///
    /// Not seen: an external server.
    case serverKeepsPromises = "server_keeps_promises"
    /// No credential is part of a URL, which servers and proxies write to their logs.
    ///
    /// Not seen: credentials in a path.
    case noSecretInAddress = "no_secret_in_address"
}
