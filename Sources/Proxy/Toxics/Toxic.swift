import Faults
import SquallCore

/// A toxic as the API tells of it.
struct Toxic: Hashable, Sendable {
    let name: String
    let type: String
    /// As it was given: letters of any case.
    let stream: String
    /// The share of connections that it hits; of Toxiproxy's types any number is taken, and what lies outside 0 to 1 is as good as
    /// the nearest.
    var toxicity: Float
    var values: ToxicValues
    /// Which connections it is for; nil: all.
    let only: Selector?

    /// Reads a request in Toxiproxy's order: stream, type, name, attributes.
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
            try type.hold(object, isNew: true)
            values = ToxicValues(type)
            try values.merge(object["attributes"], of: type)
            only = try object["only"].map { json throws(APIError) in try Selector(json) }
            try type.refuseUnfit(values)
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

    /// Only attributes and toxicity can change.
    mutating func update(_ body: JSON) throws(APIError) {
        do {
            let object = try LooseObject(body, as: "toxic")
            let given = try object.float("toxicity")
            if let type = ToxicType.named(type) {
                try type.hold(object, isNew: false)
                var merged = values
                try merged.merge(object["attributes"], of: type)
                try type.refuseUnfit(merged)
                values = merged
            }
            if let given { toxicity = given }
        } catch {
            throw .badRequestBody(error.message)
        }
    }

    var isUpstream: Bool { stream.lowercased() == "upstream" }

    /// Nil: it does nothing to anybody.
    var fault: Fault? {
        let stream = Fault.Stream(rawValue: stream.lowercased()) ?? .downstream
        guard let kind = ToxicType.named(type)?.fault(values, stream) else { return nil }
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
    /// A whole number without a point, any other as short as can be.
    init(_ number: Float) {
        if let whole = Int64(exactly: number) {
            self = .integer(whole)
        } else {
            self = (try? JSON.decode("\(number)")) ?? 0
        }
    }
}
