/// A condition that a test waits for: an event, or states and events together.
///
/// A string literal has the syntax of `wait:` in a script: `client.connected`, `server.stored[hello]`, `{ link.state:
/// open }`.
///
/// Events and states that are visible on the wire are static members, so that an editor can complete and explain them:
/// `.clientConnected`, `.serverStored("hello")`, `.linkState("open")`.
public struct WeatherCondition: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The condition, in script syntax.
    let text: String

    /// Creates a condition from its text in a script.
    public init(_ text: String) { self.text = text }

    /// Creates a condition from its text in a script.
    public init(stringLiteral value: String) { self.init(value) }

    /// The server has accepted a client's connection, as seen on the wire.
    public static var clientConnected: Self { "client.connected" }

    static func event(_ name: String, _ key: String) -> WeatherCondition { WeatherCondition("\(name)[\(key)]") }

    static func state(_ name: String, _ value: JSONValue) -> WeatherCondition {
        WeatherCondition("{ \(name): \(value) }")
    }

    static func state(_ name: String, _ key: String, _ value: JSONValue) -> WeatherCondition {
        WeatherCondition("{ \"\(name)[\(key)]\": \(value) }")
    }
}
