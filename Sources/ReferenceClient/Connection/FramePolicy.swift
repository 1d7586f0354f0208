/// How the client handles unreadable frames and large messages.
package struct FramePolicy: Hashable, Sendable {
    package enum Reading: Hashable, Sendable { case isIgnored, crashes }

    /// Whether the client announces its message size limit to the server.
    package enum Limit: Hashable, Sendable { case isAnnounced, isNotAnnounced }

    package var limit = Limit.isAnnounced
    package var unknownType = Reading.isIgnored
    package var malformed = Reading.isIgnored
    package var untyped = Reading.isIgnored
    /// How the client reads a malformed page of messages.
    package var malformedAnswer = Reading.isIgnored

    /// Whether the client accepts or drops messages without the fields that only newer servers send.
    package enum Records: Hashable, Sendable { case mayBeOlder, mustBeNew }

    package var records = Records.mayBeOlder

    /// Whether the client accepts or rejects a list of conversations without the fields that only newer servers send.
    package enum ChatRecords: Hashable, Sendable { case mayBeOlder, mustBeNew }

    package var chatRecords = ChatRecords.mayBeOlder

    /// Whether the client ignores a second copy of an error frame or handles it as another error.
    package enum CopiedErrors: Hashable, Sendable { case areIgnored, countAgain }

    package var copiedErrors = CopiedErrors.areIgnored

    static let defects: [Defect] = [
        Defect(
            "oversizeKillsSocket",
            ["WS-8"],
            "the client does not announce its message limit, so a larger message closes every connection",
            policy: { $0.frames.limit = .isNotAnnounced }
        ),
        Defect(
            "crashOnMalformedAnswer",
            ["WS-40"],
            "a malformed page of messages crashes the client",
            policy: { $0.frames.malformedAnswer = .crashes }
        ),
        Defect(
            "crashOnUnknownType",
            ["WS-11b", "WS-11e"],
            "a frame of an unknown type crashes the client",
            policy: { $0.frames.unknownType = .crashes }
        ),
        Defect(
            "crashOnUntyped",
            ["WS-11a"],
            "a frame without a type crashes the client",
            policy: { $0.frames.untyped = .crashes }
        ),
        Defect(
            "crashOnMalformed",
            ["WS-40"],
            "a malformed frame crashes the client",
            policy: { $0.frames.malformed = .crashes }
        ),
        Defect(
            "errorCountsTwice",
            ["WS-12f"],
            "a late second copy of an error fails the message that the user has sent again since",
            policy: { $0.frames.copiedErrors = .countAgain }
        ),
        Defect(
            "strictDecoding",
            ["PO-T1"],
            "a message without is_deleted, as older servers send it, is dropped",
            policy: { $0.frames.records = .mustBeNew }
        ),
        Defect(
            "strictChatRecords",
            ["PO-T1"],
            "a list of chats without unread counts, as older servers send it, is rejected",
            policy: { $0.frames.chatRecords = .mustBeNew }
        ),
        Defect(
            "offersNoCompression",
            ["WS-18"],
            "the client does not offer compression, so that large messages are sent in full",
            profile: { $0.connect.compressAbove = 0 }
        ),
    ]
}
