/// A bug that an audit found in chat servers, reproduced by a single change to the server's policy.
package struct ServerDefect: Sendable {
    package let name: String
    /// The IDs of the requirements whose scenarios must fail with this defect.
    package let rows: [String]
    /// A one-line description of what the defect breaks.
    package let breaks: String
    package let change: @Sendable (inout ServerPolicy) -> Void

    init(_ name: String, _ rows: [String], _ breaks: String, change: @escaping @Sendable (inout ServerPolicy) -> Void) {
        self.name = name
        self.rows = rows
        self.breaks = breaks
        self.change = change
    }

    /// All defects, sorted by name.
    package static let all: [ServerDefect] = [
        ServerDefect(
            "abruptShutdown",
            ["WS-32d"],
            "a shutdown cuts the connections without announcement or close frame"
        ) {
            $0.shutdown = .abrupt
        },
        ServerDefect("ackNoop", ["WS-4c"], "an acknowledged message is replayed again") {
            $0.replay.acknowledgement = .isIgnored
        },
        ServerDefect("clientOnlyAuthorisation", ["PO-2.1h", "PO-V2"], "any client can delete any user's message") {
            $0.deletion.authorisation = .byClientAlone
        },
        ServerDefect(
            "closeNamesReason",
            ["WS-6e"],
            "the close after a rejected login reveals what is wrong with the key"
        ) {
            $0.login.closing = .givesReason
        },
        ServerDefect("deletedBySystem", ["PO-2.1c"], "the record of a deletion does not name the user who deleted") {
            $0.deletion.author = .isTheServer
        },
        ServerDefect(
            "deletedSortedByDeletion",
            ["PO-V4"],
            "a page that lists deleted messages last has them in the order of their deletion"
        ) {
            $0.deletion.order = .byDeletion
        },
        ServerDefect(
            "earlyFramesAnswered",
            ["WS-6c"],
            "a frame before the login is answered with an error, and the connection stays open"
        ) {
            $0.login.earlyFrame = .isAnsweredWithError
        },
        ServerDefect("hardDelete", ["PO-2.1c", "PO-V4"], "a deleted message leaves no record") {
            $0.deletion.record = .isGone
        },
        ServerDefect(
            "idsPerConversation",
            ["WS-4a"],
            "message ids are counted per conversation, so that messages in different conversations have the same id"
        ) {
            $0.message.uniqueness = .perConversation
        },
        ServerDefect("limitSharedByClients", ["UX-2.6a"], "all clients together have one rate limit") {
            $0.rateLimit = .ofAllClients
        },
        ServerDefect(
            "liveNeverReplayed",
            ["WS-4b"],
            "a message that was sent to a connected client is not replayed, although the client never acknowledged it"
        ) {
            $0.replay.queue = .takesMissed
        },
        ServerDefect("lostUpdate", ["PO-2.2g"], "reading an older message clears the unread count of newer ones") {
            $0.unread = .zeroedByReading
        },
        ServerDefect("noMessageId", ["WS-4a"], "messages carry no id, whether they are sent at once or replayed") {
            $0.message.identity = .omitted
        },
        ServerDefect("noReplay", ["WS-4b", "UX-X6"], "missed messages are never replayed") {
            $0.replay.sending = .never
        },
        ServerDefect("noSessionLock", ["WS-12b"], "prompts of one conversation are processed concurrently") {
            $0.work.lock = .none
        },
        ServerDefect("openStorage", ["PO-V1"], "uploads need neither credentials nor membership of the conversation") {
            $0.upload = .anyone
        },
        ServerDefect("openUnreadWrite", ["PO-V3"], "any user can mark a conversation as read for another user") {
            $0.readings = .ofAnybody
        },
        ServerDefect("pagesNewestFirst", ["WS-5c"], "a page of a conversation begins with its newest message") {
            $0.pages = .newestFirst
        },
        ServerDefect("pingNeedsKey", ["WS-3d"], "a ping before the login is rejected") { $0.login.ping = .needsKey },
        ServerDefect("presencePerDevice", ["PO-1.1h"], "a user is offline as soon as one of several devices leaves") {
            $0.presence.leaving = .withAnyClient
        },
        ServerDefect(
            "presenceStuck",
            ["PO-1.1g", "PO-1.1h"],
            "a user who vanished without closing stays online forever"
        ) {
            $0.presence.silence = .isIgnored
        },
        ServerDefect(
            "pushCutByLength",
            ["UX-4.1b"],
            "the limit of a push payload is taken for a number of characters, so that a text of several bytes each is "
                + "refused"
        ) {
            $0.push.limit = .isInCharacters
        },
        ServerDefect("pushCutInBytes", ["UX-4.1b"], "the text of a push is cut in the middle of a UTF-8 character") {
            $0.push.codePoints = .areCut
        },
        ServerDefect("pushCutInEmoji", ["UX-4.1b"], "the text of a push is cut between the code points of an emoji") {
            $0.push.characters = .areCut
        },
        ServerDefect("pushUncut", ["UX-4.1b"], "a push whose payload is too large is sent as it is, and refused") {
            $0.push.fitting = .never
        },
        ServerDefect("queueLostOnRestart", ["WS-4e"], "a restart loses the messages that were to be replayed") {
            $0.replay.restart = .losesQueue
        },
        ServerDefect("refusalKeepsOpen", ["WS-6b"], "a rejected login leaves the connection open") {
            $0.login.rejected = .staysOpen
        },
        ServerDefect(
            "refusalNamesTheByte",
            ["WS-6e"],
            "the rejection of a key of the correct length reveals which byte is wrong"
        ) {
            $0.login.wrongByte = .isNamed
        },
        ServerDefect(
            "repeatsStored",
            ["WS-12g", "WS-21c"],
            "a message that is sent twice with the same id is stored twice"
        ) {
            $0.message.repeats = .areStored
        },
        ServerDefect("replayableAuth", ["WS-39"], "a recorded login is accepted again") {
            $0.auth = .anyTime
        },
        ServerDefect(
            "replySentOnce",
            ["WS-12g"],
            "a prompt that is sent again is confirmed, but its reply is not sent again"
        ) {
            $0.work.replies = .areSentOnce
        },
        ServerDefect("stopEndsAllWork", ["WS-12c"], "a stop request for work that is not running ends all other work") {
            $0.work.extent = .everything
        },
        ServerDefect("stopRefused", ["WS-12c"], "a stop request is answered with an error if nothing is running") {
            $0.work.stopping = .isRefusedIfIdle
        },
        ServerDefect("tellingRefusal", ["WS-6e"], "the rejection of a login reveals what is wrong with the key") {
            $0.login.refusal = .givesReason
        },
        ServerDefect("unknownTypeEndsConnection", ["WS-11b"], "a frame of unknown type ends the connection") {
            $0.unknownTypes = .endConnection
        },
        ServerDefect("uploadsIntoAnyChat", ["PO-V1"], "any user can upload an image to any conversation") {
            $0.uploadMembership = .isIgnored
        },
    ]

    package static func named(_ name: String) -> ServerDefect? {
        all.first { $0.name == name }
    }
}
