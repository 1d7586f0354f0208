import SquallCore

/// The specification of a proxy, read from a request or a file.
struct ProxySpec: Hashable, Sendable {
    var name: String
    var listen: String
    var upstream: String
    var enabled: Bool
    /// Whether connections are parsed as HTTP/1.1 and WebSocket.
    var readsProtocol = false
    /// The plan for terminating or originating TLS; nil if TLS passes through.
    var tls: TLSPlan?
    /// The proxy's toxics; nil if `toxics` is missing, in which case an existing proxy that is otherwise unchanged
    /// keeps its toxics.
    var toxics: [Toxic]?

    /// Parses a proxy's JSON; `index` is its position in a list, counted from 1, for error messages.
    ///
    /// - Throws: ``APIError`` for the first error found.
    init(_ body: JSON, index: Int? = nil) throws(APIError) {
        do {
            let object = try LooseObject(body, as: "proxy")
            name = try object.text("name") ?? ""
            listen = try object.text("listen") ?? ""
            upstream = try object.text("upstream") ?? ""
            enabled = try object.flag("enabled") ?? true
            let suffix = index.map { " at proxy \($0)" } ?? ""
            guard !name.isEmpty else { throw APIError.missingField("name\(suffix)") }
            guard !upstream.isEmpty else { throw APIError.missingField("upstream\(suffix)") }
            readsProtocol = try object.readsProtocol() ?? false
            tls = try object["tls"].flatMap { json throws(APIError) in try TLSPlan(json) }
            guard let given = object["toxics"] else { return }
            guard let list = given.arrayValue else {
                throw BodyError("json: cannot unmarshal \(given.kindName) into field toxics")
            }
            var made: [Toxic] = []
            for entry in list {
                made.append(try Toxic(creating: entry) { name in made.contains { $0.name == name } })
            }
            toxics = made
        } catch let error as BodyError {
            throw .badRequestBody(error.message)
        } catch let error as APIError {
            throw error
        } catch {
            throw .badRequestBody("\(error)")
        }
    }

    /// Parses a list of proxies.
    ///
    /// - Throws: ``APIError`` for the first error found.
    static func list(_ body: JSON) throws(APIError) -> [ProxySpec] {
        if body.isNull { return [] }
        guard let entries = body.arrayValue else {
            throw .badRequestBody("json: cannot unmarshal \(body.kindName) into a list of proxies")
        }
        var specs: [ProxySpec] = []
        for (index, entry) in entries.enumerated() { specs.append(try ProxySpec(entry, index: index + 1)) }
        return specs
    }
}

/// The changes that a request makes to a proxy. A nil property stays unchanged.
struct ProxyChange: Hashable, Sendable {
    var listen: String?
    var upstream: String?
    var enabled: Bool?
    var readsProtocol: Bool?
    /// The new TLS plan; `.some(nil)` removes it.
    var tls: TLSPlan??

    init(_ body: JSON) throws(APIError) {
        do {
            let object = try LooseObject(body, as: "proxy")
            listen = try object.text("listen")
            upstream = try object.text("upstream")
            enabled = try object.flag("enabled")
            readsProtocol = try object.readsProtocol()
            tls = try object["tls"].map { json throws(APIError) in try TLSPlan(json) }
        } catch let error as BodyError {
            throw .badRequestBody(error.message)
        } catch let error as APIError {
            throw error
        } catch {
            throw .badRequestBody("\(error)")
        }
    }
}

extension LooseObject {
    /// Parses the `protocol` member: returns true for `http`, false for `tcp`, and nil if it is missing.
    fileprivate func readsProtocol() throws(BodyError) -> Bool? {
        switch try text("protocol") {
        case nil: nil
        case "http"?: true
        case "tcp"?: false
        case let other?: throw BodyError("protocol must be http or tcp, not \(other)")
        }
    }
}
