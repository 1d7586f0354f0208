import Faults
import SquallCore

/// Validates requests for toxics whose type is a fault in Squall's catalogue rather than one of Toxiproxy's own.
///
/// Toxiproxy's own types are parsed as leniently as in Toxiproxy, all others as strictly as scenarios. Ignoring an
/// error as Toxiproxy does would be harmful: a `frames` toxic whose `type` is misspelt would affect every message.
extension ToxicType {
    private static let keys = ["name", "type", "stream", "toxicity", "attributes", "only"]

    /// Checks the names in a request and, for a new toxic, that no required attribute is missing.
    ///
    /// - Throws: ``BodyError`` if a name is unknown, the toxicity is out of range, or a required attribute of a new
    ///   toxic is missing.
    func checkNames(in toxic: LooseObject, isNew: Bool) throws(BodyError) {
        guard !isClassic else { return }
        try refuseUnknown(toxic.names, among: Self.keys, "a toxic")
        if let toxicity = try toxic.float("toxicity"), !(0...1).contains(toxicity) {
            throw BodyError("toxicity must be from 0 to 1, not \(toxic["toxicity"]?.description ?? "that")")
        }
        let given = try LooseObject(toxic["attributes"] ?? .null, as: "attributes of \(name)")
        try refuseUnknown(given.names, among: attributes.map(\.name), name)
        guard isNew else { return }
        for attribute in attributes {
            guard let parameter = attribute.parameter, parameter.isRequired, try attribute.read(given) == nil else {
                continue
            }
            throw BodyError("\(name) needs '\(parameter.name)': \(parameter.meaning)")
        }
    }

    /// Checks the values of all attributes.
    ///
    /// - Throws: ``BodyError`` if a value is out of range.
    func checkRanges(of values: ToxicValues) throws(BodyError) {
        do {
            _ = try fault(values, .both)
        } catch {
            var range = error.range
            if case .durations(let least)? = attributes.first(where: { $0.name == error.name })?.parameter?.values {
                range = "\(least.nanoseconds / 1_000_000) or more milliseconds"
            }
            throw BodyError("\(error.name) is \(range), not \(values[error.name] ?? .null)")
        }
    }

    private func refuseUnknown(_ names: [String], among known: [String], _ owner: String) throws(BodyError) {
        if let key = UnknownKey(in: names, known: known, ignoringCase: true) {
            throw BodyError("\(owner) has no attribute '\(key.name)'; \(key.help("it has"))")
        }
    }
}
