import SquallCore
import WebSocketWire

/// Selects the connections that a toxic (a fault of a proxy) affects: those that meet all the conditions.
///
/// A condition that is nil is always met.
struct Selector: Hashable, Sendable {
    /// The facts about a connection that the conditions are evaluated against.
    struct Facts {
        var number: Int
        var client: SystemAddress
        /// The first request; nil if there is none or it has not been parsed yet.
        var request: HTTPRequestHead?
        /// The host that the ClientHello names, in lower case; nil if it names none or has not been read yet.
        var serverName: String?
    }

    /// Selects the connections with these numbers, counted from 1 within the proxy.
    let numbers: [Int64]?
    /// Selects each connection whose number is a multiple of this value.
    let every: Int64?
    /// Selects the clients whose address, such as `127.0.0.1:53402`, has this prefix.
    let client: String?
    /// The path of the first request, without the query; a trailing `*` matches any path with that prefix.
    let path: String?
    /// The name of a header field in the first request, and a substring of its value.
    let header: (name: String, contains: String)?
    /// The host that the ClientHello names (SNI), in lower case; a leading `*.` matches all subdomains.
    let serverName: String?
    /// The selector in JSON, as given.
    let source: JSON

    init(_ json: JSON) throws(APIError) {
        let object = try StrictObject(
            json,
            at: "only",
            known: ["connections", "every", "client", "path", "header", "server_name"]
        )
        if let list = try object.list("connections") {
            numbers = list.compactMap(\.intValue)
            guard numbers?.count == list.count else {
                throw APIError("only.connections must be a list of numbers", 400)
            }
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

    /// Whether the first request must be read to decide whether the connection is selected.
    var needsRequest: Bool { path != nil || header != nil }

    /// Whether the ClientHello must be read to decide whether the connection is selected.
    var needsHello: Bool { serverName != nil }

    func selects(_ facts: Facts) -> Bool {
        if let numbers, !numbers.contains(Int64(facts.number)) { return false }
        if let every, Int64(facts.number) % every != 0 { return false }
        if let client, !facts.client.description.hasPrefix(client) { return false }
        if let serverName {
            guard let host = facts.serverName else { return false }
            if serverName.hasPrefix("*.") ? !host.hasSuffix(serverName.dropFirst()) : host != serverName {
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
