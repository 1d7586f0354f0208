import SquallCore

/// A parameter of a fault, and the property of `Owner` that it sets.
///
/// The property's initial value is the parameter's default.
struct FaultField<Owner>: Sendable {
    let name: String
    private let values: FaultParameter.Values
    private let isRequired: Bool
    private let meaning: String
    private let condition: FaultParameter.Condition?
    private let get: @Sendable (Owner) -> ArgumentValue?
    /// Sets the property to a value that has been validated against ``values``.
    private let set: @Sendable (inout Owner, ArgumentValue) -> Void

    private init(
        _ name: String,
        _ values: FaultParameter.Values,
        required isRequired: Bool = false,
        _ meaning: String,
        where condition: FaultParameter.Condition? = nil,
        get: @escaping @Sendable (Owner) -> ArgumentValue?,
        set: @escaping @Sendable (inout Owner, ArgumentValue) -> Void
    ) {
        (self.name, self.values, self.isRequired, self.meaning) = (name, values, isRequired, meaning)
        (self.condition, self.get, self.set) = (condition, get, set)
    }

    func parameter(in initial: Owner) -> FaultParameter {
        FaultParameter(
            name: name,
            values: values,
            isRequired: isRequired,
            initial: isRequired ? nil : get(initial),
            meaning: meaning,
            condition: condition
        )
    }

    /// Sets the property to the argument for this parameter; leaves it unchanged if the argument is missing.
    ///
    /// - Throws: ``InvalidArgument`` if a required argument is missing, or the argument is of the wrong kind or out of
    ///   range.
    func read(_ arguments: Arguments, into owner: inout Owner) throws(InvalidArgument) {
        let parameter = parameter(in: owner)
        guard let value = arguments[name] else {
            if isRequired { throw parameter.unfit(nil, values.range) }
            return
        }
        set(&owner, try parameter.check(value))
    }
}

// MARK: - Parameter kinds

extension FaultField {
    typealias Property<Value> = any WritableKeyPath<Owner, Value> & Sendable

    /// Creates an integer parameter whose value must lie within `range` and meet `condition`.
    static func integer(
        _ name: String,
        _ property: Property<Int64>,
        in range: ClosedRange<Int64>,
        required: Bool = false,
        where condition: FaultParameter.Condition? = nil,
        _ meaning: String
    ) -> FaultField {
        FaultField(name, .integers(range), required: required, meaning, where: condition) {
            .integer($0[keyPath: property])
        } set: {
            if case .integer(let number) = $1 { $0[keyPath: property] = number }
        }
    }

    static func integer(
        _ name: String,
        _ property: Property<Int64?>,
        in range: ClosedRange<Int64>,
        _ meaning: String
    ) -> FaultField {
        FaultField(name, .integers(range), meaning) {
            $0[keyPath: property].map { .integer($0) }
        } set: {
            if case .integer(let number) = $1 { $0[keyPath: property] = number }
        }
    }

    /// Creates a parameter whose value is one of the given numbers.
    static func number(
        _ name: String,
        _ property: Property<Int64>,
        among numbers: [Int64],
        _ meaning: String
    ) -> FaultField {
        FaultField(name, .numbers(numbers), meaning) {
            .integer($0[keyPath: property])
        } set: {
            if case .integer(let number) = $1 { $0[keyPath: property] = number }
        }
    }

    static func duration(
        _ name: String,
        _ property: Property<TimeSpan>,
        atLeast least: TimeSpan = .zero,
        required: Bool = false,
        _ meaning: String
    ) -> FaultField {
        FaultField(name, .durations(atLeast: least), required: required, meaning) {
            .duration($0[keyPath: property])
        } set: {
            if case .duration(let span) = $1 { $0[keyPath: property] = span }
        }
    }

    static func duration(_ name: String, _ property: Property<TimeSpan?>, _ meaning: String) -> FaultField {
        FaultField(name, .durations(atLeast: .zero), meaning) {
            $0[keyPath: property].map { .duration($0) }
        } set: {
            if case .duration(let span) = $1 { $0[keyPath: property] = span }
        }
    }

    static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String,
        _ property: Property<Word>,
        required: Bool = false,
        _ meaning: String
    ) -> FaultField {
        FaultField(name, .words(Word.allCases.map(\.rawValue)), required: required, meaning) {
            .text($0[keyPath: property].rawValue)
        } set: {
            if case .text(let text) = $1, let word = Word(rawValue: text) { $0[keyPath: property] = word }
        }
    }

    static func text(_ name: String, _ property: Property<String>, _ meaning: String) -> FaultField {
        FaultField(name, .text, meaning) {
            .text($0[keyPath: property])
        } set: {
            if case .text(let text) = $1 { $0[keyPath: property] = text }
        }
    }

    static func text(_ name: String, _ property: Property<String?>, _ meaning: String) -> FaultField {
        FaultField(name, .text, meaning) {
            $0[keyPath: property].map { .text($0) }
        } set: {
            if case .text(let text) = $1 { $0[keyPath: property] = text }
        }
    }

    static func flag(_ name: String, _ property: Property<Bool>, _ meaning: String) -> FaultField {
        FaultField(name, .flag, meaning) {
            .flag($0[keyPath: property])
        } set: {
            if case .flag(let flag) = $1 { $0[keyPath: property] = flag }
        }
    }

    /// Creates the parameter for the direction in which the fault acts on a connection.
    static func stream(_ property: Property<Fault.Stream>) -> FaultField {
        .word("stream", property, "The direction of the affected bytes.")
    }
}

// MARK: - Common parameters

extension FaultField<Fault> {
    /// The duration of a fault. By default, a fault lasts until it is healed. ``LinkFault/duration(given:)`` may
    /// override this value.
    static let lifetime = duration(
        "for",
        \.duration,
        "The duration of the fault; if omitted, the fault lasts until it is healed."
    )

    static let toxicity = FaultField(
        "toxicity",
        .integers(0...100),
        "The percentage of connections that are affected, selected at random."
    ) {
        .integer(Int64($0.toxicity.numerator) * 100 / Int64($0.toxicity.denominator))
    } set: {
        guard case .integer(let percent) = $1, let share = Ratio(UInt32(clamping: percent), of: 100) else { return }
        $0.toxicity = share
    }

    /// The clients that the fault affects. The accessors do nothing, because a ``Fault`` does not store the clients:
    /// the code that parses the action reads this argument.
    static let clients = FaultField("clients", .clients, "The affected clients; if omitted, all clients.") { _ in
        nil
    } set: { _, _ in
    }
}
