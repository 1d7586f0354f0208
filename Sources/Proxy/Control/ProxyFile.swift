import SquallCore

/// A configuration file: either Toxiproxy's list of proxies, in which each proxy can also list toxics, or an object
/// with the members `proxies` and `schedules`.
///
/// Requests are parsed leniently, but a file is parsed strictly, because it is written by hand and a misspelt key would
/// otherwise be ignored silently.
package struct ProxyFile: Sendable {
    /// An error in a configuration file. The description begins with the path of the invalid value, as in
    /// `proxies[1].toxics[0]: unknown key 'latancy'`.
    package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    let proxies: [ProxySpec]
    let schedules: [Schedule]

    /// Parses and validates a file.
    ///
    /// - Throws: ``Mistake`` for the first error found.
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
                throw Mistake("schedules: expected a list of schedules, found \(given.kindName)")
            }
            for (index, entry) in entries.enumerated() {
                let path = "schedules[\(index)]"
                do throws(APIError) {
                    schedules.append(try Schedule(entry, at: path))
                } catch {
                    throw Mistake(error.message)
                }
                try Self.refuseDuplicates(schedules.map(\.name), at: path)
            }
        }
        self.schedules = schedules
        guard let entries = list.arrayValue else { throw Mistake("expected a list of proxies, found \(list.kindName)") }
        var specs: [ProxySpec] = []
        for (index, entry) in entries.enumerated() {
            let path = "proxies[\(index)]"
            try Self.refuseUnknown(
                entry,
                ["name", "listen", "upstream", "enabled", "protocol", "tls", "toxics"],
                at: path
            )
            for (index, toxic) in (entry["toxics"]?.arrayValue ?? []).enumerated() {
                let path = "\(path).toxics[\(index)]"
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
            try Self.checkAddresses(of: specs[index], at: path)
            try Self.refuseDuplicates(specs.map(\.name), at: path)
        }
        proxies = specs
        for (index, schedule) in schedules.enumerated() {
            do {
                try schedule.check(knowing: specs.map(\.name), at: "schedules[\(index)]")
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

    /// Throws if the last of `names` also occurs earlier in the list.
    private static func refuseDuplicates(_ names: [String], at path: String) throws(Mistake) {
        guard let last = names.last, names.dropLast().contains(last) else { return }
        throw Mistake("\(path): duplicate name '\(last)'")
    }

    private static func refuseUnknown(_ json: JSON, _ known: [String], at path: String) throws(Mistake) {
        if let key = UnknownKey(in: (json.members ?? []).map(\.name), known: known) {
            throw Mistake("\(path): unknown key '\(key.name)'; \(key.help("known are"))")
        }
    }
}

extension ProxyServer {
    /// Creates the proxies in a file and starts its schedules; stops at the first error.
    ///
    /// - Throws: ``AddressError`` if an address cannot be bound.
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
