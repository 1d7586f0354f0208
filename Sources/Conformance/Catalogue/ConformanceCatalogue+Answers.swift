import Faults
import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    /// Cases I.1 and following: valid and invalid handshake responses to clients (RFC 6455, section 4.1).
    static var openingOfClients: [ConformanceCase] {
        openings("I", goodAnswers + badAnswers + otherAnswers, testedRole: .client)
    }

    private static let goodAnswers = [
        OpeningRow("A plain response.", opensAll, "RFC 6455 4.1", plan: OpeningPlan(.opens)),
        OpeningRow("Header names in capitals.", opensAll, "RFC 9110 5.1", plan: OpeningPlan([.capitals], .opens)),
        OpeningRow(
            "Upgrade: Websocket.",
            opensAll,
            "RFC 6455 4.1",
            plan: OpeningPlan([.changeCase("Upgrade")], .opens)
        ),
        OpeningRow(
            "Connection: upgrade.",
            opensAll,
            "RFC 6455 4.1",
            plan: OpeningPlan([.changeCase("Connection")], .opens)
        ),
        OpeningRow(
            "The response byte by byte.",
            opensAll,
            "RFC 9112 2.2",
            plan: OpeningPlan(.opens, pacing: .chops(1))
        ),
        OpeningRow(
            "A text in the same write as the response.",
            "The server may send at once: the text is echoed.",
            "RFC 6455 4.2.2",
            plan: OpeningPlan(.opens, early: "early")
        ),
    ]

    private static func broken(_ title: String, _ section: String, _ changes: OpeningPlan.Change...) -> OpeningRow {
        OpeningRow(
            title,
            "The handshake is invalid: the client fails the connection and sends nothing on it.",
            section,
            plan: OpeningPlan(changes, .fails)
        )
    }

    private static let accept = "Sec-WebSocket-Accept"

    private static let badAnswers = [
        broken("The accept key of another connection.", "RFC 6455 4.1", .wrongAcceptKey),
        broken("No accept key.", "RFC 6455 4.1", .remove(accept)),
        broken("An empty accept key.", "RFC 6455 4.1", .set(accept, "")),
        broken("No Upgrade.", "RFC 6455 4.1", .remove("Upgrade")),
        broken("Upgrade: h2c.", "RFC 6455 4.1", .set("Upgrade", "h2c")),
        broken("No Connection.", "RFC 6455 4.1", .remove("Connection")),
        broken("Connection: close.", "RFC 6455 4.1", .set("Connection", "close")),
        broken(
            "A subprotocol that was not requested.",
            "RFC 6455 4.1",
            .add("Sec-WebSocket-Protocol", "squall.unasked")
        ),
        broken("An extension that was not offered.", "RFC 6455 9.1", .add(extensions, "x-squall")),
        broken(
            "permessage-deflate with an unknown parameter.",
            "RFC 7692 7.1",
            .add(extensions, "permessage-deflate; mode=fast")
        ),
        broken(
            "permessage-deflate with an invalid window size.",
            "RFC 7692 7.1.2",
            .add(extensions, "permessage-deflate; server_max_window_bits=16")
        ),
        broken(
            "permessage-deflate with a repeated parameter.",
            "RFC 7692 7.1",
            .add(extensions, "permessage-deflate; server_no_context_takeover; server_no_context_takeover")
        ),
        broken("HTTP/1.0 101.", "RFC 6455 4.1", .version(.http10)),
        broken(
            "Status 200 with all the headers of an upgrade.",
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
            "The client follows the redirect on another connection or not at all."
        ),
        answered(
            302,
            "Found",
            [("Location", "/squall-elsewhere")],
            "The client follows the redirect on another connection or not at all."
        ),
        answered(
            307,
            "Temporary Redirect",
            [("Location", "/squall-elsewhere")],
            "The client follows the redirect on another connection or not at all."
        ),
        answered(
            401,
            "Unauthorized",
            [("WWW-Authenticate", "Basic realm=\"squall\"")],
            "The connection is not opened."
        ),
        answered(403, "Forbidden", [], "The connection is not opened."),
        answered(426, "Upgrade Required", [("Sec-WebSocket-Version", "14")], "The connection is not opened."),
        answered(
            503,
            "Service Unavailable",
            [("Retry-After", "1")],
            "The connection is not opened; a retry uses another connection."
        ),
        OpeningRow(
            "Bytes that are not HTTP.",
            "The connection is not opened.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.fails, raw: Array("SSH-2.0-squall\r\n\r\n\r\n".utf8))
        ),
        OpeningRow(
            "Half a response, then the end of the stream.",
            "The connection is not opened: the client ends it too.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.fails, raw: Array("HTTP/1.1 101 Switching Protocols\r\nUpg".utf8), ending: .fin)
        ),
        informational(
            "A reset instead of a response.",
            "The connection is not opened. The next case tests whether the client still works.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.informational, raw: [], ending: .rst)
        ),
        informational(
            "A header that never ends.",
            "The limit on a response's size is up to the client.",
            "RFC 9112 5.4",
            plan: OpeningPlan([.add("X-Long", String(repeating: "a", count: 1_000_000))], .informational)
        ),
        OpeningRow("A plain response, after the cases before it.", opensAll, "RFC 6455 4.1", plan: OpeningPlan(.opens)),
    ]
}
