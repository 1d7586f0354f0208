package import ScenarioModel
import SquallCore

/// Describes a suite's client in reports. The description identifies the client whose runs failed, so that one client's
/// failure is not attributed to another.
package struct TestedClient: Hashable, Sendable {
    /// The client, as specified with `--client`.
    package var name = "reference"
    /// The profile that overrides the scenarios' own profiles; nil if there is none.
    package var profile: String?
    /// The names of the planted defects, sorted.
    package var defects: [String] = []

    /// Creates the reference client without a defect.
    package init() {}

    package init(_ choice: ClientChoice, profile: String? = nil, defects: [String] = []) {
        name = choice.name
        self.profile = profile
        self.defects = defects.sorted()
    }

    package init(_ origin: SuiteOrigin) {
        name = origin.client
        profile = origin.profile
        defects = origin.defects.sorted()
    }

    /// Decodes the report members that identify the client. A missing member has its default value.
    init(json: JSON) {
        name = json["client"]?.stringValue ?? name
        profile = json["profile"]?.stringValue
        defects = (json["defects"]?.arrayValue ?? []).compactMap(\.stringValue).sorted()
    }

    /// The report members that identify the client.
    var members: [(name: String, value: JSON)] {
        [
            ("client", .string(name)), ("profile", profile.map { .string($0) } ?? .null),
            ("defects", .array(defects.map { .string($0) })),
        ]
    }
}
