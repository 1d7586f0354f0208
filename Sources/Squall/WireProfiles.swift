package import ChatWire
import FakeServer
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// Loads the protocol definitions of profiles, for commands that do not run scenarios.
package enum WireProfiles {
    /// The variant of the chat protocol that a profile defines.
    package struct WireNames: Sendable {
        /// The names of the protocol's frames and fields, its paths and its versions.
        package var wire: WireProfile
        /// Whether the server replays unacknowledged messages without being asked to.
        package var replaysUntilAcknowledged: Bool
        /// Whether the server processes only one prompt of a conversation at a time.
        package var locksConversations: Bool
        /// Whether the server rejects replayed logins.
        package var checksFreshness: Bool
        /// Whether the server lists the deleted messages of a page after all others.
        package var listsDeletedLast: Bool
    }

    /// Loads the protocol variant of a built-in profile, given by name, or of a profile file, given by path.
    ///
    /// - Throws: ``SquallError`` if the profile does not exist, or if it does more than rename frames and fields.
    package static func wire(named name: String) throws(SquallError) -> WireNames {
        let profile = try profile(named: name)
        guard profile.wire.frames == nil else {
            throw .usage(
                """
                the profile '\(name)' changes the form of frames, which the cases of the chat protocol do not \
                support: name a profile that only renames frames and fields
                """
            )
        }
        return WireNames(
            wire: profile.wire,
            replaysUntilAcknowledged: profile.server.replay.mode == .untilAcknowledged,
            locksConversations: profile.server.work.span > .zero,
            checksFreshness: profile.server.auth.window > .zero,
            listsDeletedLast: profile.server.page.order == .byIndex
        )
    }

    /// Loads a built-in profile by name, or a profile file by path.
    ///
    /// - Throws: ``SquallError`` if the profile does not exist.
    static func profile(named name: String) throws(SquallError) -> Profile {
        try ProfileFiles.isPath(name) ? file(name) : bundled(name)
    }

    private static func file(_ path: String) throws(SquallError) -> Profile {
        let cache = ProfileCache()
        try cache.require(path)
        guard case .profile(let profile) = cache.files.load(path) else {
            throw .scenarios(cache.mistakes.rendered)
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
