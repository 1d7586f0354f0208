import Faults
import SquallCore

/// A toxic type (a kind of fault that a proxy can have): its name in the API, its attributes, and the fault that it
/// creates.
///
/// Toxiproxy's own types are listed in ``toxiproxyTypes`` and are parsed as leniently as in Toxiproxy. Every other
/// fault of the catalogue is a type of the same name, with the fault's parameters as attributes; see
/// ``catalogueTypes``.
struct ToxicType: Sendable {
    let name: String
    /// What the type does, as one sentence.
    let meaning: String
    let attributes: [ToxicAttribute]
    /// Creates the fault for one of Toxiproxy's own types, accepting any values; returns nil if the fault has no
    /// effect. The closure itself is nil if the type is a fault in the catalogue.
    private let lenientFault: (@Sendable (ToxicValues, Fault.Stream) -> Fault.Kind?)?

    /// Whether this is one of Toxiproxy's own types, whose stream is `upstream` or `downstream` but never `both`.
    var isClassic: Bool { lenientFault != nil }

    init(
        classic name: String,
        _ meaning: String,
        _ attributes: [ToxicAttribute],
        _ fault: @escaping @Sendable (ToxicValues, Fault.Stream) -> Fault.Kind?
    ) {
        self.name = name
        self.meaning = meaning
        self.attributes = attributes
        lenientFault = fault
    }

    /// Creates the toxic type for the catalogue fault with this name.
    private init(_ name: String) {
        self.name = name
        meaning = Fault.actions.first { $0.verb == name }?.meaning ?? ""
        attributes = (FaultCatalogue.parameters(of: name) ?? []).compactMap { ToxicAttribute($0) }
        lenientFault = nil
    }

    /// The types for the faults that Toxiproxy lacks, named as in scenarios.
    static let catalogueTypes = FaultCatalogue.verbs.filter { verb in !toxiproxyTypes.contains { $0.name == verb } }.map
    { Self($0) }

    private static let types = Dictionary(uniqueKeysWithValues: (toxiproxyTypes + catalogueTypes).map { ($0.name, $0) })

    static func named(_ name: String) -> ToxicType? { types[name] }

    /// Creates the fault; returns nil if the toxic has no effect.
    ///
    /// - Throws: ``InvalidArgument`` if the catalogue's fault does not accept one of the values.
    func fault(_ values: ToxicValues, _ stream: Fault.Stream) throws(InvalidArgument) -> Fault.Kind? {
        if let lenientFault { return lenientFault(values, stream) }
        var arguments: [(name: String, value: ArgumentValue)] = []
        if FaultCatalogue.parameters(of: name)?.contains(where: { $0.name == "stream" }) == true {
            arguments.append(("stream", .text(stream.rawValue)))
        }
        for attribute in attributes {
            if let value = attribute.argument(values[attribute.name]) { arguments.append((attribute.name, value)) }
        }
        return try Fault(verb: name, Arguments(arguments))?.kind
    }
}

/// The attribute values of one toxic: one value for each attribute of its type, in order.
struct ToxicValues: Hashable, Sendable {
    private(set) var members: [JSONMember]

    init(_ type: ToxicType) {
        members = type.attributes.map { JSONMember($0.name, $0.initial) }
    }

    /// Sets the attributes that `json` contains.
    ///
    /// - Throws: ``BodyError`` if one of them has the wrong type, in which case none is set.
    mutating func merge(_ json: JSON?, of type: ToxicType) throws(BodyError) {
        guard let json else { return }
        let object = try LooseObject(json, as: "attributes of \(type.name)")
        var merged = members
        for (index, attribute) in type.attributes.enumerated() {
            if let value = try attribute.read(object) { merged[index].value = value }
        }
        members = merged
    }

    subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

    func integer(_ name: String) -> Int64 { self[name]?.intValue ?? 0 }
    func milliseconds(_ name: String) -> TimeSpan { .milliseconds(integer(name)) }

    static func == (left: ToxicValues, right: ToxicValues) -> Bool {
        JSON.object(left.members) == JSON.object(right.members)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(JSON.object(members)) }
}
