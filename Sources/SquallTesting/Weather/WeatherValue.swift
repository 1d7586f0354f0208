/// Writes an action and its arguments as a scenario step, and performs the step.
struct WeatherStep {
    let actor: String

    let weather: Weather

    /// Performs a step such as `{ network: { stall: {}, for: 3s }, as: tunnel }`; arguments that are nil are omitted.
    ///
    /// - Parameters:
    ///   - verb: The action's name.
    ///   - arguments: The parameters' names and values.
    ///   - label: The label for `as:`; nil if there is none.
    /// - Throws: The same errors as ``Weather/perform(_:)``.
    func perform(_ verb: String, _ arguments: KeyValuePairs<String, WeatherValue?>, as label: String?) async throws {
        let given = arguments.compactMap { argument in argument.value.map { "\(argument.key): \($0.text)" } }
        let name = label.map { ", as: \(WeatherValue.text($0).text)" } ?? ""
        try await weather.perform("{ \(actor): { \(verb): { \(given.joined(separator: ", ")) } }\(name) }")
    }
}

/// The value of an action's parameter, of any type: string, integer, Boolean, duration, list or mapping.
public struct WeatherValue: Hashable, Sendable {
    /// The value as one line of YAML.
    let text: String

    private init(text: String) {
        self.text = text
    }

    /// Creates a value from a JSON value.
    public init(_ value: JSONValue) { self.init(text: value.description) }

    /// Creates a string or a keyword.
    public static func text(_ text: String) -> WeatherValue { WeatherValue(.string(text)) }
    /// Creates an integer.
    public static func number(_ number: Int64) -> WeatherValue { WeatherValue(.integer(number)) }
    /// Creates a Boolean.
    public static func flag(_ flag: Bool) -> WeatherValue { WeatherValue(.bool(flag)) }
    /// Creates a duration, in whole nanoseconds.
    public static func duration(_ duration: Duration) -> WeatherValue {
        guard case .integer(let count) = JSONValue.nanoseconds(duration) else { return WeatherValue(.null) }
        return WeatherValue(text: "\(count)ns")
    }
    /// Creates a duration of whole seconds.
    public static func seconds(_ count: Int64) -> WeatherValue { WeatherValue(text: "\(count)s") }
    /// Creates a duration of whole milliseconds.
    public static func milliseconds(_ count: Int64) -> WeatherValue { WeatherValue(text: "\(count)ms") }
}

extension WeatherValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string or a keyword.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .number(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    /// Creates a list.
    public init(arrayLiteral elements: WeatherValue...) {
        self.init(text: "[\(elements.map(\.text).joined(separator: ", "))]")
    }
    /// Creates a mapping.
    public init(dictionaryLiteral elements: (String, WeatherValue)...) {
        let members = elements.map { "\(JSONValue.string($0.0)): \($0.1.text)" }
        self.init(text: "{ \(members.joined(separator: ", ")) }")
    }
}

/// Conversions for the arguments of generated methods; the result is nil for an omitted argument.
extension WeatherValue {
    static func of(_ text: String?) -> WeatherValue? { text.map { .text($0) } }
    static func of(_ number: Int?) -> WeatherValue? { number.map { .number(Int64($0)) } }
    static func of(_ duration: Duration?) -> WeatherValue? { duration.map { .duration($0) } }
    static func of(_ flag: Bool?) -> WeatherValue? { flag.map { .flag($0) } }
    static func of(_ texts: [String]?) -> WeatherValue? {
        texts.map { WeatherValue(text: "[\($0.map { Self.text($0).text }.joined(separator: ", "))]") }
    }
    static func of<Word: RawRepresentable<String>>(_ word: Word?) -> WeatherValue? { word.map { .text($0.rawValue) } }
    static func of(_ value: WeatherValue?) -> WeatherValue? { value }
}
