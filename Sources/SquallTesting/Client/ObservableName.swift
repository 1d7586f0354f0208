/// The name of a client's observable or event, such as `connection.state`. It can be written as a string literal.
///
/// The names in the registry are static members (`.connectionState`), so that an editor can complete and explain them.
public struct ObservableName: Hashable, Sendable, ExpressibleByStringLiteral {
    let text: String

    /// Creates a name from its text in the registry (`squall explain observables`, `squall explain events`).
    public init(_ text: String) { self.text = text }

    /// Creates a name from its text in the registry.
    public init(stringLiteral value: String) { self.init(value) }
}
