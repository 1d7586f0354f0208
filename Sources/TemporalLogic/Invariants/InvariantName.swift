/// The fifteen standing invariants: what must be true of every run, whatever its scenario is about.
///
/// Each is judged as far as the trace shows it, and says nothing (`skipped`) where it does not. What is seen, and what is
/// not, stands with each of them.
package enum InvariantName: String, Hashable, Sendable, CaseIterable {
    /// What the client took over from its user is stored by the server, or visibly queued, sending or failed, at the
    /// end of the run; after a kill, once the client is connected again, or has had the time to be.
    ///
    /// Not seen: a message that was lost and found again in between.
    case acceptedNeverLost = "accepted_never_lost"
    /// One id, one stored message, one row: the server never stores it twice, no list ever shows it twice.
    ///
    /// Not seen: the same text under two ids, which only the client could tell from two messages.
    case noDuplicateEffect = "no_duplicate_effect"
    /// Of two messages of a conversation, the server stores the one accepted first first, unless the client had shown it
    /// as failed before, or it carries a file, which had to arrive before it.
    ///
    /// Not seen: one that is never stored at all (see ``acceptedNeverLost``).
    case order
    /// `connected` is shown only while frames have come within the dead time; a message is shown as delivered only once
    /// the server has stored it; syncing and refreshing end.
    ///
    /// Not seen: texts and colours that say something else than the state they stand for.
    case honestUI = "honest_ui"
    /// No two sockets of a client are open for longer than it takes to close the old one.
    ///
    /// Not seen: what the client itself does not count; the server's side of a dead link proves nothing.
    case oneLiveTransport = "one_live_transport"
    /// With the server up, the network reachable, no fault on, and the client awake, in the foreground and not given up,
    /// it is connected within a time.
    ///
    /// Not seen: anything while the scenario disturbs the client; each disturbance starts the time anew.
    case liveness
    /// Once the client has said that it will not go on, it makes no attempt until someone asks for one.
    ///
    /// Who asks is read from `user.…` and `device.…` events, a restart, waking and a network that comes back.
    case terminalMeansStop = "terminal_means_stop"
    /// Each backoff lies between its bounds, attempts wait for it, and the count begins anew only after a success or a
    /// reason from outside.
    ///
    /// Not seen: whether many clients are spread well (that is `count` with `in_any`).
    case backoffEnvelope = "backoff_envelope"
    /// A gap that the client has noticed is refetched; and no list shows messages around one that is missing without
    /// the client having noticed.
    ///
    /// Not seen: messages older than all that the client shows.
    case noSilentGap = "no_silent_gap"
    /// On each connection the client introduces itself once, and says nothing else before it is accepted.
    ///
    /// Not seen: subscriptions for single conversations, which this protocol does not have.
    case subscriptionsFollowSession = "subscriptions_follow_session"
    /// Nothing is received between a connection's end and the next attempt, and nothing but a greeting before the new one
    /// is accepted, unless the server sent it since the attempt began.
    ///
    /// Not seen: a late frame of the old connection that the server also sent on the new one.
    case oldTransportDead = "old_transport_dead"
    /// A refused credential is not offered again until someone has done something about it.
    ///
    /// Not seen: credentials in HTTP requests.
    case authBounded = "auth_bounded"
    /// A ping without its own pong ends `connected` in time, whatever other frames come in.
    ///
    /// Not seen: pings of clients that say nothing of them.
    case livenessNotFooled = "liveness_not_fooled"
    /// The connection's states are different one after the other, follow legal transitions, and an end of the connection
    /// is reported as such.
    ///
    /// Not seen: states that a step passed through.
    case statesWellFormed = "states_well_formed"
    /// A file that the client took over from its user is stored by the server as a whole, once, or visibly waiting, uploading
    /// or failed at the end of the run; after a kill, once the client is connected again, or has had the time to be.
    ///
    /// Not seen: what is in the file.
    case filesStoredOnce = "files_stored_once"
}
