/// Somebody of a ``Weather`` who can be told what to do, by the actions' names in the scenario language.
@dynamicMemberLookup
public struct WeatherActor: Sendable {
    private let weather: Weather
    private let name: String

    init(_ weather: Weather, _ name: String) {
        self.weather = weather
        self.name = name
    }

    /// An action by its name; whether there is one is found out when it is called.
    public subscript(dynamicMember verb: String) -> WeatherAction { WeatherAction(weather, name, verb) }
}

/// One action of a ``WeatherActor``, called with the language's own parameters.
///
/// The main one, which a scenario may write without a name, stands without a label: `weather.server.swallow("confirm")`. `as:` gives what it makes
/// a name.
@dynamicCallable
public struct WeatherAction: Sendable {
    private let weather: Weather
    private let actor: String
    private let verb: String

    init(_ weather: Weather, _ actor: String, _ verb: String) {
        self.weather = weather
        self.actor = actor
        self.verb = verb
    }

    /// Does it; as ``Weather/perform(_:)``.
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, WeatherValue>) async throws {
        try await weather.perform(Self.step(actor, verb, arguments.map { ($0.key, $0.value) }))
    }

    /// `{ network: { stall: {}, for: 3s }, as: tunnel }`: as a scenario would say it.
    static func step(_ actor: String, _ verb: String, _ arguments: [(name: String, value: WeatherValue)]) -> String {
        let main = arguments.first { $0.name.isEmpty }?.value.text ?? "{}"
        let others = arguments.filter { !$0.name.isEmpty && $0.name != "as" }.map { ", \($0.name): \($0.value.text)" }
            .joined()
        let label = arguments.first { $0.name == "as" }.map { ", as: \($0.value.text)" } ?? ""
        return "{ \(actor): { \(verb): \(main)\(others) }\(label) }"
    }
}

/// What an action of a ``Weather`` takes: texts, numbers, flags, spans of time, lists and mappings of them.
public struct WeatherValue: Hashable, Sendable {
    /// As YAML writes it in one line.
    let text: String

    private init(text: String) {
        self.text = text
    }

    /// A value that stands in no literal.
    public init(_ value: JSONValue) { self.init(text: value.description) }

    /// A text, or a word.
    public static func text(_ text: String) -> WeatherValue { WeatherValue(.string(text)) }
    public static func number(_ number: Int64) -> WeatherValue { WeatherValue(.integer(number)) }
    public static func flag(_ flag: Bool) -> WeatherValue { WeatherValue(.bool(flag)) }
    /// Whole nanoseconds.
    public static func duration(_ duration: Duration) -> WeatherValue {
        guard case .integer(let count) = JSONValue.nanoseconds(duration) else { return WeatherValue(.null) }
        return WeatherValue(text: "\(count)ns")
    }
    public static func seconds(_ count: Int64) -> WeatherValue { WeatherValue(text: "\(count)s") }
    public static func milliseconds(_ count: Int64) -> WeatherValue { WeatherValue(text: "\(count)ms") }
}

extension WeatherValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    public init(arrayLiteral elements: WeatherValue...) {
        self.init(text: "[\(elements.map(\.text).joined(separator: ", "))]")
    }
    public init(dictionaryLiteral elements: (String, WeatherValue)...) {
        let members = elements.map { "\(JSONValue.string($0.0)): \($0.1.text)" }
        self.init(text: "{ \(members.joined(separator: ", ")) }")
    }
}
