import Faults
import SquallCore

/// A toxic (a fault of a proxy, in Toxiproxy's terms), as represented in the API.
struct Toxic: Hashable, Sendable {
    let name: String
    let type: String
    /// The stream, `upstream`, `downstream` or `both`, in any letter case, as given.
    let stream: String
    /// The fraction of connections that the toxic affects. Toxiproxy's own types accept any number, but values below 0
    /// act as 0 and values above 1 act as 1.
    var toxicity: Float
    var values: ToxicValues
    /// Selects the connections that the toxic affects; nil for all.
    let only: Selector?

    /// Parses a request for a new toxic; `isTaken` returns whether a name is in use.
    ///
    /// - Throws: The error that Toxiproxy would report first: it checks the stream, the type, the name and the
    ///   attributes, in that order.
    init(creating body: JSON, isTaken: (String) -> Bool) throws(APIError) {
        do {
            let object = try LooseObject(body, as: "toxic")
            let given = (
                name: try object.text("name") ?? "", type: try object.text("type") ?? "",
                stream: try object.text("stream") ?? "downstream", toxicity: try object.float("toxicity") ?? 1
            )
            let type = ToxicType.named(given.type)
            guard Self.streams(of: type).contains(given.stream.lowercased()) else { throw APIError.invalidStream }
            guard let type else { throw APIError.invalidToxicType }
            name = given.name.isEmpty ? "\(given.type)_\(given.stream)" : given.name
            guard !isTaken(name) else { throw APIError.toxicAlreadyExists }
            self.type = given.type
            stream = given.stream
            toxicity = given.toxicity
            try type.checkNames(in: object, isNew: true)
            values = ToxicValues(type)
            try values.merge(object["attributes"], of: type)
            only = try object["only"].map { json throws(APIError) in
                do throws(APIError) {
                    return try Selector(json)
                } catch {
                    throw error.inBody
                }
            }
            try type.checkRanges(of: values)
        } catch let error as BodyError {
            throw .badRequestBody(error.message)
        } catch let error as APIError {
            throw error
        } catch {
            throw .badRequestBody("\(error)")
        }
    }

    private static func streams(of type: ToxicType?) -> [String] {
        type?.isClassic == false ? ["upstream", "downstream", "both"] : ["upstream", "downstream"]
    }

    /// Applies the attributes and the toxicity specified in a request; a toxic's other properties cannot be changed.
    ///
    /// - Throws: ``APIError`` if the request is malformed or a value is out of range, in which case nothing changes.
    mutating func update(_ body: JSON) throws(APIError) {
        do {
            let object = try LooseObject(body, as: "toxic")
            let given = try object.float("toxicity")
            if let type = ToxicType.named(type) {
                try type.checkNames(in: object, isNew: false)
                var merged = values
                try merged.merge(object["attributes"], of: type)
                try type.checkRanges(of: merged)
                values = merged
            }
            if let given { toxicity = given }
        } catch {
            throw .badRequestBody(error.message)
        }
    }

    var isUpstream: Bool { stream.lowercased() == "upstream" }

    /// The fault that the toxic represents; nil if the toxic has no effect.
    var fault: Fault? {
        let stream = Fault.Stream(rawValue: stream.lowercased()) ?? .downstream
        // The values were validated when they were parsed.
        guard let kind = try? ToxicType.named(type)?.fault(values, stream) else { return nil }
        let scale: UInt32 = 1 << 24
        let share = Ratio(UInt32((min(max(toxicity, 0), 1) * Float(scale)).rounded()), of: scale) ?? .always
        return Fault(kind, toxicity: share)
    }

    func selects(_ facts: Selector.Facts) -> Bool { only?.selects(facts) != false }

    var json: JSON {
        var json: JSON = [
            "attributes": .object(values.members), "name": .string(name), "type": .string(type),
            "stream": .string(stream), "toxicity": JSON(toxicity),
        ]
        if let only { json.set("only", to: only.source) }
        return json
    }
}

extension JSON {
    /// Creates a number: an integer if `number` is whole, otherwise the shortest decimal that parses to the same value.
    init(_ number: Float) {
        if let whole = Int64(exactly: number) {
            self = .integer(whole)
        } else {
            self = (try? JSON.decode("\(number)")) ?? 0
        }
    }
}
