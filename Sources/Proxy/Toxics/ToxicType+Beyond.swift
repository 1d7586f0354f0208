import Faults
import Foundations

extension ToxicType {
    /// What Toxiproxy has no word for: the faults that scenarios name, by the same names and with spans in milliseconds.
    static let beyond: [ToxicType] = [
        ToxicType("blackhole", isClassic: false, []) { _, stream in .blackhole(Fault.Blackhole(stream: stream)) },
        ToxicType(
            "half_open",
            isClassic: false,
            [.word("answer", Fault.HalfOpen.Answer.self, first: .none), .word("how", LinkEnd.self, first: .rst)]
        ) { values, _ in
            .halfOpen(Fault.HalfOpen(answer: values.word("answer", or: .none), how: values.word("how", or: .rst)))
        },
        ToxicType("stall", isClassic: false, [.word("new", Fault.Stall.New.self, first: .stall)]) { values, stream in
            .stall(Fault.Stall(stream: stream, new: values.word("new", or: .stall)))
        },
        ToxicType("refuse", isClassic: false, []) { _, _ in .refuse(Fault.Refuse()) },
        ToxicType("accept_then_close", isClassic: false, [.word("how", LinkEnd.self, first: .fin)]) { values, _ in
            .acceptThenClose(Fault.AcceptThenClose(values.word("how", or: .fin)))
        },
        ToxicType("certificate", isClassic: false, [.word("kind", CertificateKind.self, first: .expired)]) {
            values,
            _ in
            .certificate(Fault.Certificate(values.word("kind", or: .expired)))
        },
        ToxicType(
            "handshake",
            isClassic: false,
            [.word("outcome", Fault.BrokenHandshake.Outcome.self, first: .fail)]
        ) { values, _ in .brokenHandshake(Fault.BrokenHandshake(values.word("outcome", or: .fail))) },
        ToxicType("cut", isClassic: false, [.integer("at_byte"), .word("how", LinkEnd.self, first: .fin)]) {
            values,
            stream in
            .cut(
                Fault.Cut(
                    atByte: max(0, values.integer("at_byte")),
                    how: values.word("how", or: .fin),
                    stream: stream
                )
            )
        },
        ToxicType("corrupt", isClassic: false, [.integer("one_in"), .integer("at_byte", or: -1)]) { values, stream in
            let place = values.integer("at_byte")
            return .corrupt(
                Fault.Corrupt(
                    oneIn: min(max(0, values.integer("one_in")), 1_000_000_000_000),
                    atByte: place >= 0 ? place : nil,
                    stream: stream
                )
            )
        },
        ToxicType(
            "frames",
            isClassic: false,
            [
                .word("action", Fault.Frames.Action.self, first: .drop),
                .word("content", Fault.Frames.Content.self, first: .message), .text("type"), .text("contains"),
                .integer("nth", or: 1), .integer("count"), .integer("delay"), .integer("bytes"), .text("text"),
                .integer("code", or: 1001),
            ]
        ) { values, stream in
            var frames = Fault.Frames(values.word("action", or: .drop))
            frames.content = values.word("content", or: .message)
            (frames.type, frames.contains) = (values.text("type"), values.text("contains"))
            let most: Int64 = 1_000_000_000
            frames.nth = min(max(1, values.integer("nth")), most)
            frames.count = min(max(0, values.integer("count")), most)
            frames.delay = values.milliseconds("delay")
            frames.bytes = max(0, values.integer("bytes"))
            frames.text = values.text("text") ?? ""
            frames.code = values.integer("code")
            frames.stream = stream
            return .frames(frames)
        },
        ToxicType("drop", isClassic: false, [.word("side", Fault.Drop.Side.self, first: .both)]) { values, _ in
            .drop(Fault.Drop(values.word("side", or: .both)))
        },
        ToxicType(
            "flap",
            isClassic: false,
            [
                .integer("up", atLeast: 1), .integer("down", atLeast: 1),
                .word("outage", Fault.Flap.Outage.self, first: .blackhole),
            ]
        ) { values, _ in
            .flap(
                Fault.Flap(
                    up: values.milliseconds("up"),
                    down: values.milliseconds("down"),
                    outage: values.word("outage", or: .blackhole)
                )
            )
        },
        ToxicType("slow_http", isClassic: false, [.integer("headers"), .integer("body")]) { values, stream in
            .slowHTTP(
                Fault.SlowHTTP(
                    headers: max(0, values.integer("headers")),
                    body: max(0, values.integer("body")),
                    stream: stream
                )
            )
        },
        ToxicType(
            "upgrade_status",
            isClassic: false,
            [
                .integer("status", or: 503), .integer("retry_after"), .text("page"),
                .word("requests", Fault.UpgradeStatus.Requests.self, first: .upgrades),
            ]
        ) { values, _ in
            let wait = values.milliseconds("retry_after")
            var status = Fault.UpgradeStatus(
                200...599 ~= values.integer("status") ? values.integer("status") : 503,
                retryAfter: wait > .zero ? wait : nil
            )
            (status.page, status.requests) = (values.text("page"), values.word("requests", or: .upgrades))
            return .upgradeStatus(status)
        },
        ToxicType(
            "captive_portal",
            isClassic: false,
            [.word("form", Fault.CaptivePortal.Form.self, first: .redirect), .integer("status")]
        ) { values, _ in
            let status = values.integer("status")
            return .captivePortal(
                Fault.CaptivePortal(
                    values.word("form", or: .redirect),
                    status: [301, 302, 303, 307, 308].contains(status) ? status : 302
                )
            )
        },
    ]
}
