import Faults
import SquallCore

/// A kind of toxic: what it is called in the API, what it can be told, and the fault that it is.
struct ToxicType: Sendable {
    struct Attribute: Sendable {
        enum Kind: Sendable {
            case integer
            /// One of these; the first is the default.
            case word([String])
            case text
        }

        var name: String
        var kind: Kind
        /// Of an integer that is not given.
        var number: Int64 = 0
        /// Of an integer, where the registry's parameter would take less.
        var least = Int64.min

        static func integer(_ name: String, or number: Int64 = 0, atLeast least: Int64 = .min) -> Attribute {
            Attribute(name: name, kind: .integer, number: number, least: least)
        }
        static func text(_ name: String) -> Attribute { Attribute(name: name, kind: .text) }
        static func word<Word: RawRepresentable<String> & CaseIterable>(
            _ name: String,
            _ type: Word.Type,
            first: Word
        ) -> Attribute {
            let others = type.allCases.map(\.rawValue).filter { $0 != first.rawValue }
            return Attribute(name: name, kind: .word([first.rawValue] + others))
        }

        var initial: JSON {
            switch kind {
            case .integer: .integer(number)
            case .word(let words): .string(words.first ?? "")
            case .text: ""
            }
        }

        /// As Go's decoder would take it: whole numbers only, and none of them written with a point.
        func read(_ object: LooseObject) throws(BodyError) -> JSON? {
            switch kind {
            case .integer: return try object.integer(name).map { .integer($0) }
            case .text: return try object.text(name).map { .string($0) }
            case .word(let words):
                guard let word = try object.text(name) else { return nil }
                guard words.contains(word) else {
                    throw BodyError("\(name) is one of \(words.joined(separator: ", ")), not \(word)")
                }
                return .string(word)
            }
        }
    }

    let name: String
    let attributes: [Attribute]
    /// What a type of Toxiproxy's own makes of any values, nil for nothing; of the others the registry's faults are made.
    private let lenient: (@Sendable (ToxicValues, Fault.Stream) -> Fault.Kind?)?

    /// One of Toxiproxy's own: its stream is `upstream` or `downstream`, never `both`.
    var isClassic: Bool { lenient != nil }

    /// Of the registry's faults, the one of this name.
    init(_ name: String, _ attributes: Attribute...) {
        self.name = name
        self.attributes = attributes
        lenient = nil
    }

    init(
        classic name: String,
        _ attributes: [Attribute],
        _ fault: @escaping @Sendable (ToxicValues, Fault.Stream) -> Fault.Kind?
    ) {
        self.name = name
        self.attributes = attributes
        lenient = fault
    }

    /// Nil: it does nothing, or no fault of the registry has such values.
    func fault(_ values: ToxicValues, _ stream: Fault.Stream) -> Fault.Kind? {
        guard let lenient else { return Fault(verb: name, arguments(values, stream))?.kind }
        return lenient(values, stream)
    }

    var parameters: [Parameter] { Fault.actions.first { $0.verb == name }?.parameters ?? [] }

    /// As a scenario would say it: of what need not be said, a zero and an empty text are nothing.
    private func arguments(_ values: ToxicValues, _ stream: Fault.Stream) -> Arguments {
        var given: [(name: String, value: ArgumentValue)] = []
        for parameter in parameters {
            if parameter.name == "stream" { given.append(("stream", .text(stream.rawValue))) }
            switch values[parameter.name] {
            case .integer(let number)? where number != 0 || parameter.required:
                let isSpan = parameter.kind == .duration
                given.append((parameter.name, isSpan ? .duration(.milliseconds(number)) : .integer(number)))
            case .string(let text)? where !text.isEmpty: given.append((parameter.name, .text(text)))
            default: break
            }
        }
        return Arguments(given)
    }

    static func named(_ name: String) -> ToxicType? {
        classic.first { $0.name == name } ?? beyond.first { $0.name == name }
    }
}

/// The attributes of one toxic, every one of its type's in that order.
struct ToxicValues: Hashable, Sendable {
    private(set) var members: [JSONMember]

    init(_ type: ToxicType) {
        members = type.attributes.map { JSONMember($0.name, $0.initial) }
    }

    /// Takes on what is given; all of it or nothing.
    mutating func merge(_ json: JSON?, of type: ToxicType) throws(BodyError) {
        guard let json else { return }
        let object = try LooseObject(json, as: "attributes of \(type.name)")
        var merged = members
        for (place, attribute) in type.attributes.enumerated() {
            if let value = try attribute.read(object) { merged[place].value = value }
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
