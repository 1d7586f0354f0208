package import SquallCore

/// How a suite was selected and run. Reports contain this information, and it is used to combine the parts of a suite
/// that was divided among several machines.
package struct SuiteOrigin: Hashable, Sendable {
    /// One part of a suite that was divided among several machines; `index` counts from 1.
    package struct Part: Hashable, Sendable {
        /// The maximum number of parts of a suite.
        package static let maximum = 1_000_000

        package var index: Int
        package var count: Int

        package init(index: Int, count: Int) {
            self.index = index
            self.count = count
        }
    }

    /// The version of Squall.
    package var version: String
    /// A digest of the selected cases and their files, before the suite is divided into parts.
    package var suite: String
    /// The number of selected cases, before the suite is divided into parts.
    package var cases: Int
    package var seed: Seed
    /// The number of times each case is to be run.
    package var times: Int
    package var worlds: [World]
    /// The client, as specified with `--client`.
    package var client: String
    /// The profile that overrides the scenarios' own profiles; nil if there is none.
    package var profile: String?
    package var defects: [String]
    /// The part of the suite that was run; nil for the whole suite.
    package var part: Part?
    /// The command line with which the suite was started.
    package var command: String
    /// The time at which the suite was started, in ISO 8601 format and UTC.
    package var date: String
    /// The commit of the working directory; nil if the directory is not in a repository.
    package var commit: String?
    /// The name of the machine; nil if it is unknown, or if several machines ran the suite.
    package var host: String?

    package init(
        version: String,
        suite: String,
        cases: Int,
        seed: Seed,
        times: Int,
        worlds: [World],
        client: String,
        profile: String?,
        defects: [String],
        part: Part?,
        command: String,
        date: String,
        commit: String?
    ) {
        self.version = version
        self.suite = suite
        self.cases = cases
        self.seed = seed
        self.times = times
        self.worlds = worlds
        self.client = client
        self.profile = profile
        self.defects = defects
        self.part = part
        self.command = command
        self.date = date
        self.commit = commit
    }
}

extension SuiteOrigin {
    /// The parameters that determine the results, in addition to the cases themselves: names and values as strings, in
    /// a fixed order.
    package var facts: [(name: String, value: String)] {
        [
            ("version of Squall", version), ("seed", "\(seed.value)"), ("value of --repeat", "\(times)"),
            ("worlds", worlds.map(\.rawValue).joined(separator: ", ")), ("client", client),
            ("profile", profile ?? "none"), ("defects", defects.isEmpty ? "none" : defects.joined(separator: ", ")),
            ("number of parts", "\(part?.count ?? 1)"),
        ]
    }
}
