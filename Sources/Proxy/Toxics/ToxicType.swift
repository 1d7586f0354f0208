import Faults
import Foundations

/// A kind of toxic: what it is called in the API, what it can be told, and the fault that it is.
struct ToxicType: Sendable {
    struct Attribute: Sendable {
        enum Kind: Sendable {
            case integer
            /// One of these; the first is the default.
            case word([String])
            case flag
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
        static func flag(_ name: String) -> Attribute { Attribute(name: name, kind: .flag) }
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
            case .flag: false
            case .text: ""
            }
        }

        /// As Go's decoder would take it: whole numbers only, and none of them written with a point.
        func read(_ object: LooseObject) throws(BodyError) -> JSON? {
            switch kind {
            case .integer: return try object.integer(name).map { .integer($0) }
            case .flag: return try object.flag(name).map { .bool($0) }
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
    /// One of Toxiproxy's own: its stream is `upstream` or `downstream`, never `both`.
    let isClassic: Bool
    let attributes: [Attribute]
    /// Nil: it does nothing.
    let fault: @Sendable (ToxicValues, Fault.Stream) -> Fault.Kind?

    init(
        _ name: String,
        isClassic: Bool = true,
        _ attributes: [Attribute],
        _ fault: @escaping @Sendable (ToxicValues, Fault.Stream) -> Fault.Kind?
    ) {
        self.name = name
        self.isClassic = isClassic
        self.attributes = attributes
        self.fault = fault
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

    private func value(_ name: String) -> JSON? { members.first { $0.name == name }?.value }

    func integer(_ name: String) -> Int64 { value(name)?.intValue ?? 0 }
    func milliseconds(_ name: String) -> TimeSpan { .milliseconds(integer(name)) }
    /// Nil where it is empty.
    func text(_ name: String) -> String? {
        value(name)?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    func flag(_ name: String) -> Bool { value(name)?.boolValue ?? false }

    func word<Word: RawRepresentable<String>>(_ name: String, or word: Word) -> Word {
        value(name)?.stringValue.flatMap { Word(rawValue: $0) } ?? word
    }

    static func == (left: ToxicValues, right: ToxicValues) -> Bool {
        JSON.object(left.members) == JSON.object(right.members)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(JSON.object(members)) }
}
