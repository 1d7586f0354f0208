import Faults
import SquallCore

/// What toxics of Squall's own types are held to: the registry of faults, as in scenarios.
///
/// A slip that Toxiproxy would overlook does harm here: a `frames` whose `type` is misspelt is for every message. Toxiproxy's own
/// types stay as lenient as Toxiproxy is.
extension ToxicType {
    private static let keys = ["name", "type", "stream", "toxicity", "attributes", "only"]

    /// Refuses what is unknown in a request, what is out of range and, of a new toxic, what is missing.
    func hold(_ toxic: LooseObject, isNew: Bool) throws(BodyError) {
        guard !isClassic else { return }
        try refuseUnknown(toxic.names, among: Self.keys, "a toxic")
        if let toxicity = try toxic.float("toxicity"), !(0...1).contains(toxicity) {
            throw BodyError("toxicity is 0 to 1, not \(toxic["toxicity"]?.description ?? "that")")
        }
        let given = try LooseObject(toxic["attributes"] ?? .null, as: "attributes of \(name)")
        try refuseUnknown(given.names, among: attributes.map(\.name), name)
        let parameters = parameters
        for attribute in attributes {
            guard let parameter = parameters.first(where: { $0.name == attribute.name }) else { continue }
            if let value = try attribute.read(given) {
                try refuseOutOfRange(value, attribute, parameter)
            } else if isNew, parameter.required {
                throw BodyError("\(name) needs '\(attribute.name)': \(parameter.meaning)")
            }
        }
    }

    /// Refuses values that each alone would do, and of which together the registry makes no fault.
    func refuseUnfit(_ values: ToxicValues) throws(BodyError) {
        guard !isClassic, fault(values, .both) == nil else { return }
        throw BodyError("there is no \(name) with these attributes: \(JSON.object(values.members))")
    }

    private func refuseUnknown(_ names: [String], among known: [String], _ owner: String) throws(BodyError) {
        if let key = UnknownKey(in: names, known: known, ignoringCase: true) {
            throw BodyError("\(owner) has no attribute '\(key.name)'; \(key.help("it has"))")
        }
    }

    private func refuseOutOfRange(_ value: JSON, _ attribute: Attribute, _ parameter: Parameter) throws(BodyError) {
        // What GET tells of one that was not given can be given back.
        guard let number = value.intValue, parameter.required || value != attribute.initial else { return }
        let isFit: Bool
        var range: String
        switch parameter.kind {
        case .integer(let numbers):
            isFit = numbers.contains(number) && number >= attribute.least
            range = "\(max(numbers.lowerBound, attribute.least)) to \(numbers.upperBound)"
        case .duration:
            let least = max(0, attribute.least)
            isFit = number >= least
            range = "\(least) or more milliseconds"
        case .word(let words):
            isFit = words.contains("\(number)")
            range = "one of \(words.joined(separator: ", "))"
        default: return
        }
        guard isFit else { throw BodyError("\(attribute.name) is \(range), not \(number)") }
        if name == "frames", attribute.name == "code", !Fault.Frames.canSay(code: number) {
            throw BodyError("code is one that a close frame may carry (RFC 6455 section 7.4), not \(number)")
        }
    }
}
