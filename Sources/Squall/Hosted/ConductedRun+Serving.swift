import Adapter
import ChatWire
import FakeServer
import Live
import ScenarioLanguage
package import ScenarioModel
import SquallCore

/// What whoever serves somebody else's clients has to tell them.
extension ConductedRun {
    /// A scenario in which nothing happens by itself.
    ///
    /// - Parameters:
    ///   - clients: Their names; none for a single one.
    ///   - profile: The name of one of Squall's, or the path of a file; nil for the default one.
    /// - Returns: One that plays nothing and expects nothing.
    /// - Throws: ``SquallError`` where a name or the profile is wrong.
    package static func scenario(clients: [String], profile: String?) throws(SquallError) -> Scenario {
        let names = clients.map { JSON.string($0).description }.joined(separator: ", ")
        let text = "squall: 1\nname: by hand\n" + (clients.isEmpty ? "" : "clients: [\(names)]\n")
        guard let scenario = try Suite.load(SourceText(file: "clients", text: text), profile: profile).first else {
            throw .failed("there is nothing to serve")
        }
        return scenario
    }

    /// The port at which the client of that name finds its server, once there is one.
    package func port(of client: String) async throws -> Int {
        let url = try await place(of: client).addresses.httpURL
        return url.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }
}

extension Scenario {
    /// Where on the server its WebSocket is.
    package var webSocketPath: String { profile.wire.webSocketPath }
    /// The credential that the server accepts.
    package var key: String { profile.server.auth.key }
}
