import ScenarioModel
import SquallCore

/// The values of a run's profile, under the names that scenarios use after `$` (`squall explain profile`).
public struct ProfileValues: Sendable {
    private let profile: Profile

    init(_ profile: Profile) {
        self.profile = profile
    }

    /// The profile's name.
    public var name: String { profile.name }

    /// Returns the profile value called `name`, which must be a duration.
    ///
    /// - Throws: ``SquallTestingError`` if there is no such value, or it is not a duration.
    public func duration(_ name: String) throws(SquallTestingError) -> Duration {
        guard case .duration(let span) = try value(name) else { throw wrong(name, "a duration") }
        return Duration(span)
    }

    /// Returns the profile value called `name`, which must be an integer.
    ///
    /// - Throws: ``SquallTestingError`` if there is no such value, or it is not an integer.
    public func integer(_ name: String) throws(SquallTestingError) -> Int64 {
        guard case .integer(let number) = try value(name) else { throw wrong(name, "a whole number") }
        return number
    }

    /// Returns the profile value called `name`, which must be a string.
    ///
    /// - Throws: ``SquallTestingError`` if there is no such value, or it is not a string.
    public func text(_ name: String) throws(SquallTestingError) -> String {
        guard case .text(let text) = try value(name) else { throw wrong(name, "a text") }
        return text
    }

    private func value(_ name: String) throws(SquallTestingError) -> ArgumentValue {
        guard let value = profile[name] else {
            throw SquallTestingError(
                .usage,
                "the profile has no value '\(name)'; 'squall explain profile' lists them all"
            )
        }
        return value
    }

    private func wrong(_ name: String, _ kind: String) -> SquallTestingError {
        SquallTestingError(.usage, "'\(name)' of the profile is not \(kind)")
    }
}
