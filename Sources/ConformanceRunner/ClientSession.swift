package import Adapter
package import Conformance
import NIOCore
import NIOPosix
import Sockets
import SquallCore

/// The outcome of testing a client.
package struct ClientOutcome: Sendable {
    /// The results, grouped by agent and in the order of the cases.
    package var results: [ConformanceResult]
    /// The exit status of the command that Squall ran; nil if the command did not exit on its own.
    package var commandEnd: ProcessEnd?
}

/// Runs the server that tests clients, on behalf of a `squall` command.
package enum ClientSession {
    /// Serves cases until a client requests a shutdown, the command exits or the task is cancelled; returns all
    /// results.
    ///
    /// `port` is a port of 127.0.0.1; 0 selects a free one. `security` enables TLS. `command` is a shell command that
    /// runs a client, with the server's address in `SQUALL_URL`.
    package static func play(
        _ cases: [ConformanceCase],
        port: Int,
        security: ListenerSecurity? = nil,
        command: String?,
        onReady: @escaping @Sendable (Int) -> Void,
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in },
        onUpdate: @escaping @Sendable ([ConformanceResult]) -> Void = { _ in }
    ) async throws -> ClientOutcome {
        try await EventLoopScope.run { (loop, end: @escaping EventLoopScope.End<ClientOutcome>) in
            var stop: (ProcessEnd?) -> Void = { _ in }
            var child: TestedProcess?
            let judge = try PortFailure.naming { () throws(SocketError) in
                try ClientTester(
                    cases,
                    at: .common,
                    port: port,
                    security: security,
                    on: loop,
                    onFailure: { failure in
                        stop = { _ in }
                        TestedProcess.end(child, on: loop) { end(.failure(failure)) }
                    },
                    onResult: onResult,
                    onUpdate: onUpdate,
                    onStop: { stop(nil) }
                )
            }
            child = try command.map { command in
                try TestedProcess(command, port: judge.port, certificate: security?.certificate, on: loop) { stop($0) }
            }
            stop = { commandEnd in
                stop = { _ in }
                // Allow pending writes to finish before the event loop shuts down.
                loop.assumeIsolated().scheduleTask(in: .milliseconds(100)) {
                    TestedProcess.end(child, on: loop) {
                        end(.success(ClientOutcome(results: judge.allResults, commandEnd: commandEnd)))
                    }
                    judge.close()
                }
            }
            onReady(judge.port)
            return { stop(nil) }
        }
    }
}

/// Runs the server that tests chat clients until every case has been run.
package enum ChatClientSession {
    /// Serves one case per connection until all cases have a result, the command exits or the task is cancelled;
    /// returns the results.
    package static func play(
        _ cases: [ChatCase],
        of chat: ChatTarget,
        agent: String,
        port: Int,
        security: ListenerSecurity? = nil,
        command: String?,
        onReady: @escaping @Sendable (Int) -> Void,
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws -> ClientOutcome {
        try await EventLoopScope.run { (loop, end: @escaping EventLoopScope.End<ClientOutcome>) in
            var stop: (ProcessEnd?) -> Void = { _ in }
            var child: TestedProcess?
            let judge = try PortFailure.naming { () throws(SocketError) in
                try ChatClientTester(
                    cases,
                    of: chat,
                    agent: agent,
                    at: .common,
                    port: port,
                    security: security,
                    on: loop,
                    onFailure: { failure in
                        stop = { _ in }
                        TestedProcess.end(child, on: loop) { end(.failure(failure)) }
                    },
                    onResult: onResult,
                    onEnd: { stop(nil) }
                )
            }
            child = try command.map { command in
                try TestedProcess(command, port: judge.port, chat: chat, certificate: security?.certificate, on: loop) {
                    stop($0)
                }
            }
            stop = { commandEnd in
                stop = { _ in }
                TestedProcess.end(child, on: loop) {
                    end(.success(ClientOutcome(results: judge.allResults, commandEnd: commandEnd)))
                }
                judge.close()
            }
            onReady(judge.port)
            return { stop(nil) }
        }
    }
}
