/// What a frame that nobody can read does.
package struct FramePolicy: Hashable, Sendable {
    package enum Reading: Hashable, Sendable { case isIgnored, crashes }

    /// Whether the server is told what the client takes at most.
    package enum Limit: Hashable, Sendable { case isAnnounced, isKeptSecret }

    package var limit = Limit.isAnnounced
    package var unknownType = Reading.isIgnored
    package var malformed = Reading.isIgnored
    package var untyped = Reading.isIgnored

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
    ]
}
