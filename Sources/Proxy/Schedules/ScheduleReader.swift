import SquallCore

/// Parses the steps of a schedule from JSON.
enum ScheduleReader {
    private static let operations = ["add", "update", "remove", "enable", "disable", "reset"]

    static func step(_ json: JSON, at path: String) throws(APIError) -> Schedule.Step {
        let object = try StrictObject(json, at: path, known: ["at", "on", "after", "every", "for"] + operations)
        let verbs = operations.filter { object[$0] != nil }
        guard verbs.count == 1, let verb = verbs.first, let argument = object[verb] else {
            throw APIError("\(path): expected exactly one of \(operations.joined(separator: ", "))", 400)
        }
        let operation = try operation(verb, argument, lasting: try object.milliseconds("for"), at: "\(path).\(verb)")
        let every = try object.number("every", atLeast: 1).map { TimeSpan.milliseconds($0) }
        if let on = object["on"] {
            guard object["at"] == nil else { throw APIError("\(path): 'at' and 'on' cannot be combined", 400) }
            let after = try object.milliseconds("after") ?? .zero
            return Schedule.Step(
                anchor: try anchor(on, at: "\(path).on"),
                after: after,
                every: every,
                operation: operation
            )
        }
        guard object["after"] == nil else {
            throw APIError("\(path): 'after' is allowed with 'on' only; use 'at'", 400)
        }
        return Schedule.Step(
            anchor: nil,
            after: try object.milliseconds("at") ?? .zero,
            every: every,
            operation: operation
        )
    }

    private static func anchor(_ json: JSON, at path: String) throws(APIError) -> Schedule.Anchor {
        if let event = json.stringValue { return Schedule.Anchor(event: try known(event, at: path), nth: 1) }
        let object = try StrictObject(json, at: path, known: ["event", "proxy", "link", "nth"])
        return Schedule.Anchor(
            event: try known(try object.need(text: "event"), at: "\(path).event"),
            proxy: try object.text("proxy"),
            link: try object.number("link", atLeast: 1),
            nth: try object.number("nth", atLeast: 1) ?? 1
        )
    }

    /// Returns `event` unchanged if it names a known event. A step that waits for an unknown event would never run.
    ///
    /// - Throws: ``APIError`` if there is no such event.
    private static func known(_ event: String, at path: String) throws(APIError) -> String {
        guard let unknown = UnknownKey(in: [event], known: ProxyEventEntry.all.map(\.name)) else { return event }
        throw APIError("\(path): unknown event '\(event)'; \(unknown.help("known are"))", 400)
    }

    private static func operation(
        _ verb: String,
        _ json: JSON,
        lasting: TimeSpan?,
        at path: String
    ) throws(APIError) -> Schedule.ScheduledOperation {
        if verb != "add", lasting != nil { throw APIError("\(path): 'for' is allowed with 'add' only", 400) }
        switch verb {
        case "add":
            let object = try StrictObject(json, at: path, known: ["proxy", "toxic"])
            let proxy = try object.need(text: "proxy")
            guard let toxic = object["toxic"] else { throw APIError("\(path).toxic: expected a toxic", 400) }
            // Reject an invalid toxic now rather than when the step is due.
            _ = try Toxic(creating: toxic) { _ in false }
            return .add(proxy: proxy, toxic: toxic, lasting: lasting)
        case "update":
            let object = try StrictObject(json, at: path, known: ["proxy", "toxic", "attributes", "toxicity"])
            let members = [("attributes", object["attributes"]), ("toxicity", object["toxicity"])]
            let change = JSON.object(members.compactMap { name, value in value.map { JSONMember(name, $0) } })
            return .update(
                proxy: try object.need(text: "proxy"),
                toxic: try object.need(text: "toxic"),
                change: change
            )
        case "remove":
            let object = try StrictObject(json, at: path, known: ["proxy", "toxic"])
            return .remove(proxy: try object.need(text: "proxy"), toxic: try object.need(text: "toxic"))
        case "reset":
            guard json.boolValue == true else { throw APIError("\(path): expected true", 400) }
            return .reset
        default:
            guard let proxy = json.stringValue else { throw APIError("\(path): expected a proxy's name", 400) }
            return verb == "enable" ? .enable(proxy: proxy) : .disable(proxy: proxy)
        }
    }
}
