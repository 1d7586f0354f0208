import Faults
import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    /// I.1 and on: answers, right and wrong, put to clients (RFC 6455 section 4.1).
    static var openingOfClients: [ConformanceCase] {
        openings("I", goodAnswers + badAnswers + otherAnswers, judged: .client)
    }

    private static let goodAnswers = [
        OpeningRow("A plain answer.", opensAll, "RFC 6455 4.1", plan: OpeningPlan(.opens)),
        OpeningRow("Names of headers in capitals.", opensAll, "RFC 9110 5.1", plan: OpeningPlan([.capitals], .opens)),
        OpeningRow("Upgrade: Websocket.", opensAll, "RFC 6455 4.1", plan: OpeningPlan([.turnCase("Upgrade")], .opens)),
        OpeningRow(
            "Connection: upgrade.",
            opensAll,
            "RFC 6455 4.1",
            plan: OpeningPlan([.turnCase("Connection")], .opens)
        ),
        OpeningRow("The answer byte by byte.", opensAll, "RFC 9112 2.2", plan: OpeningPlan(.opens, pacing: .chops(1))),
        OpeningRow(
            "A text in the same breath as the answer.",
            "The server may speak at once: the text comes back.",
            "RFC 6455 4.2.2",
            plan: OpeningPlan(.opens, early: "early")
        ),
    ]

    private static func broken(_ title: String, _ section: String, _ changes: OpeningPlan.Change...) -> OpeningRow {
        OpeningRow(
            title,
            "The server has not agreed: the client fails the connection and sends nothing on it.",
            section,
            plan: OpeningPlan(changes, .fails)
        )
    }

    private static let accept = "Sec-WebSocket-Accept"

    private static let badAnswers = [
        broken("The accept key of another connection.", "RFC 6455 4.1", .foreignAccept),
        broken("No accept key.", "RFC 6455 4.1", .remove(accept)),
        broken("An empty accept key.", "RFC 6455 4.1", .set(accept, "")),
        broken("No Upgrade.", "RFC 6455 4.1", .remove("Upgrade")),
        broken("Upgrade: h2c.", "RFC 6455 4.1", .set("Upgrade", "h2c")),
        broken("No Connection.", "RFC 6455 4.1", .remove("Connection")),
        broken("Connection: close.", "RFC 6455 4.1", .set("Connection", "close")),
        broken(
            "A subprotocol that nobody asked for.",
            "RFC 6455 4.1",
            .add("Sec-WebSocket-Protocol", "squall.unasked")
        ),
        broken("An extension that nobody offered.", "RFC 6455 9.1", .add(extensions, "x-squall")),
        broken(
            "permessage-deflate with an unknown parameter.",
            "RFC 7692 7.1",
            .add(extensions, "permessage-deflate; mode=fast")
        ),
        broken(
            "permessage-deflate with a window that there is not.",
            "RFC 7692 7.1.2",
            .add(extensions, "permessage-deflate; server_max_window_bits=16")
        ),
        broken(
            "permessage-deflate with a parameter twice.",
            "RFC 7692 7.1",
            .add(extensions, "permessage-deflate; server_no_context_takeover; server_no_context_takeover")
        ),
        broken("HTTP/1.0 101.", "RFC 6455 4.1", .version(.http10)),
        broken(
            "Status 200 with all an upgrade's headers.",
            "RFC 6455 4.1",
            .status(200, "OK"),
            .add("Content-Length", "0")
        ),
    ]

    private static func answered(_ status: Int, _ reason: String, _ headers: [(String, String)], _ why: String)
        -> OpeningRow
    {
        var head = "HTTP/1.1 \(status) \(reason)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return OpeningRow(
            (["Status \(status)"] + headers.map { "\($0.0): \($0.1)" }).joined(separator: ", ") + ".",
            why,
            "RFC 6455 4.1",
            plan: OpeningPlan(
                .fails,
                raw: Array("\(head)Content-Length: 0\r\nConnection: close\r\n\r\n".utf8),
                ending: .fin
            )
        )
    }

    private static let otherAnswers = [
        answered(
            301,
            "Moved Permanently",
            [("Location", "/squall-elsewhere")],
            "Followed on another connection or not at all."
        ),
        answered(302, "Found", [("Location", "/squall-elsewhere")], "Followed on another connection or not at all."),
        answered(
            307,
            "Temporary Redirect",
            [("Location", "/squall-elsewhere")],
            "Followed on another connection or not at all."
        ),
        answered(401, "Unauthorized", [("WWW-Authenticate", "Basic realm=\"squall\"")], "The connection never opened."),
        answered(403, "Forbidden", [], "The connection never opened."),
        answered(426, "Upgrade Required", [("Sec-WebSocket-Version", "14")], "The connection never opened."),
        answered(
            503,
            "Service Unavailable",
            [("Retry-After", "1")],
            "The connection never opened; to try again is another one."
        ),
        OpeningRow(
            "Bytes that are no HTTP.",
            "The connection never opened.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.fails, raw: Array("SSH-2.0-squall\r\n\r\n\r\n".utf8))
        ),
        OpeningRow(
            "Half an answer, then the end of the stream.",
            "The connection never opened: the client ends too.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.fails, raw: Array("HTTP/1.1 101 Switching Protocols\r\nUpg".utf8), ending: .fin)
        ),
        told(
            "A reset instead of an answer.",
            "The connection never opened; that the client lives on, the next case shows.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.tells, raw: [], ending: .rst)
        ),
        told(
            "A header that never ends.",
            "How much a client reads is its own affair.",
            "RFC 9112 5.4",
            plan: OpeningPlan([.add("X-Long", String(repeating: "a", count: 1_000_000))], .tells)
        ),
        OpeningRow("A plain answer, after all that.", opensAll, "RFC 6455 4.1", plan: OpeningPlan(.opens)),
    ]
}
