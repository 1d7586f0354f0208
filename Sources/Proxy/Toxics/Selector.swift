import SquallCore
import WebSocketWire

/// Which connections a toxic is for; what is not named does not matter.
struct Selector: Hashable, Sendable {
    /// What is known of a connection when it is asked for.
    struct Facts {
        var number: Int
        var client: SystemAddress
        /// The first request; nil where it is not known, or none.
        var request: HTTPRequestHead?
        /// The host that its TLS hello names, in lower case; nil where it is not known, or none.
        var serverName: String?
    }

    /// These of the proxy's connections, counted from 1.
    let numbers: [Int64]?
    /// Each n-th of them.
    let every: Int64?
    /// The client's address, as `127.0.0.1:53402`, begins so.
    let client: String?
    /// The path of the first request; with a star at its end, how it begins.
    let path: String?
    /// A header of the first request, and what it contains.
    let header: (name: String, contains: String)?
    /// The host that the client's TLS hello names (SNI), in lower case; with `*.` in front, every host below it.
    let serverName: String?
    let source: JSON

    init(_ json: JSON) throws(APIError) {
        let object = try StrictObject(
            json,
            at: "only",
            known: ["connections", "every", "client", "path", "header", "server_name"]
        )
        if let list = try object.list("connections") {
            numbers = list.compactMap(\.intValue)
            guard numbers?.count == list.count else { throw APIError("only.connections: numbers are wanted", 400) }
        } else {
            numbers = nil
        }
        every = try object.number("every", atLeast: 1)
        client = try object.text("client")
        path = try object.text("path")
        serverName = try object.text("server_name")?.lowercased()
        if let header = object["header"] {
            let fields = try StrictObject(header, at: "only.header", known: ["name", "contains"])
            self.header = (try fields.need(text: "name"), try fields.text("contains") ?? "")
        } else {
            header = nil
        }
        source = json
    }

    /// Whether the first request must be read before it can be said.
    var needsRequest: Bool { path != nil || header != nil }

    /// Whether the client's hello must be read before it can be said.
    var needsHello: Bool { serverName != nil }

    func selects(_ facts: Facts) -> Bool {
        if let numbers, !numbers.contains(Int64(facts.number)) { return false }
        if let every, Int64(facts.number) % every != 0 { return false }
        if let client, !facts.client.description.hasPrefix(client) { return false }
        if let serverName {
            guard let named = facts.serverName else { return false }
            if serverName.hasPrefix("*.") ? !named.hasSuffix(serverName.dropFirst()) : named != serverName {
                return false
            }
        }
        guard needsRequest else { return true }
        guard let request = facts.request else { return false }
        if let path {
            let target = request.target.prefix { $0 != "?" }
            if path.hasSuffix("*") ? !target.hasPrefix(path.dropLast()) : target != path { return false }
        }
        if let header {
            let values = request.headers.values(of: header.name)
            if !values.contains(where: { header.contains.isEmpty || $0.contains(header.contains) }) { return false }
        }
        return true
    }

    static func == (left: Selector, right: Selector) -> Bool { left.source == right.source }
    func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
