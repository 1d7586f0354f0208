package import ChatWire
import ScenarioLanguage
import ScenarioModel

/// Profiles for whoever needs the chat protocol's spelling alone.
package enum WireProfiles {
    /// The names, paths and versions of the profile of that name.
    package static func wire(named name: String) throws(SquallError) -> WireProfile {
        let profile: Profile?
        do throws(Diagnostic) {
            profile = try ProfileReader.profile(named: name)
        } catch {
            throw .failed("the profile '\(name)' cannot be read: \(error)")
        }
        guard let profile else {
            throw .usage("there is no profile '\(name)'; there are \(ProfileReader.names.joined(separator: ", "))")
        }
        return profile.wire
    }
}
