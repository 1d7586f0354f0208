import ChatWire
import SquallCore

/// The R cases, which test a server's HTTP responses. They are generated from the tables of routes, objects and
/// statuses.
extension ChatCatalogue {
    static func routes(_ target: ChatTarget) -> [ChatCase] {
        RouteKind.tested.enumerated().flatMap { place, kind in generalCases(kind, place + 1, target) }
            + sendingOverHTTP(target) + pages(target) + reading(target) + uploads(target) + deletions(target)
    }

    static func route(
        _ id: String,
        _ title: String,
        _ allowed: String,
        _ what: String,
        isInformational: Bool = false,
        needs: Set<ChatNeed> = [],
        _ steps: [ChatStep]
    ) -> ChatCase {
        ChatCase(id, title, allowed, what, isInformational: isInformational, needs: needs, steps)
    }

    /// Returns a valid request to the route.
    static func ask(_ kind: RouteKind, _ target: ChatTarget, id: String) -> RouteRequest {
        RouteRequest(kind, segment(kind, target, id), body: body(kind, target, id))
    }

    private static func segment(_ kind: RouteKind, _ target: ChatTarget, _ id: String) -> String {
        switch kind.placeholder {
        case "{conversation}"?: target.conversation
        case .some: messageID(target, id)
        case nil: ""
        }
    }

    private static func body(_ kind: RouteKind, _ target: ChatTarget, _ id: String) -> RouteRequest.Body {
        guard let shape = shape(kind) else { return ["POST", "PUT"].contains(kind.method) ? .filler(64) : .none }
        return .object(values(shape, target, id))
    }

    static func shape(_ kind: RouteKind) -> ObjectShape? { ObjectShape.all.first { $0.name == kind.body } }

    private static func values(_ shape: ObjectShape, _ target: ChatTarget, _ id: String) -> [WireField: ChatValue] {
        var values = Dictionary(
            uniqueKeysWithValues: shape.testedFields.map { ($0.field, ChatValue.exactly(value(of: $0, target))) }
        )
        if values[.clientMessageID] != nil { values[.clientMessageID] = .exactly(.string(messageID(target, id))) }
        return values
    }

    /// Returns the expected reply to a valid request.
    private static func expectedReply(_ kind: RouteKind) -> RouteReply {
        RouteReply(kind.method == "POST" ? [200, 201] : [200])
    }

    /// Returns test cases R.1 to R.7 for one route.
    private static func generalCases(_ kind: RouteKind, _ place: Int, _ target: ChatTarget) -> [ChatCase] {
        let (name, where_) = (kind.rawValue, "route \(kind.rawValue)")
        let refused =
            kind.needsKey
            ? (RouteReply([401], code: .notAuthenticated), "401 with the error not_authenticated.")
            : (expectedReply(kind), "The normal response: this route needs no key.")
        func wrong(
            _ number: Int,
            _ title: String,
            _ allowed: String,
            _ reply: RouteReply,
            _ change: (inout RouteRequest) -> Void
        )
            -> ChatCase
        {
            var wrong = ask(kind, target, id: "R.\(number).\(place)")
            change(&wrong)
            return route("R.\(number).\(place)", "\(name) \(title).", allowed, where_, [.ask(wrong, reply)])
        }
        let right = ask(kind, target, id: "R.1.\(place)")
        return [
            route(
                "R.1.\(place)",
                "A valid \(name) request.",
                "\(kind.method == "POST" ? "200 or 201" : "200"), with the body that the protocol's table gives.",
                where_,
                [.ask(right, expectedReply(kind))]
            ),
            wrong(2, "without a key", refused.1, refused.0) { $0.key = .none },
            wrong(3, "with a wrong key", refused.1, refused.0) { $0.key = .wrong },
            wrong(
                4,
                "with a method that the path does not have",
                "404; 405 is also acceptable.",
                RouteReply([404], tolerated: [405, 501])
            ) {
                $0.method = "PATCH"
            },
            // One additional segment would not be enough, because a server may have such a route.
            wrong(5, "with two additional path segments", "404: there is no such route.", RouteReply([404])) {
                $0.suffix = "/squall/nowhere"
            },
        ] + bodies(kind, place, target)
    }

    /// Returns test cases R.6 and R.7 (invalid bodies and unknown fields) for one route.
    private static func bodies(_ kind: RouteKind, _ place: Int, _ target: ChatTarget) -> [ChatCase] {
        guard let shape = shape(kind) else { return [] }
        var rows: [(title: String, body: RouteRequest.Body)] = [
            ("an empty body", .text("")), ("a body that is not JSON", .text("squall")), ("an array", .text("[]")),
            ("a truncated object", .text("{")),
        ]
        for field in shape.testedFields {
            let name = target.wire[field.field]
            var (without, wrongly) = (values(shape, target, "R.6"), values(shape, target, "R.6"))
            without[field.field] = nil
            wrongly[field.field] = .exactly(wrong(field.kind))
            if field.required { rows.append(("no \(name)", .object(without))) }
            rows.append(("\(name) of the wrong kind", .object(wrongly)))
        }
        var known = ask(kind, target, id: "R.7.\(place)")
        known.body = .object(values(shape, target, "R.7.\(place)"), extra: true)
        return rows.enumerated().map { index, row in
            var bad = ask(kind, target, id: "R.6")
            bad.body = row.body
            return route(
                "R.6.\(place).\(index + 1)",
                "\(kind.rawValue) with \(row.title).",
                "400 with the error malformed.",
                "statuses",
                [.ask(bad, RouteReply([400], tolerated: [422], code: .malformed))]
            )
        } + [
            route(
                "R.7.\(place)",
                "\(kind.rawValue) with a field that the protocol does not define.",
                "The field is ignored.",
                "rule 4",
                [.ask(known, expectedReply(kind))]
            )
        ]
    }
}
