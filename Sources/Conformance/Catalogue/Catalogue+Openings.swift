import Faults
import Foundations
import WebSocketWire

extension Catalogue {
    private struct Row {
        var title: String
        var allowed: String
        var sections: [String]
        var plan: OpeningPlan

        init(_ title: String, _ allowed: String, _ sections: String..., plan: OpeningPlan) {
            self.title = title
            self.allowed = allowed
            self.sections = sections
            self.plan = plan
        }
    }

    private static func cases(_ letter: String, _ rows: [Row], judged: WebSocketRole) -> [ConformanceCase] {
        rows.enumerated().map { place, row in
            ConformanceCase(
                "\(letter).\(place + 1)",
                row.title,
                row.allowed,
                row.sections,
                judged: [judged],
                plan: .opening(row.plan)
            )
        }
    }

    private static let key = "Sec-WebSocket-Key"
    private static let version = "Sec-WebSocket-Version"
    private static let extensions = "Sec-WebSocket-Extensions"

    /// H.1 and on: requests, right and wrong, put to servers (RFC 6455 section 4.2.1).
    static var openingOfServers: [ConformanceCase] {
        cases("H", goodRequests + offers + badRequests + strangeRequests, judged: .server)
    }

    private static let opensAll = "It is a handshake like any other: the connection opens."

    private static let goodRequests = [
        Row("A plain request.", opensAll, "RFC 6455 4.2.1", plan: OpeningPlan(.opens)),
        Row("Names of headers in capitals.", opensAll, "RFC 9110 5.1", plan: OpeningPlan([.capitals], .opens)),
        Row("Upgrade: Websocket.", opensAll, "RFC 6455 4.2.1", plan: OpeningPlan([.turnCase("Upgrade")], .opens)),
        Row(
            "Connection: keep-alive, Upgrade.",
            opensAll,
            "RFC 6455 4.2.1",
            "RFC 9110 7.6.1",
            plan: OpeningPlan([.set("Connection", "keep-alive, Upgrade")], .opens)
        ),
        Row("The request byte by byte.", opensAll, "RFC 9112 2.2", plan: OpeningPlan(.opens, pacing: .chops(1))),
        Row(
            "Two subprotocols to choose from.",
            "The server names one of them or none.",
            "RFC 6455 4.2.2",
            plan: OpeningPlan(.opens, subprotocols: ["squall.one", "squall.two"])
        ),
    ]

    /// Offers of extensions that a server declines: the connection opens without.
    private static let offers = [
        "x-squall; mode=1", "permessage-deflate; mode=fast", "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
    ].map { offer in
        Row(
            "The offer \(offer).",
            "Nobody can agree to it: the connection opens without extension.",
            "RFC 6455 9.1",
            "RFC 7692 7.1",
            plan: OpeningPlan([.add(extensions, offer)], .opens)
        )
    }

    private static func refused(
        _ title: String,
        _ section: String,
        _ statuses: Set<Int>,
        _ changes: OpeningPlan.Change...
    ) -> Row {
        let wanted = statuses.sorted().map(String.init).joined(separator: " or ")
        return Row(
            title,
            "It is no WebSocket handshake: refused, best with \(wanted), and never with 101.",
            section,
            plan: OpeningPlan(changes, .refuses(statuses: statuses))
        )
    }

    private static let badRequests: [Row] =
        [
            refused("POST.", "RFC 6455 4.2.1", [400, 405, 501], .method("POST")),
            refused("HTTP/1.0.", "RFC 6455 4.2.1", [400, 426, 505], .version(.http10)),
            refused("No Host.", "RFC 6455 4.2.1", [400], .remove("Host")),
            refused("No Upgrade.", "RFC 6455 4.2.1", [400, 426], .remove("Upgrade")),
            refused("Upgrade: h2c.", "RFC 6455 4.2.1", [400, 426], .set("Upgrade", "h2c")),
            refused("No Connection.", "RFC 6455 4.2.1", [400, 426], .remove("Connection")),
            refused("Connection: close.", "RFC 6455 4.2.1", [400, 426], .set("Connection", "close")),
            refused("No key.", "RFC 6455 4.2.1", [400], .remove(key)),
            refused("An empty key.", "RFC 6455 4.2.1", [400], .set(key, "")),
            refused("A key of 15 bytes.", "RFC 6455 4.2.1", [400], .set(key, Base64.encode(Array(0..<15)))),
            refused("A key that is not base64.", "RFC 6455 4.2.1", [400], .set(key, "this is not base64!!!!!!")),
            refused("Two keys.", "RFC 6455 11.3.1", [400], .add(key, Base64.encode(Array(0..<16)))),
            refused("No version.", "RFC 6455 4.2.1", [400, 426], .remove(version)),
            refused("A space before a header's colon.", "RFC 9112 5.1", [400], .add("X-Space ", "yes")),
        ]
        + ["8", "12", "14", "255"].map { number in
            Row(
                "Version \(number).",
                "Refused with 426 or 400 and the versions that the server knows.",
                "RFC 6455 4.2.2",
                "RFC 6455 4.4",
                plan: OpeningPlan(
                    [.set(version, number)],
                    .refuses(statuses: [400, 426], header: version, holding: "13")
                )
            )
        }

