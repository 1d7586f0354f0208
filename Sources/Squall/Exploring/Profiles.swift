import Exploration
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// Loads the built-in profiles from which drafts (random scenarios) are generated.
enum Profiles {
    /// The names of the profiles that are used if the user specifies none.
    static var explored: [String] { ProfileReader.names.filter { !ProfileReader.presets.contains($0) } }

    /// The name that stands for the profiles of all libraries' protocols.
    static let protocols = "protocols"

    /// Loads profiles by name. ``protocols`` stands for several.
    ///
    /// - Throws: ``SquallError`` if a profile does not exist.
    static func named(_ names: [String]) throws(SquallError) -> [Generator.NamedProfile] {
        var found: [Generator.NamedProfile] = []
        let presets = ProfileReader.names.filter { ProfileReader.presets.contains($0) && $0 != ProfileReader.unknown }
        for name in names.flatMap({ $0 == protocols ? presets : [$0] }) {
            guard let profile = (try? ProfileReader.profile(named: name)) ?? nil else {
                let known = (ProfileReader.names + [protocols]).joined(separator: ", ")
                throw .usage("there is no profile '\(name)'; there are: \(known)")
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
