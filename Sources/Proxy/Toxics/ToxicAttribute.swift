import Faults
import SquallCore

/// An attribute of a toxic type: an integer, a keyword, or text. Durations are in whole milliseconds.
struct ToxicAttribute: Sendable {
    enum Kind: Sendable {
        case integer
        /// One of these keywords; the first is the default.
        case word([String])
        case text
    }

    let name: String
    let kind: Kind
    /// The value of an attribute that was not specified.
    ///
    /// As in Toxiproxy, every attribute always has a value, so this value also means "none" where the fault's parameter
    /// has no default.
    let initial: JSON
    /// The corresponding fault parameter; nil if the type is one of Toxiproxy's own.
    let parameter: FaultParameter?
    /// A sentence that describes the attribute, with its unit; nil if ``parameter`` describes it.
    let meaning: String?

    /// Creates an integer attribute of one of Toxiproxy's own types.
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

    /// Creates the attribute for a fault parameter; returns nil if a toxic needs no such attribute.
    ///
    /// The stream needs no attribute, because every toxic specifies it separately; nor do flags and lists of clients,
    /// because they concern client apps rather than connections.
    init?(_ parameter: FaultParameter) {
        guard parameter.name != "stream" else { return nil }
        switch (parameter.values, parameter.initial) {
        case (.integers, .integer(let number)?): self.init(parameter.name, .integer, .integer(number), parameter)
        // The default is one less than the lowest valid number, not 0, because 0 may be valid (the offset of the first
        // byte, for example).
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

    /// Parses the attribute as Go's decoder does; numbers must be integers without a decimal point. Returns nil if the
    /// attribute is missing.
    ///
    /// - Throws: ``BodyError`` if the value has the wrong type or is not one of the keywords.
    func read(_ object: LooseObject) throws(BodyError) -> JSON? {
        switch kind {
        case .integer: return try object.integer(name).map { .integer($0) }
        case .text: return try object.text(name).map { .string($0) }
        case .word(let words):
            guard let word = try object.text(name) else { return nil }
            guard words.contains(word) else {
                throw BodyError("\(name) must be one of \(words.joined(separator: ", ")), not \(word)")
            }
            return .string(word)
        }
    }

    /// Converts the attribute's value into the argument of the fault's parameter; returns nil if the value means
    /// "none".
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