    private static func told(_ title: String, _ why: String, _ section: String, plan: OpeningPlan) -> Row {
        Row(title, why, section, plan: plan)
    }

    private static let strangeRequests = [
        told(
            "A header of 100 KB.",
            "How much a server reads is its own affair; 431 says so.",
            "RFC 6585 5",
            plan: OpeningPlan([.add("X-Long", String(repeating: "a", count: 100_000))], .tells)
        ),
        told(
            "A frame behind the request, before its answer.",
            "A client must wait; what a server makes of one that does not is open.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.tells, early: "too early")
        ),
        told(
            "An offer that is no list of extensions.",
            "The server may refuse the handshake or take the header for nothing.",
            "RFC 6455 9.1",
            plan: OpeningPlan([.add(extensions, "permessage-deflate; ;")], .tells)
        ),
        told(
            "Half a request, then a reset.",
            "Nothing can be answered; that the server lives on, the next case shows.",
            "RFC 9112 9.6",
            plan: OpeningPlan(.tells, raw: Array("GET / HTTP/1.1\r\nHost: squall\r\nUpg".utf8), ending: .rst)
        ),
        told(
            "Half a request, then the end of the stream.",
            "The server answers 400 or ends too.",
            "RFC 9112 8",
            plan: OpeningPlan(.tells, raw: Array("GET / HTTP/1.1\r\nHost: squall\r\nUpg".utf8), ending: .fin)
        ),
        Row(
            "A plain request, after all that.",
            opensAll,
            "RFC 6455 4.2.1",
            plan: OpeningPlan(.opens)
        ),
    ]

    /// I.1 and on: answers, right and wrong, put to clients (RFC 6455 section 4.1).
    static var openingOfClients: [ConformanceCase] {
        cases("I", goodAnswers + badAnswers + otherAnswers, judged: .client)
    }

    private static let goodAnswers = [
        Row("A plain answer.", opensAll, "RFC 6455 4.1", plan: OpeningPlan(.opens)),
        Row("Names of headers in capitals.", opensAll, "RFC 9110 5.1", plan: OpeningPlan([.capitals], .opens)),
        Row("Upgrade: Websocket.", opensAll, "RFC 6455 4.1", plan: OpeningPlan([.turnCase("Upgrade")], .opens)),
        Row("Connection: upgrade.", opensAll, "RFC 6455 4.1", plan: OpeningPlan([.turnCase("Connection")], .opens)),
        Row("The answer byte by byte.", opensAll, "RFC 9112 2.2", plan: OpeningPlan(.opens, pacing: .chops(1))),
        Row(
            "A text in the same breath as the answer.",
            "The server may speak at once: the text comes back.",
            "RFC 6455 4.2.2",
            plan: OpeningPlan(.opens, early: "early")
        ),
    ]

    private static func broken(_ title: String, _ section: String, _ changes: OpeningPlan.Change...) -> Row {
        Row(
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

    private static func answered(_ status: Int, _ reason: String, _ headers: [(String, String)], _ why: String) -> Row {
        var head = "HTTP/1.1 \(status) \(reason)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return Row(
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
        Row(
            "Bytes that are no HTTP.",
            "The connection never opened.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.fails, raw: Array("SSH-2.0-squall\r\n\r\n\r\n".utf8))
        ),
        Row(
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
        Row("A plain answer, after all that.", opensAll, "RFC 6455 4.1", plan: OpeningPlan(.opens)),
    ]
}
