package import ChatWire
import FakeServer
import ScenarioLanguage
import ScenarioModel

/// Profiles for whoever needs the chat protocol's spelling alone.
package enum WireProfiles {
    /// What a profile says of the protocol.
    package struct WireNames: Sendable {
        /// Names, paths and versions.
        package var wire: WireProfile
        /// Whether its server replays what was not acknowledged, unasked.
        package var replaysUntilAcknowledged: Bool
    }

    /// The profile of that name, or in that file.
    package static func spoken(named name: String) throws(SquallError) -> WireNames {
        let profile = try ProfileFiles.isPath(name) ? file(name) : bundled(name)
        guard profile.wire.frames == nil else {
            throw .usage(
                "the profile '\(name)' gives frames another form, and the cases of the chat protocol speak its built-in one: "
                    + "name a profile that only renames frames and fields"
            )
        }
        return WireNames(wire: profile.wire, replaysUntilAcknowledged: profile.server.replay.mode == .untilAcknowledged)
    }

    private static func file(_ path: String) throws(SquallError) -> Profile {
        let shelf = ProfileCache()
        try shelf.require(path)
        guard case .profile(let profile) = shelf.files.load(path) else {
            throw .scenarios(shelf.mistakes.rendered)
        }
        return profile
    }

    private static func bundled(_ name: String) throws(SquallError) -> Profile {
        let profile: Profile?
        do throws(Diagnostic) {
            profile = try ProfileReader.profile(named: name)
        } catch {
            throw .failed("the profile '\(name)' cannot be read: \(error)")
        }
        guard let profile else {
            let names = ProfileReader.names.joined(separator: ", ")
            throw .usage("there is no profile '\(name)'; there are \(names), and files: ./\(name).yaml")
        }
        return profile
    }
}
