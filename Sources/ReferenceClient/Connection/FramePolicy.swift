/// What a frame that nobody can read does.
package struct FramePolicy: Hashable, Sendable {
    package enum Reading: Hashable, Sendable { case isIgnored, crashes }

    /// Whether the server is told what the client takes at most.
    package enum Limit: Hashable, Sendable { case isAnnounced, isKeptSecret }

    package var limit = Limit.isAnnounced
    package var unknownType = Reading.isIgnored
    package var malformed = Reading.isIgnored
    package var untyped = Reading.isIgnored

    /// Whether messages may lack what older servers do not say of them.
    package enum Records: Hashable, Sendable { case mayBeOlder, mustBeNew }

    package var records = Records.mayBeOlder

    static let defects: [Defect] = [
        Defect(
            "oversizeKillsSocket",
            ["WS-8"],
            "nobody is told the client's limit, and a larger message ends every connection that brings it",
            policy: { $0.frames.limit = .isKeptSecret }
        ),
        Defect(
            "crashOnUnknownType",
            ["WS-11b"],
            "a frame of an unknown type ends the process",
            policy: { $0.frames.unknownType = .crashes }
        ),
        Defect(
            "crashOnUntyped",
            ["WS-11a"],
            "a frame that does not say its type ends the process",
            policy: { $0.frames.untyped = .crashes }
        ),
        Defect(
            "crashOnMalformed",
            ["WS-40"],
            "a frame that is no proper JSON ends the process",
            policy: { $0.frames.malformed = .crashes }
        ),
        Defect(
            "strictDecoding",
            ["PO-T1"],
            "a message that does not say whether it is deleted, as older records do not, is thrown away",
            policy: { $0.frames.records = .mustBeNew }
        ),
    ]
}
