import SquallCore

/// A proxy as a request or a file asks for it.
struct ProxySpec: Hashable, Sendable {
    var name: String
    var listen: String
    var upstream: String
    var enabled: Bool
    /// Whether its connections are read as HTTP/1.1 and WebSocket.
    var readsProtocol = false
    /// What TLS of its connections ends here.
    var tls: TLSPlan?
    /// Nil where it names none: what stands is not touched.
    var toxics: [Toxic]?

    /// `place` counts the entries of a list from 1.
    init(_ body: JSON, place: Int? = nil) throws(APIError) {
        do {
            let object = try LooseObject(body, as: "proxy")
            name = try object.text("name") ?? ""
            listen = try object.text("listen") ?? ""
            upstream = try object.text("upstream") ?? ""
            enabled = try object.flag("enabled") ?? true
            let suffix = place.map { " at proxy \($0)" } ?? ""
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

    /// All of a list, or the first error in it.
    static func list(_ body: JSON) throws(APIError) -> [ProxySpec] {
        if body.isNull { return [] }
        guard let entries = body.arrayValue else {
            throw .badRequestBody("json: cannot unmarshal \(body.kindName) into a list of proxies")
        }
        var specs: [ProxySpec] = []
        for (place, entry) in entries.enumerated() { specs.append(try ProxySpec(entry, place: place + 1)) }
        return specs
    }
}

/// What a request changes of a proxy; nil is unchanged.
struct ProxyChange: Hashable, Sendable {
    var listen: String?
    var upstream: String?
    var enabled: Bool?
    var readsProtocol: Bool?
    /// What TLS ends here from now on: `.some(nil)` none.
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
    /// Whether `protocol` says that connections are read; nil where it is not there.
    fileprivate func readsProtocol() throws(BodyError) -> Bool? {
        switch try text("protocol") {
        case nil: nil
        case "http"?: true
        case "tcp"?: false
        case let other?: throw BodyError("protocol is http or tcp, not \(other)")
        }
    }
}
