import Faults
import SquallCore
import WebSocketWire

extension ConformanceCatalogue {
    struct OpeningRow {
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

    static func openings(_ letter: String, _ rows: [OpeningRow], testedRole: WebSocketRole) -> [ConformanceCase] {
        rows.enumerated().map { index, row in
            ConformanceCase(
                "\(letter).\(index + 1)",
                row.title,
                row.allowed,
                row.sections,
                testedRoles: [testedRole],
                plan: .opening(row.plan)
            )
        }
    }

    private static let key = "Sec-WebSocket-Key"
    private static let version = "Sec-WebSocket-Version"
    static let extensions = "Sec-WebSocket-Extensions"

    /// Cases H.1 and following: valid and invalid handshake requests to servers (RFC 6455, section 4.2.1).
    static var openingOfServers: [ConformanceCase] {
        openings("H", goodRequests + offers + badRequests + strangeRequests, testedRole: .server)
    }

    static let opensAll = "The handshake is valid: the connection opens."

    private static let goodRequests = [
        OpeningRow("A plain request.", opensAll, "RFC 6455 4.2.1", plan: OpeningPlan(.opens)),
        OpeningRow("Header names in capitals.", opensAll, "RFC 9110 5.1", plan: OpeningPlan([.capitals], .opens)),
        OpeningRow(
            "Upgrade: Websocket.",
            opensAll,
            "RFC 6455 4.2.1",
            plan: OpeningPlan([.changeCase("Upgrade")], .opens)
        ),
        OpeningRow(
            "Connection: keep-alive, Upgrade.",
            opensAll,
            "RFC 6455 4.2.1",
            "RFC 9110 7.6.1",
            plan: OpeningPlan([.set("Connection", "keep-alive, Upgrade")], .opens)
        ),
        OpeningRow("The request byte by byte.", opensAll, "RFC 9112 2.2", plan: OpeningPlan(.opens, pacing: .chops(1))),
        OpeningRow(
            "Two subprotocols to choose from.",
            "The server selects one of them or none.",
            "RFC 6455 4.2.2",
            plan: OpeningPlan(.opens, subprotocols: ["squall.one", "squall.two"])
        ),
    ]

    /// The extension offers that a server must decline; the connection then opens without an extension.
    private static let offers = [
        "x-squall; mode=1", "permessage-deflate; mode=fast", "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
    ].map { offer in
        OpeningRow(
            "The extension offer \(offer).",
            "No server can agree to it: the connection opens without an extension.",
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
    ) -> OpeningRow {
        let wanted = statuses.sorted().map(String.init).joined(separator: " or ")
        return OpeningRow(
            title,
            "The request is not a valid WebSocket handshake: it is refused, preferably with \(wanted) and never with "
                + "101.",
            section,
            plan: OpeningPlan(changes, .refuses(statuses: statuses))
        )
    }

    private static let badRequests: [OpeningRow] =
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
            OpeningRow(
                "Version \(number).",
                "The request is refused with 426 or 400 and the versions that the server supports.",
                "RFC 6455 4.2.2",
                "RFC 6455 4.4",
                plan: OpeningPlan(
                    [.set(version, number)],
                    .refuses(statuses: [400, 426], header: version, including: "13")
                )
            )
        }

    static func informational(_ title: String, _ why: String, _ section: String, plan: OpeningPlan) -> OpeningRow {
        OpeningRow(title, why, section, plan: plan)
    }

    private static let strangeRequests = [
        informational(
            "A header of 100 KB.",
            "The limit on a request's size is up to the server, which may answer 431.",
            "RFC 6585 5",
            plan: OpeningPlan([.add("X-Long", String(repeating: "a", count: 100_000))], .informational)
        ),
        informational(
            "A frame after the request, before its response.",
            "A client must wait for the response. How a server treats one that does not is left open.",
            "RFC 6455 4.1",
            plan: OpeningPlan(.informational, early: "too early")
        ),
        informational(
            "An offer that is not a valid list of extensions.",
            "The server may refuse the handshake or ignore the header.",
            "RFC 6455 9.1",
            plan: OpeningPlan([.add(extensions, "permessage-deflate; ;")], .informational)
        ),
        informational(
            "Half a request, then a reset.",
            "No answer is possible. The next case tests whether the server still works.",
            "RFC 9112 9.6",
            plan: OpeningPlan(.informational, raw: Array("GET / HTTP/1.1\r\nHost: squall\r\nUpg".utf8), ending: .rst)
        ),
        informational(
            "Half a request, then the end of the stream.",
            "The server answers 400 or ends the connection too.",
            "RFC 9112 8",
            plan: OpeningPlan(.informational, raw: Array("GET / HTTP/1.1\r\nHost: squall\r\nUpg".utf8), ending: .fin)
        ),
        OpeningRow(
            "A plain request, after the cases before it.",
            opensAll,
            "RFC 6455 4.2.1",
            plan: OpeningPlan(.opens)
        ),
    ]
}
