import Exploration
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// The built-in profiles that drafts are drawn from.
enum Profiles {
    /// The names of those that are drawn from if the user names none.
    static var explored: [String] { ProfileReader.names.filter { !ProfileReader.presets.contains($0) } }

    /// - Throws: ``SquallError`` if there is no profile of a name.
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

    /// The profiles by name, and the default one that a finding may be simplified to.
    static func all(with profiles: [Generator.NamedProfile]) throws(SquallError) -> [String: Profile] {
        let all = profiles + (try named(["default"]))
        return Dictionary(all.map { ($0.name, $0.profile) }, uniquingKeysWith: { first, _ in first })
    }
}
