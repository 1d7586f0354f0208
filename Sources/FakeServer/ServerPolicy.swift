/// How the server decides, nested one struct a concern.
///
/// The first alternative of each is right; the others are broken on purpose and asked for by a ``ServerDefect``.
package struct ServerPolicy: Hashable, Sendable {
    package var replay = Replay()
    package var message = Message()
    package var shutdown = Shutdown.announced
    package var presence = Presence()
    package var unread = Unread.aboveReadMark
    package var upload = Upload.authenticated
    package var auth = Auth.freshOnly
    package var work = Work()
    package var deletion = Deletion()
    package var readings = Readings.ofOneself

    package init() {}

    package struct Replay: Hashable, Sendable {
        /// Whether missed messages are sent again at all.
        package enum Sending: Hashable, Sendable { case sent, never }
        /// What an acknowledgement does to the session's queue.
        package enum Acknowledgement: Hashable, Sendable { case removes, isIgnored }
        /// What becomes of the buffer and the queues when the server restarts and keeps the rest.
        package enum Restart: Hashable, Sendable { case keepsQueue, losesQueue }

        package var sending = Sending.sent
        package var acknowledgement = Acknowledgement.removes
        package var restart = Restart.keepsQueue
    }

    package struct Message: Hashable, Sendable {
        package enum Identity: Hashable, Sendable { case given, omitted }

        /// Whether messages and confirmations carry the server's id.
        package var identity = Identity.given
    }

    /// How the server stops.
    package enum Shutdown: Hashable, Sendable {
        /// With `draining` where the script asks for it, and a close frame in any case.
        case announced
        /// Connections are cut without a word, where a notice was due after 100 ms.
        case abrupt
    }

    package struct Presence: Hashable, Sendable {
        /// When a user with several clients is gone.
        package enum Leaving: Hashable, Sendable { case withLastClient, withAnyClient }
        /// What becomes of a client that is silent for too long.
        package enum Silence: Hashable, Sendable { case expires, isIgnored }

        package var leaving = Leaving.withLastClient
        package var silence = Silence.expires
    }

    /// What is unread in a conversation.
    package enum Unread: Hashable, Sendable {
        /// What came after the newest message read.
        case aboveReadMark
        /// A number that every reading sets to zero, whatever came in the meantime.
        case zeroedByReading
    }

    /// Which logins with the right key are let in, where the profile asks for fresh ones.
    package enum Auth: Hashable, Sendable { case freshOnly, anyTime }

    package struct Work: Hashable, Sendable {
        package enum Lock: Hashable, Sendable { case perConversation, none }

        /// How many prompts of a conversation are worked on at once.
        package var lock = Lock.perConversation
    }

    /// Whose unread counts a client may change.
    package enum Readings: Hashable, Sendable { case ofOneself, ofAnybody }

    /// Who may upload.
    package enum Upload: Hashable, Sendable { case authenticated, anyone }

    package struct Deletion: Hashable, Sendable {
        /// Who decides whether somebody may delete a message.
        package enum Authorisation: Hashable, Sendable { case byServer, byClientAlone }
        /// What is left of a deleted message here.
        package enum Record: Hashable, Sendable { case isKept, isGone }

        package var authorisation = Authorisation.byServer
        package var record = Record.isKept
    }
}
