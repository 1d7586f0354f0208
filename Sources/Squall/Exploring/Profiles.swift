import Exploration
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// Loads the built-in profiles from which drafts (random scenarios) are generated.
enum Profiles {
    /// The names of the profiles that are used if the user specifies none.
    static var explored: [String] { ProfileReader.names.filter { !ProfileReader.presets.contains($0) } }

    /// Loads profiles by name.
    ///
    /// - Throws: ``SquallError`` if a profile does not exist.
    static func named(_ names: [String]) throws(SquallError) -> [Generator.NamedProfile] {
        var found: [Generator.NamedProfile] = []
        for name in names {
            guard let profile = (try? ProfileReader.profile(named: name)) ?? nil else {
                throw .usage("there is no profile '\(name)'; there are: \(ProfileReader.names.joined(separator: ", "))")
            }
            found.append(Generator.NamedProfile(name: name, profile: profile))
        }
        return found
    }

    /// Returns the profiles by name, together with the default profile, which shrinking may substitute in a draft.
    static func all(with profiles: [Generator.NamedProfile]) throws(SquallError) -> [String: Profile] {
        let all = profiles + (try named(["default"]))
        return Dictionary(all.map { ($0.name, $0.profile) }, uniquingKeysWith: { first, _ in first })
    }
}
