/// A condition that a test waits for: an event, or states and events together.
///
/// A string literal is written as after `wait:` in a script: `client.connected`, `server.stored[hello]`, `{
/// server.received.send: { text: hi } }`, `{ link.state: open }`. The events and states that a wire shows are static
/// members, so that an editor completes and explains them: `.clientConnected`, `.serverStored("hello")`,
/// `.linkState("open")`.
public struct WeatherCondition: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The condition as a script writes it.
    let text: String

    /// Makes a condition from its text in a script.
    public init(_ text: String) { self.text = text }

    /// Makes a condition from its text in a script.
    public init(stringLiteral value: String) { self.init(value) }

    /// A client's connection was accepted by the server, as the wire shows it.
    public static var clientConnected: Self { "client.connected" }

    static func event(_ name: String, _ key: String) -> WeatherCondition { WeatherCondition("\(name)[\(key)]") }

    static func state(_ name: String, _ value: JSONValue) -> WeatherCondition {
        WeatherCondition("{ \(name): \(value) }")
    }

    static func state(_ name: String, _ key: String, _ value: JSONValue) -> WeatherCondition {
        WeatherCondition("{ \"\(name)[\(key)]\": \(value) }")
    }
}
