package import SquallCore

/// The declaration of one parameter of a fault: its name, possible values, default and meaning.
///
/// The scenario parser, the schema, `squall explain` and the attributes of the proxy's toxics are all derived from
/// these declarations.
package struct FaultParameter: Sendable {
    /// The possible values of a parameter.
    package enum Values: Hashable, Sendable {
        case integers(ClosedRange<Int64>)
        /// One of these numbers. A scenario may also write the number as a string.
        case numbers([Int64])
        case durations(atLeast: TimeSpan)
        case words([String])
        case text
        case flag
        /// A list of client names.
        case clients
    }

    /// A condition on an integer parameter, in addition to its range.
    struct Condition: Sendable {
        /// The condition in words, as a phrase that completes "must be", such as `one that a close frame may carry`.
        let meaning: String
        let holds: @Sendable (Int64) -> Bool
    }

    package let name: String
    package let values: Values
    package let isRequired: Bool
    /// The default value; nil if the parameter is required or has no default.
    package let initial: ArgumentValue?
    /// A sentence that says what the parameter sets, with its unit but without its default.
    package let meaning: String
    let condition: Condition?

    /// The parameter's entry in the scenario language's registry. The entry's description ends with the default.
    package var entry: Parameter {
        Parameter(name, values.kind, required: isRequired, initial: initial, meaningWithDefault)
    }

    private var meaningWithDefault: String {
        let value: String
        switch initial {
        case .text(let text)? where !text.isEmpty: value = text
        case .integer(let number)?: value = "\(number)"
        case .duration(let span)?: value = "\(span)"
        case .flag(let flag)?: value = "\(flag)"
        case .text?, .list?, .json?, nil: return meaning
        }
        return "\(meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning); default: \(value)."
    }

    /// Validates the value and converts it to the form in which the parameter is stored.
    ///
    /// - Throws: ``InvalidArgument`` if the value is of the wrong kind or out of range.
    func check(_ value: ArgumentValue) throws(InvalidArgument) -> ArgumentValue {
        guard let normalized = values.normalized(value) else { throw unfit(value, values.range) }
        if let condition, case .integer(let number) = normalized, !condition.holds(number) {
            throw unfit(value, condition.meaning)
        }
        return normalized
    }

    func unfit(_ value: ArgumentValue?, _ range: String) -> InvalidArgument {
        InvalidArgument(name: name, value: value, range: range)
    }
}

extension FaultParameter.Values {
    /// Converts a value to the form in which it is stored; returns nil if the value is not allowed.
    fileprivate func normalized(_ value: ArgumentValue) -> ArgumentValue? {
        let isFit: Bool
        switch (self, value) {
        case (.integers(let range), .integer(let number)): isFit = range.contains(number)
        case (.numbers(let numbers), .integer(let number)): isFit = numbers.contains(number)
        case (.numbers, .text(let text)): return Int64(text).flatMap { normalized(.integer($0)) }
        case (.durations(let least), .duration(let span)): isFit = span >= least
        case (.words(let words), .text(let word)): isFit = words.contains(word)
        case (.text, .text), (.flag, .flag), (.clients, .list): isFit = true
        default: isFit = false
        }
        return isFit ? value : nil
    }

    /// The allowed values, as a phrase that completes "must be".
    var range: String {
        switch self {
        case .durations(let least): "\(least) or more"
        case .numbers, .integers, .words, .text, .flag: kind.range
        case .clients: "a list of clients"
        }
    }

    fileprivate var kind: ParameterKind {
        switch self {
        case .integers(let range): .integer(range)
        case .numbers(let numbers): .word(numbers.map { "\($0)" })
        case .durations: .duration
        case .words(let words): .word(words)
        case .text: .text
        case .flag: .flag
        case .clients: .list(.text)
        }
    }
}
