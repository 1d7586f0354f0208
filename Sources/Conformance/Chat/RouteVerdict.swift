import ChatWire
import SquallCore
import WebSocketWire

/// What an answer over HTTP says of a chat server.
enum RouteVerdict {
    case right(body: JSON)
    /// Clear enough, and not the protocol's.
    case tolerable(String, body: JSON)
    case wrong(String)

    static func judge(
        _ head: HTTPResponseHead,
        _ body: [UInt8],
        to ask: RouteAsk,
        _ reply: RouteReply,
        _ wire: WireProfile,
        kept: [String: JSON]
    ) -> RouteVerdict {
        let status = head.status
        guard reply.statuses.contains(status) || reply.tolerated.contains(status) else {
            let wanted = reply.statuses.map(String.init).joined(separator: " or ")
            return .wrong("the answer is \(status), where \(wanted) was due")
        }
        let isTolerated = !reply.statuses.contains(status)
        let problem = content(head, body, ask, reply, wire, kept)
        let json = (try? JSON.decode(body)) ?? .null
        switch problem {
        // What a framework says by itself before the server is asked has a body of its own.
        case _? where isTolerated: return .tolerable("the answer is \(status), and not the protocol's", body: json)
        case let problem?: return .wrong("the answer \(status): \(problem)")
        case nil:
            let strict = reply.statuses.map(String.init).joined(separator: " or ")
            return isTolerated
                ? .tolerable("the answer is \(status), where \(strict) says it", body: json) : .right(body: json)
        }
    }

    /// What is wrong behind the status line; nil for nothing.
    private static func content(
        _ head: HTTPResponseHead,
        _ body: [UInt8],
        _ ask: RouteAsk,
        _ reply: RouteReply,
        _ wire: WireProfile,
        _ kept: [String: JSON]
    ) -> String? {
        let json: JSON
        do { json = try JSON.decode(body) } catch { return "the body is no JSON: \(error.message)" }
        if let shape = head.status < 400 ? ask.route.answer : "error",
            let problem = ShapeCheck.problem(json, named: shape, wire)
        {
            return problem
        }
        let type = head.headers["content-type"] ?? ""
        guard type.lowercased().hasPrefix("application/json") else {
            return "content-type is '\(type)' instead of application/json"
        }
        guard head.status < 400 else { return error(head, json, reply, wire) }
        for field in WireField.allCases {
            guard let wanted = reply.fields[field] else { continue }
            let seen = json[wire[field]] ?? .null
            guard wanted.matches(seen, kept) else { return "\(wire[field]) is \(seen)" }
        }
        return reply.listing.flatMap { list(json, $0, wire, kept) }
    }

    private static func error(
        _ head: HTTPResponseHead,
        _ json: JSON,
        _ reply: RouteReply,
        _ wire: WireProfile
    ) -> String? {
        let code = json[wire[.code]]?.stringValue ?? ""
        if let wanted = reply.code, wanted.word != code { return "the code is '\(code)' instead of '\(wanted.word)'" }
        guard let wait = json[wire[.retryAfter]]?.intValue else { return nil }
        let seconds = wait / 1000 + (wait % 1000 > 0 ? 1 : 0)
        guard head.headers["retry-after"] == String(seconds) else {
            return "retry-after is '\(head.headers["retry-after"] ?? "")', and \(wire[.retryAfter]) is \(wait)"
        }
        return nil
    }

    private static func list(
        _ json: JSON,
        _ listing: RouteReply.Listing,
        _ wire: WireProfile,
        _ kept: [String: JSON]
    ) -> String? {
        let name = wire[listing.list]
        let elements = json[name]?.arrayValue ?? []
        func has(_ wanted: [WireField: ChatValue]) -> Bool {
            elements.contains { element in
                wanted.allSatisfy { $0.value.matches(element[wire[$0.key]] ?? .null, kept) }
            }
        }
        func words(_ wanted: [WireField: ChatValue]) -> String {
            WireField.allCases.compactMap { field in wanted[field].map { "\(wire[field]) \($0.resolved(kept))" } }
                .joined(separator: ", ")
        }
        if let most = listing.most, elements.count > most {
            return "\(name) has \(elements.count), and \(most) were asked for"
        }
        if let missing = listing.holding.first(where: { !has($0) }) { return "\(name) lacks \(words(missing))" }
        if let present = listing.lacking.first(where: has) { return "\(name) holds \(words(present))" }
        return nil
    }
}
