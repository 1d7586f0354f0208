import ChatWire
import SquallCore

/// A typed parameter of a server action: its description, and the function that reads its argument.
struct ActionParameter<Value: Sendable>: Sendable {
    /// The parameter as it appears in scenarios; nil for the label, which scenarios specify with `as:`.
    let entry: Parameter?
    /// Returns the value of the argument, or the default if there is no argument.
    ///
    /// The function throws ``InvalidArgument`` if the argument is invalid, or if it is required but missing.
    let read: @Sendable (Arguments) throws(InvalidArgument) -> Value

    private init(_ entry: Parameter?, read: @escaping @Sendable (Arguments) throws(InvalidArgument) -> Value) {
        (self.entry, self.read) = (entry, read)
    }

    /// Describes a parameter. `missing` is the value of an omitted argument; nil if the parameter is required.
    ///
    /// `parse` returns nil for an invalid argument. `range` is a phrase that completes "must be"; it is needed only if
    /// some values of `kind` are invalid.
    init(
        _ name: String,
        _ kind: ParameterKind,
        default missing: Value? = nil,
        range: String? = nil,
        _ meaning: String,
        _ parse: @escaping @Sendable (ArgumentValue) -> Value?
    ) {
        self.init(Parameter(name, kind, required: missing == nil, meaning)) { arguments throws(InvalidArgument) in
            let argument = arguments[name]
            guard let value = argument.map(parse) ?? missing else {
                throw InvalidArgument(name: name, value: argument, range: range ?? kind.range)
            }
            return value
        }
    }

    /// An optional version of this parameter, whose value is nil if the argument is omitted.
    var optional: ActionParameter<Value?> {
        guard let entry else { return ActionParameter<Value?>(nil, read: read) }
        return ActionParameter<Value?>(Parameter(entry.name, entry.kind, entry.meaning)) {
            arguments throws(InvalidArgument) in
            arguments[entry.name] == nil ? nil : try read(arguments)
        }
    }
}

extension ActionParameter<String?> {
    /// The label that `as:` defines.
    static let label = ActionParameter(nil) { $0.label }
}

/// Factory functions with which action declarations create their parameters. A parameter's description ends with its
/// default.
extension ServerAction {
    /// The maximum number of messages, responses or requests that one action can specify.
    static let most: Int64 = 100_000
    static let label = ActionParameter.label
    static let client = client("the client; default: all clients").optional

    static func client(_ meaning: String) -> ActionParameter<ClientID> {
        ActionParameter("client", .text, meaning) { $0.text.map { ClientID($0) } }
    }

    static func text(_ name: String, _ meaning: String) -> ActionParameter<String> {
        ActionParameter(name, .text, meaning, \.text)
    }

    /// Creates a parameter whose value is a list of names, separated by spaces.
    static func names(_ name: String, _ meaning: String) -> ActionParameter<[String]> {
        ActionParameter(name, .text, meaning) { $0.text?.split(separator: " ").map(String.init) }
    }

    static func integer(
        _ name: String,
        in range: ClosedRange<Int64>,
        default missing: Int64? = nil,
        _ meaning: String
    ) -> ActionParameter<Int64> {
        ActionParameter(name, .integer(range), default: missing, meaning.with(default: missing)) {
            $0.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static func count(
        named name: String = "count",
        default missing: Int64? = nil,
        _ meaning: String
    ) -> ActionParameter<Int64> {
        integer(name, in: 1...most, default: missing, meaning)
    }

    /// Creates a parameter whose value is a duration; a negative duration becomes zero.
    static func duration(
        _ name: String,
        default missing: TimeSpan? = nil,
        _ meaning: String
    ) -> ActionParameter<TimeSpan> {
        ActionParameter(name, .duration, default: missing, meaning.with(default: missing)) {
            $0.duration.map { max($0, .zero) }
        }
    }

    static func flag(_ name: String, default missing: Bool? = nil, _ meaning: String) -> ActionParameter<Bool> {
        ActionParameter(name, .flag, default: missing, meaning.with(default: missing.map { $0 ? "yes" : "no" }), \.flag)
    }

    static func word<Word: RawRepresentable<String> & Sendable>(
        _ name: String,
        of words: [Word],
        default missing: Word? = nil,
        _ meaning: String
    ) -> ActionParameter<Word> {
        let names = words.map(\.rawValue)
        return ActionParameter(name, .word(names), default: missing, meaning.with(default: missing?.rawValue)) {
            $0.text.flatMap { names.contains($0) ? Word(rawValue: $0) : nil }
        }
    }

    /// Creates a parameter whose value is the type of a server frame.
    static func frame(_ meaning: String) -> ActionParameter<FrameRole> {
        word("frame", of: FrameRole.fromServer, meaning)
    }

    static func route(_ meaning: String) -> ActionParameter<ServerRoute> {
        ActionParameter("route", .word(ServerRoute.all.map(\.word)), meaning) {
            $0.text.flatMap(ServerRoute.init(word:))
        }
    }

    static func json(_ name: String, _ meaning: String) -> ActionParameter<JSON> {
        ActionParameter(name, .json, meaning, \.json)
    }
}

extension String {
    fileprivate func with(default value: (some CustomStringConvertible)?) -> String {
        value.map { "\(self); default \($0)" } ?? self
    }
}
