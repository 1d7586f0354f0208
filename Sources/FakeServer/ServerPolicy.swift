/// The server's behaviours, grouped by topic in nested types.
///
/// The first case of each enum is correct. The other cases are deliberate bugs, which a ``ServerDefect`` selects.
package struct ServerPolicy: Hashable, Sendable {
    package var replay = Replay()
    package var message = Message()
    package var rateLimit = RateLimiting.ofEachClient
    package var shutdown = Shutdown.announced
    package var presence = Presence()
    package var unread = Unread.aboveReadMark
    package var upload = Upload.authenticated
    package var uploadMembership = UploadMembership.isRequired
    package var auth = Auth.freshOnly
    package var work = Work()
    package var deletion = Deletion()
    package var readings = Readings.ofOneself
    package var pages = Pages.oldestFirst
    package var login = Login()
    package var unknownTypes = UnknownTypes.areAnswered
    package var push = Push()

    package init() {}

    package struct Replay: Hashable, Sendable {
        /// How the server handles the messages that a client has missed: it replays them, or never does.
        package enum Sending: Hashable, Sendable { case sent, never }
        /// The effect of an acknowledgement on the session's queue: the acknowledged messages are removed, or nothing
        /// changes.
        package enum Acknowledgement: Hashable, Sendable { case removes, isIgnored }
        /// The effect of a restart with `state: keep` on the messages to be replayed: they are kept or lost.
        package enum Restart: Hashable, Sendable { case keepsQueue, losesQueue }

        /// The messages that a session's queue takes: all of them, or only those that arrive while the client is not
        /// connected.
        package enum Queue: Hashable, Sendable { case takesAll, takesMissed }

        package var sending = Sending.sent
        package var queue = Queue.takesAll
        package var acknowledgement = Acknowledgement.removes
        package var restart = Restart.keepsQueue
    }

    package struct Message: Hashable, Sendable {
        package enum Identity: Hashable, Sendable { case given, omitted }

        /// Where the server's message IDs are unique: everywhere, or only within a conversation.
        package enum Uniqueness: Hashable, Sendable { case everywhere, perConversation }

        /// How the server handles a message whose client ID is already stored: it does nothing, or stores the message
        /// again.
        package enum Repeats: Hashable, Sendable { case haveNoEffect, areStored }

        /// The server's message ID in messages and replays: included or omitted.
        package var identity = Identity.given
        package var uniqueness = Uniqueness.everywhere
        package var repeats = Repeats.haveNoEffect
    }

    /// Whose messages the rate limit counts: those of one client, or those of all clients together.
    package enum RateLimiting: Hashable, Sendable { case ofEachClient, ofAllClients }

    /// How the server shuts down.
    package enum Shutdown: Hashable, Sendable {
        /// Sends a close frame, preceded by `draining` if the script asks for it.
        case announced
        /// Cuts connections without an announcement or a close frame; a shutdown with a notice happens after 100 ms.
        case abrupt
    }

    package struct Presence: Hashable, Sendable {
        /// When a user with several clients goes offline: once the last client has left, or once any client has left.
        package enum Leaving: Hashable, Sendable { case withLastClient, withAnyClient }
        /// How the server treats a client that exceeds the silence limit: it ends the connection, or does nothing.
        package enum Silence: Hashable, Sendable { case expires, isIgnored }

        package var leaving = Leaving.withLastClient
        package var silence = Silence.expires
    }

    /// How the server counts the unread messages in a conversation.
    package enum Unread: Hashable, Sendable {
        /// Counts the messages after the newest message that the user has read.
        case aboveReadMark
        /// Resets the count to zero whenever the user reads a message, even if there are newer messages.
        case zeroedByReading
    }

    /// The logins that the server accepts if the profile requires fresh logins: only fresh ones, or replayed ones as
    /// well.
    package enum Auth: Hashable, Sendable { case freshOnly, anyTime }

    /// How the server treats a connection that has not logged in yet.
    package struct Login: Hashable, Sendable {
        package enum Ping: Hashable, Sendable { case isAnswered, needsKey }
        /// How the server reacts to a frame that a client sends before the required login: it ends the connection, or
        /// responds with an error.
        package enum EarlyFrame: Hashable, Sendable { case endsConnection, isAnsweredWithError }
        /// The text of the server's response to a rejected login: always the same, or one that states what is wrong
        /// with the key.
        package enum Refusal: Hashable, Sendable { case isUniform, givesReason }
        /// The reason in the close frame after a rejected login: always the same, or one that states what is wrong with
        /// the key.
        package enum Closing: Hashable, Sendable { case isUniform, givesReason }
        /// How the server treats the position of the wrong byte when it rejects a key of the correct length: it keeps
        /// the position secret, or names it in the rejection.
        package enum WrongByte: Hashable, Sendable { case isSecret, isNamed }

        /// What the server does with the connection after a rejected login: it closes the connection, or leaves it
        /// open.
        package enum Rejected: Hashable, Sendable { case isClosed, staysOpen }

        package var ping = Ping.isAnswered
        package var rejected = Rejected.isClosed
        package var earlyFrame = EarlyFrame.endsConnection
        package var refusal = Refusal.isUniform
        package var closing = Closing.isUniform
        package var wrongByte = WrongByte.isSecret
    }

    /// How the server reacts to a frame of an unknown type after the login: it responds with an error, or ends the
    /// connection.
    package enum UnknownTypes: Hashable, Sendable { case areAnswered, endConnection }

    package struct Work: Hashable, Sendable {
        package enum Lock: Hashable, Sendable { case perConversation, none }

        /// How the server responds to a stop request when nothing is running: it confirms the request, or rejects it.
        package enum Stopping: Hashable, Sendable { case alwaysSucceeds, isRefusedIfIdle }

        package var stopping = Stopping.alwaysSucceeds

        /// The work that a stop request ends: only the work that it names, or all work.
        package enum Extent: Hashable, Sendable { case named, everything }

        package var extent = Extent.named

        /// How often the server sends the reply to a prompt: again for each repeat of the prompt, or only once.
        package enum Replies: Hashable, Sendable { case areRepeated, areSentOnce }

        package var replies = Replies.areRepeated
        /// The limit on concurrent prompts: one per conversation, or no limit.
        package var lock = Lock.perConversation
    }

    /// Determines which users' conversations a client may mark as read: only its own user's, or any user's.
    package enum Readings: Hashable, Sendable { case ofOneself, ofAnybody }

    /// The order of the messages on a page of a conversation.
    package enum Pages: Hashable, Sendable { case oldestFirst, newestFirst }

    /// The clients that may upload files.
    package enum Upload: Hashable, Sendable { case authenticated, anyone }

    /// The rule that only members of a conversation may upload images to it: enforced or ignored.
    package enum UploadMembership: Hashable, Sendable { case isRequired, isIgnored }

    /// How the server shortens the text of a notification whose payload is too large.
    package struct Push: Hashable, Sendable {
        package enum Fitting: Hashable, Sendable { case cutsTheText, never }
        /// The unit in which the payload limit is measured: bytes, or characters.
        package enum Limit: Hashable, Sendable { case isInBytes, isInCharacters }
        /// How a user-perceived character (an extended grapheme cluster) is treated: kept whole, or cut between its
        /// code points.
        package enum Characters: Hashable, Sendable { case stayWhole, areCut }
        /// How a code point that is encoded as several bytes is treated: kept whole, or cut between its bytes.
        package enum CodePoints: Hashable, Sendable { case stayWhole, areCut }

        package var fitting = Fitting.cutsTheText
        package var limit = Limit.isInBytes
        package var characters = Characters.stayWhole
        package var codePoints = CodePoints.stayWhole
    }

    package struct Deletion: Hashable, Sendable {
        /// How a deletion is authorised: the server checks that the user may delete the message, or trusts the client.
        package enum Authorisation: Hashable, Sendable { case byServer, byClientAlone }
        /// How the server treats the record of a deleted message: it retains the record or discards it.
        package enum Record: Hashable, Sendable { case isKept, isGone }
        /// The deleter named in a deleted message's record: the user who requested the deletion, or the server itself.
        package enum Author: Hashable, Sendable { case isTheUser, isTheServer }
        /// The order of the deleted messages on a page that lists them last: by time of sending or by time of deletion.
        package enum Order: Hashable, Sendable { case bySending, byDeletion }

        package var authorisation = Authorisation.byServer
        package var record = Record.isKept
        package var author = Author.isTheUser
        package var order = Order.bySending
    }
}
