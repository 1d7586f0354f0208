import Faults

extension ToxicType {
    /// What Toxiproxy has no word for: the faults that scenarios name, by the same names and with spans in milliseconds.
    static let beyond: [ToxicType] = [
        ToxicType("blackhole"),
        ToxicType(
            "half_open",
            .word("answer", Fault.HalfOpen.Answer.self, first: .none),
            .word("how", LinkEnd.self, first: .rst)
        ),
        ToxicType("stall", .word("new", Fault.Stall.New.self, first: .stall)),
        ToxicType("refuse"),
        ToxicType("accept_then_close", .word("how", LinkEnd.self, first: .fin)),
        ToxicType("certificate", .word("kind", CertificateKind.self, first: .expired)),
        ToxicType("handshake", .word("outcome", Fault.BrokenHandshake.Outcome.self, first: .fail)),
        ToxicType("cut", .integer("at_byte"), .word("how", LinkEnd.self, first: .fin)),
        ToxicType("corrupt", .integer("one_in"), .integer("at_byte", or: -1)),
        ToxicType(
            "frames",
            .word("action", Fault.Frames.Action.self, first: .drop),
            .word("content", Fault.Frames.Content.self, first: .message),
            .text("type"),
            .text("contains"),
            .integer("nth", or: 1),
            .integer("count"),
            .integer("delay"),
            .integer("bytes"),
            .text("text"),
            .integer("code", or: 1001)
        ),
        ToxicType("drop", .word("side", Fault.Drop.Side.self, first: .both)),
        ToxicType(
            "flap",
            .integer("up", atLeast: 1),
            .integer("down", atLeast: 1),
            .word("outage", Fault.Flap.Outage.self, first: .blackhole)
        ),
        ToxicType("slow_http", .integer("headers"), .integer("body")),
        ToxicType(
            "upgrade_status",
            .integer("status", or: 503),
            .integer("retry_after"),
            .text("page"),
            .word("requests", Fault.UpgradeStatus.Requests.self, first: .upgrades)
        ),
        ToxicType(
            "captive_portal",
            .word("form", Fault.CaptivePortal.Form.self, first: .redirect),
            .integer("status")
        ),
    ]
}
