import Faults
import SquallCore

/// An attribute of a toxic type: a whole number, one of a few words, or text. Durations are whole milliseconds.
struct ToxicAttribute: Sendable {
    enum Kind: Sendable {
        case integer
        /// The first word is the default.
        case word([String])
        case text
    }

    let name: String
    let kind: Kind
    /// The value of an attribute that was not given. As in Toxiproxy every attribute has a value at any time, so that
    /// one of these also means "none" where the fault's parameter has no default.
    let initial: JSON
    /// The fault's parameter; nil for an attribute of Toxiproxy's own.
    let parameter: FaultParameter?
    /// One sentence about an attribute of Toxiproxy's own, with its unit.
    let meaning: String?

    /// A number of one of Toxiproxy's own types.
    static func integer(_ name: String, _ meaning: String) -> ToxicAttribute {
        ToxicAttribute(name, .integer, 0, nil, meaning)
    }

    private init(
        _ name: String,
        _ kind: Kind,
        _ initial: JSON,
        _ parameter: FaultParameter?,
        _ meaning: String? = nil
    ) {
        (self.name, self.kind, self.initial, self.parameter, self.meaning) = (name, kind, initial, parameter, meaning)
    }

    /// The attribute for a fault's parameter.
    ///
    /// Nil for the stream, which each toxic has anyway, and for a flag: those are about the client's app, which a proxy
    /// does not know.
    init?(_ parameter: FaultParameter) {
        guard parameter.name != "stream" else { return nil }
        switch (parameter.values, parameter.initial) {
        case (.integers, .integer(let number)?): self.init(parameter.name, .integer, .integer(number), parameter)
        // The number below the range: zero may be a value of its own, such as the first byte.
        case (.integers(let range), _): self.init(parameter.name, .integer, .integer(range.lowerBound - 1), parameter)
        case (.numbers, _): self.init(parameter.name, .integer, 0, parameter)
        case (.durations, .duration(let span)?):
            self.init(parameter.name, .integer, .integer(span.nanoseconds / 1_000_000), parameter)
        case (.durations, _): self.init(parameter.name, .integer, 0, parameter)
        case (.words(let words), .text(let first)?):
            self.init(parameter.name, .word([first] + words.filter { $0 != first }), .string(first), parameter)
        case (.words(let words), _): self.init(parameter.name, .word(words), .string(words.first ?? ""), parameter)
        case (.text, _): self.init(parameter.name, .text, "", parameter)
        case (.flag, _), (.clients, _): return nil
        }
    }

    /// Reads the attribute like Go's decoder; numbers must be integers without a decimal point. Returns nil if it is
    /// missing.
    ///
    /// - Throws: If the value is of another kind, or a word that the attribute does not take.
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

    /// The argument for the fault's parameter; nil if the value means that there is none.
    func argument(_ value: JSON?) -> ArgumentValue? {
        guard let parameter, let value, parameter.isRequired || value != initial else { return nil }
        switch value {
        case .integer(let number):
            if case .durations = parameter.values { return .duration(.milliseconds(number)) }
            return .integer(number)
        case .string(let text): return .text(text)
        default: return nil
        }
    }
}
