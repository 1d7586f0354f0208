import ChatWire
package import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads profile files, including the built-in profiles, which are embedded in the binary.
package enum ProfileReader {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("default", PackageResources.default_yaml),
        ("chat-ux", PackageResources.chat_ux_yaml),
        ("polish", PackageResources.polish_yaml),
        ("voice", PackageResources.voice_yaml),
        ("flows", PackageResources.flows_yaml),
        ("push", PackageResources.push_yaml),
        ("array-frames", PackageResources.array_frames_yaml),
        ("op-frames", PackageResources.op_frames_yaml),
        ("text-frames", PackageResources.text_frames_yaml),
        ("socket-io", PackageResources.socket_io_yaml),
        ("phoenix", PackageResources.phoenix_yaml),
        ("graphql-transport-ws", PackageResources.graphql_transport_ws_yaml),
        ("centrifugo", PackageResources.centrifugo_yaml),
        ("pusher", PackageResources.pusher_yaml),
        ("signalr", PackageResources.signalr_yaml),
        ("slack-socket-mode", PackageResources.slack_socket_mode_yaml),
        ("discord-gateway", PackageResources.discord_gateway_yaml),
        ("mqtt", PackageResources.mqtt_yaml),
        ("matrix", PackageResources.matrix_yaml),
        (unknown, PackageResources.unknown_yaml),
    ]

    package static let names = files.map(\.name)

    /// The profiles for the protocols of existing libraries, and the profile for unknown protocols.
    ///
    /// `squall explore` tests Squall's own client, so it skips these profiles unless the user names them.
    package static let presets: Set<String> = [
        "socket-io", "phoenix", "graphql-transport-ws", "centrifugo", "pusher", "signalr", "slack-socket-mode",
        "discord-gateway", "mqtt", "matrix", unknown,
    ]

    /// The name of the built-in profile without frames, used for protocols that no other profile describes.
    package static let unknown = "unknown"

    /// The name of a profile's only structured value: the templates of the frames on the wire.
    package static let framesName = "wire.frames"

    /// Returns the built-in profile with the given name; nil if there is none.
    ///
    /// - Throws: The first error in the embedded file; a test ensures that there is none.
    package static func profile(named name: String) throws(Diagnostic) -> Profile? {
        try loaded[name]?.get()
    }

    /// The parsed profiles. They are cached, because every case starts from one of them.
    private static let loaded: [String: Result<Profile, Diagnostic>] = Dictionary(
        names.map { name in (name, Result { () throws(Diagnostic) in try load(name) }) },
        uniquingKeysWith: { first, _ in first }
    )

    private static func load(_ name: String) throws(Diagnostic) -> Profile {
        guard let source = source(named: name) else { return Profile(name: name) }
        do throws(ScenarioMistakes) {
            return try read(source, named: name).get()
        } catch {
            throw error.diagnostics.first ?? Diagnostic(at: YAMLReader.beginning(of: source), "invalid profile")
        }
    }

    /// Reads a profile file, whose `name: value` lines override the default profile; returns the profile or all errors.
    package static func read(_ source: SourceText, named name: String) -> Result<Profile, ScenarioMistakes> {
        var profile = Profile(name: name)
        let log = MistakeLog()
        let root: SourceNode
        do throws(Diagnostic) {
            root = try YAMLReader.read(source)
        } catch {
            return .failure(ScenarioMistakes([error]))
        }
        var writer = ProfileWriter(profile: profile, source: source, log: log)
        writer.set(root)
        profile = writer.profile
        if log.diagnostics.isEmpty {
            for problem in profile.wire.problems {
                // The description of a problem begins with the name of the invalid value.
                let blamed = problem.prefix { $0 != " " }
                let key = root.members?.last { blamed.hasPrefix($0.name) }?.key
                log.add((key ?? root).mistake("invalid wire names: \(problem)", in: source))
            }
        }
        guard log.diagnostics.isEmpty else {
            return .failure(ScenarioMistakes(inOrderOfFile: log.diagnostics))
        }
        return .success(profile)
    }

    /// Returns the text of a built-in profile; nil if there is no such profile.
    package static func source(named name: String) -> SourceText? {
        files.first { $0.name == name }.map { file in
            SourceText(file: "Profiles/\(name).yaml", text: String(decoding: file.bytes, as: UTF8.self))
        }
    }
}
