import ChatWire
import SquallCore
import WebSocketWire

/// The verdict on an HTTP response from a chat server.
enum RouteVerdict {
    case right(body: JSON)
    /// The response is not what the protocol specifies, but its meaning is clear.
    case nonStrict(String, body: JSON)
    case wrong(String)

    static func judge(
        _ head: HTTPResponseHead,
        _ body: [UInt8],
        to ask: RouteRequest,
        _ reply: RouteReply,
        of target: ChatTarget,
        saved: [String: JSON]
    ) -> RouteVerdict {
        let status = head.status
        guard reply.statuses.contains(status) || reply.tolerated.contains(status) else {
            let wanted = reply.statuses.map(String.init).joined(separator: " or ")
            return .wrong("the response is \(status) instead of \(wanted)")
        }
        let isTolerated = !reply.statuses.contains(status)
        let problem = content(head, body, ask, reply, target, saved)
        let json = (try? JSON.decode(body)) ?? .null
        switch problem {
        // If a framework rejects a request before it reaches the server's own code, the framework determines the
        // response body.
        case _? where isTolerated:
            return .nonStrict("the response is \(status), which the protocol does not specify", body: json)
        case let problem?: return .wrong("the response \(status): \(problem)")
        case nil:
            let strict = reply.statuses.map(String.init).joined(separator: " or ")
            return isTolerated
                ? .nonStrict("the response is \(status), preferably \(strict)", body: json) : .right(body: json)
        }
    }

    /// Returns a description of what is wrong with the headers or the body, or nil if both are valid.
    private static func content(
        _ head: HTTPResponseHead,
        _ body: [UInt8],
        _ ask: RouteRequest,
        _ reply: RouteReply,
        _ target: ChatTarget,
        _ saved: [String: JSON]
    ) -> String? {
        let wire = target.wire
        let json: JSON
        do { json = try JSON.decode(body) } catch { return "the body is not JSON: \(error.message)" }
        if let shape = head.status < 400 ? ask.route.answer : "error",
            let problem = ShapeCheck.problem(json, named: shape, wire)
        {
            return problem
        }
        if let problem = disorder(of: json[wire[.messages]]?.arrayValue ?? [], target) { return problem }
        let type = head.headers["content-type"] ?? ""
        guard type.lowercased().hasPrefix("application/json") else {
            return "content-type is '\(type)' instead of application/json"
        }
        guard head.status < 400 else { return error(head, json, reply, wire) }
        for field in WireField.allCases {
            guard let wanted = reply.fields[field] else { continue }
            let seen = json[wire[field]] ?? .null
            guard wanted.matches(seen, saved) else { return "\(wire[field]) is \(seen)" }
        }
        return reply.listing.flatMap { list(json, $0, wire, saved) }
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
            return "retry-after is '\(head.headers["retry-after"] ?? "")', but \(wire[.retryAfter]) is \(wait)"
        }
        return nil
    }

    private static func list(
        _ json: JSON,
        _ listing: RouteReply.Listing,
        _ wire: WireProfile,
        _ saved: [String: JSON]
    ) -> String? {
        let name = wire[listing.list]
        let elements = json[name]?.arrayValue ?? []
        func has(_ wanted: [WireField: ChatValue]) -> Bool { element(elements, wanted, wire, saved) != nil }
        func words(_ wanted: [WireField: ChatValue]) -> String {
            WireField.allCases.compactMap { field in wanted[field].map { "\(wire[field]) \($0.resolved(saved))" } }
                .joined(separator: ", ")
        }
        if let most = listing.most, elements.count > most {
            return "\(name) has \(elements.count) elements, but at most \(most) were requested"
        }
        if let missing = listing.including.first(where: { !has($0) }) { return "\(name) lacks \(words(missing))" }
        if let present = listing.excluding.first(where: has) { return "\(name) contains \(words(present))" }
        return nil
    }

    /// Describes how the order of a page's messages violates rule 7 of the protocol; nil if it does not.
    private static func disorder(of messages: [JSON], _ target: ChatTarget) -> String? {
        let wire = target.wire
        func isDeleted(_ message: JSON) -> Bool { message[wire[.isDeleted]]?.boolValue == true }
        func isAscending(_ messages: [JSON]) -> Bool {
            let places = messages.compactMap { $0[wire[.sequence]]?.intValue }
            return zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
        }
        guard target.listsDeletedLast else {
            return isAscending(messages) ? nil : "the messages are not in ascending order of \(wire[.sequence])"
        }
        let deleted = messages.filter(isDeleted)
        guard messages.suffix(deleted.count).allSatisfy(isDeleted) else {
            return "the deleted messages are not after all others"
        }
        guard isAscending(messages.dropLast(deleted.count)), isAscending(deleted) else {
            return "the deleted messages, or the others, are not in ascending order of \(wire[.sequence])"
        }
        return nil
    }

    /// Returns the values that the listing saves from the element that matches the first entry of `including`.
    static func values(savedBy listing: RouteReply.Listing, in json: JSON, _ wire: WireProfile, _ saved: [String: JSON])
        -> [String: JSON]
    {
        let elements = json[wire[listing.list]]?.arrayValue ?? []
        let found = listing.including.first.flatMap { element(elements, $0, wire, saved) }
        return Dictionary(uniqueKeysWithValues: listing.saves.map { ($0.value, found?[wire[$0.key]] ?? .null) })
    }

    private static func element(
        _ elements: [JSON],
        _ wanted: [WireField: ChatValue],
        _ wire: WireProfile,
        _ saved: [String: JSON]
    ) -> JSON? {
        elements.first { element in
            wanted.allSatisfy { $0.value.matches(element[wire[$0.key]] ?? .null, saved) }
        }
    }
}
