package import SquallCore

/// How a suite was selected and played: what reports say about it, and what its parts must have in common.
package struct SuiteOrigin: Hashable, Sendable {
    /// A part of a suite that several machines share, counted from 1.
    package struct Part: Hashable, Sendable {
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
    /// How often each case was to be played.
    package var times: Int
    package var worlds: [World]
    /// The client, as given with `--client`.
    package var client: String
    /// The profile that replaces those of the scenarios; nil for none.
    package var profile: String?
    package var defects: [String]
    /// Nil for the whole suite.
    package var part: Part?
    /// The command line.
    package var command: String
    /// When the suite was started, as ISO 8601 in UTC.
    package var date: String
    /// The commit of the working directory; nil outside a repository.
    package var commit: String?
    /// The name of the machine; nil if it is unknown, or if several machines played the suite.
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
    /// What the results depend on besides the cases, each with its name and its value as text, in a fixed order.
    package var facts: [(name: String, value: String)] {
        [
            ("version of Squall", version), ("seed", "\(seed.value)"), ("value of --repeat", "\(times)"),
            ("worlds", worlds.map(\.rawValue).joined(separator: ", ")), ("client", client),
            ("profile", profile ?? "none"), ("defects", defects.isEmpty ? "none" : defects.joined(separator: ", ")),
            ("number of parts", "\(part?.count ?? 1)"),
        ]
    }
}
