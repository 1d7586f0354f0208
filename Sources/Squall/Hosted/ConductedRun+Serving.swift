import Adapter
import ChatWire
import FakeServer
import Live
import ScenarioLanguage
package import ScenarioModel
import SquallCore

/// Functions for serving clients that the user starts by hand.
extension ConductedRun {
    /// Creates a scenario without a script and without expectations.
    ///
    /// - Parameters:
    ///   - clients: The names of the clients; empty for a single unnamed client.
    ///   - profile: The name of a built-in profile or the path of a profile file; nil for the default profile.
    /// - Returns: The scenario.
    /// - Throws: ``SquallError`` if a name or the profile is invalid.
    package static func scenario(clients: [String], profile: String?) throws(SquallError) -> Scenario {
        let names = clients.map { JSON.string($0).description }.joined(separator: ", ")
        let text = "squall: 1\nname: by hand\n" + (clients.isEmpty ? "" : "clients: [\(names)]\n")
        guard let scenario = try Suite.load(SourceText(file: "clients", text: text), profile: profile).first else {
            throw .failed("there is nothing to serve")
        }
        return scenario
    }

    /// Returns the port of a client's server; suspends until the server listens.
    package func port(of client: String) async throws -> Int {
        let url = try await place(of: client).addresses.httpURL
        return url.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }
}

extension Scenario {
    /// Replaces Squall's own server with a server at an address such as `ws://localhost:8080`.
    ///
    /// - Throws: ``SquallError`` if the address is invalid.
    package mutating func call(upstream address: String) throws(SquallError) {
        do throws(UpstreamAddress.Problem) {
            _ = try UpstreamAddress(parsing: address)
        } catch {
            throw .usage("--upstream: \(error.message); \(error.help)")
        }
        profile.server.upstream = address
    }

    /// The path of the server's WebSocket endpoint.
    package var webSocketPath: String { profile.wire.webSocketPath }
    /// The credential that the server accepts.
    package var key: String { profile.server.auth.key }
}
