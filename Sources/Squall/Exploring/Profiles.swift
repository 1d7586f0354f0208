import ChatWire
import Exploration
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// Loads the built-in profiles from which drafts (random scenarios) are generated.
enum Profiles {
    /// The names of the profiles that are used if the user specifies none.
    static var explored: [String] { ProfileReader.names.filter { !ProfileReader.presets.contains($0) } }

    /// The name that stands for the profiles of libraries' protocols in which a client can notice a dead connection,
    /// because it sends pings that the server answers. In the others it need not agree with the server after a fault.
    static let protocols = "protocols"

    private static let presets = ProfileReader.names.filter { name in
        guard ProfileReader.presets.contains(name), let profile = (try? ProfileReader.profile(named: name)) ?? nil
        else {
            return false
        }
        return profile.wire.has(.ping, by: .client) && profile.wire.has(.pong, by: .server)
    }

    /// Loads profiles by name. ``protocols`` stands for several.
    ///
    /// - Throws: ``SquallError`` if a profile does not exist.
    static func named(_ names: [String]) throws(SquallError) -> [Generator.NamedProfile] {
        var found: [Generator.NamedProfile] = []
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
