/// The server's behaviours, grouped by topic in nested types.
///
/// The first alternative of each type is correct; the others are broken on purpose, and selected by a ``ServerDefect``.
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
    package var login = Login()
    package var unknownTypes = UnknownTypes.areAnswered

    package init() {}

    package struct Replay: Hashable, Sendable {
        /// Whether missed messages are replayed.
        package enum Sending: Hashable, Sendable { case sent, never }
        /// The effect of an acknowledgement on the session's queue.
        package enum Acknowledgement: Hashable, Sendable { case removes, isIgnored }
        /// The effect of a restart with `state: keep` on the replay buffer and the queues.
        package enum Restart: Hashable, Sendable { case keepsQueue, losesQueue }

        package var sending = Sending.sent
        package var acknowledgement = Acknowledgement.removes
        package var restart = Restart.keepsQueue
    }

    package struct Message: Hashable, Sendable {
        package enum Identity: Hashable, Sendable { case given, omitted }

        /// The effect of a message whose client id is already stored.
        package enum Repeats: Hashable, Sendable { case haveNoEffect, areStored }

        /// Whether messages and confirmations contain the server's id.
        package var identity = Identity.given
        package var repeats = Repeats.haveNoEffect
    }

    /// The way in which the server stops.
    package enum Shutdown: Hashable, Sendable {
        /// Sends `draining` if the script asks for it, and always a close frame.
        case announced
        /// Cuts connections without an announcement or a close frame; a shutdown with a notice happens after 100 ms.
        case abrupt
    }

    package struct Presence: Hashable, Sendable {
        /// The condition for a user with several clients to go offline.
        package enum Leaving: Hashable, Sendable { case withLastClient, withAnyClient }
        /// The treatment of a client that exceeds the silence limit.
        package enum Silence: Hashable, Sendable { case expires, isIgnored }

        package var leaving = Leaving.withLastClient
        package var silence = Silence.expires
    }

    /// The way in which the server counts the unread messages of a conversation.
    package enum Unread: Hashable, Sendable {
        /// The messages after the newest one that was read are counted.
        case aboveReadMark
        /// The count is reset to zero whenever the user reads a message, even if newer messages exist.
        case zeroedByReading
    }

    /// The logins that are accepted if the profile requires fresh ones.
    package enum Auth: Hashable, Sendable { case freshOnly, anyTime }

    /// The treatment of a connection before `connected`.
    package struct Login: Hashable, Sendable {
        package enum Ping: Hashable, Sendable { case isAnswered, needsKey }
        /// The server's reaction to a frame that requires a login but precedes it.
        package enum EarlyFrame: Hashable, Sendable { case endsConnection, isAnsweredWithError }
        /// Whether the text of a rejected login depends on what is wrong with the key.
        package enum Refusal: Hashable, Sendable { case isUniform, givesReason }
        /// Whether the rejection of a key with the correct length says which byte is wrong.
        package enum WrongByte: Hashable, Sendable { case isSecret, isNamed }

        package var ping = Ping.isAnswered
        package var earlyFrame = EarlyFrame.endsConnection
        package var refusal = Refusal.isUniform
        package var wrongByte = WrongByte.isSecret
    }

    /// The effect of a frame with an unknown type after `connected`.
    package enum UnknownTypes: Hashable, Sendable { case areAnswered, endConnection }

    package struct Work: Hashable, Sendable {
        package enum Lock: Hashable, Sendable { case perConversation, none }

        /// The response to a stop request when nothing is running.
        package enum Stopping: Hashable, Sendable { case alwaysSucceeds, isRefusedIfIdle }

        package var stopping = Stopping.alwaysSucceeds
        /// Whether the prompts of one conversation are serialised.
        package var lock = Lock.perConversation
    }

    /// The users whose unread counts a client may change.
    package enum Readings: Hashable, Sendable { case ofOneself, ofAnybody }

    /// The clients that may upload.
    package enum Upload: Hashable, Sendable { case authenticated, anyone }

    package struct Deletion: Hashable, Sendable {
        /// Whether the server checks that the user may delete a message, or trusts the client.
        package enum Authorisation: Hashable, Sendable { case byServer, byClientAlone }
        /// Whether the server keeps a record of a deleted message.
        package enum Record: Hashable, Sendable { case isKept, isGone }

        package var authorisation = Authorisation.byServer
        package var record = Record.isKept
    }
}
