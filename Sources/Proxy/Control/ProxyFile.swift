import SquallCore

/// A file of proxies: Toxiproxy's list, whose entries may name toxics too, or an object of such a list and of schedules.
///
/// Read strictly, unlike requests: a file is written by hand, and what is misspelt in it would silently not happen.
package struct ProxyFile: Sendable {
    /// What is wrong with a file, and where: `proxies[1].toxics[0]: unknown key 'latancy'`.
    package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    let proxies: [ProxySpec]
    let schedules: [Schedule]

    package init(_ text: [UInt8]) throws(Mistake) {
        let json: JSON
        do {
            json = try JSON.decode(text)
        } catch {
            throw Mistake("not JSON: \(error.message)")
        }
        var list = json
        var schedules: [Schedule] = []
        if json.members != nil {
            try Self.refuseUnknown(json, ["proxies", "schedules"], at: "the file")
            list = json["proxies"] ?? []
            let given = json["schedules"] ?? []
            guard let entries = given.arrayValue else {
                throw Mistake("schedules: a list of schedules is wanted, not \(given.kindName)")
            }
            for (place, entry) in entries.enumerated() {
                let path = "schedules[\(place)]"
                do throws(APIError) {
                    schedules.append(try Schedule(entry, at: path))
                } catch {
                    throw Mistake(error.message)
                }
                try Self.refuseDuplicates(schedules.map(\.name), at: path)
            }
        }
        self.schedules = schedules
        guard let entries = list.arrayValue else { throw Mistake("a list of proxies is wanted, not \(list.kindName)") }
        var specs: [ProxySpec] = []
        for (place, entry) in entries.enumerated() {
            let path = "proxies[\(place)]"
            try Self.refuseUnknown(
                entry,
                ["name", "listen", "upstream", "enabled", "protocol", "tls", "toxics"],
                at: path
            )
            for (place, toxic) in (entry["toxics"]?.arrayValue ?? []).enumerated() {
                let path = "\(path).toxics[\(place)]"
                try Self.refuseUnknown(toxic, ["name", "type", "stream", "toxicity", "attributes", "only"], at: path)
                if let type = toxic["type"]?.stringValue.flatMap(ToxicType.named), let attributes = toxic["attributes"]
                {
                    try Self.refuseUnknown(attributes, type.attributes.map(\.name), at: "\(path).attributes")
                }
                do {
                    _ = try Toxic(creating: toxic) { _ in false }
                } catch {
                    throw Mistake("\(path): \(error.reason)")
                }
            }
            do throws(APIError) {
                specs.append(try ProxySpec(entry))
            } catch {
                throw Mistake("\(path): \(error.reason)")
            }
            try Self.checkAddresses(of: specs[place], at: path)
            try Self.refuseDuplicates(specs.map(\.name), at: path)
        }
        proxies = specs
        for (place, schedule) in schedules.enumerated() {
            do {
                try schedule.check(knowing: specs.map(\.name), at: "schedules[\(place)]")
            } catch {
                throw Mistake(error.message)
            }
        }
    }

    private static func checkAddresses(of spec: ProxySpec, at path: String) throws(Mistake) {
        do {
            _ = try Endpoint(spec.listen)
        } catch {
            throw Mistake("\(path).listen: \(error)")
        }
        if let why = Endpoint.whyUnreachable(spec.upstream) { throw Mistake("\(path).upstream: \(why)") }
    }

    /// Refuses the last of these names where another before it is the same.
    private static func refuseDuplicates(_ names: [String], at path: String) throws(Mistake) {
        guard let last = names.last, names.dropLast().contains(last) else { return }
        throw Mistake("\(path): the name '\(last)' stands there twice")
    }

    private static func refuseUnknown(_ json: JSON, _ known: [String], at path: String) throws(Mistake) {
        if let key = UnknownKey(in: (json.members ?? []).map(\.name), known: known) {
            throw Mistake("\(path): unknown key '\(key.name)'; \(key.help("known are"))")
        }
    }
}

extension ProxyServer {
    /// Makes what the file asks for; the first address that cannot be had ends it.
    package func load(_ file: ProxyFile) throws(AddressError) {
        for spec in file.proxies {
            do {
                _ = try createOrReplace(spec)
            } catch {
                throw AddressError("proxy \(spec.name): \(error.message)")
            }
        }
        for schedule in file.schedules { schedules?.begin(schedule) }
    }
}
