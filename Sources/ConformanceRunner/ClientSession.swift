package import Adapter
package import Conformance
import NIOCore
import NIOPosix
import Sockets
import SquallCore

/// What came of judging a client.
package struct ClientOutcome: Sendable {
    /// In the cases' order, agent by agent.
    package var results: [ConformanceResult]
    /// How the command that Squall ran ended, where it ended by itself.
    package var commandEnd: ProcessEnd?
}

/// A server that judges clients, as a command runs it.
package enum ClientSession {
    /// Serves cases until a client asks to shut down, the command has ended, or the task is cancelled; gives all results.
    ///
    /// `port`: on 127.0.0.1; 0 takes any that is free. `security`: TLS, nil for none. `command`: a client to run in a
    /// shell, with the server's address in `SQUALL_URL`.
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
            var child: JudgedProcess?
            let judge = try PortFailure.naming { () throws(SocketError) in
                try ClientJudge(
                    cases,
                    at: .common,
                    port: port,
                    security: security,
                    on: loop,
                    onFailure: { failure in
                        stop = { _ in }
                        JudgedProcess.end(child, on: loop) { end(.failure(failure)) }
                    },
                    onResult: onResult,
                    onUpdate: onUpdate,
                    onStop: { stop(nil) }
                )
            }
            child = try command.map { command in
                try JudgedProcess(command, port: judge.port, certificate: security?.certificate, on: loop) { stop($0) }
            }
            stop = { commandEnd in
                stop = { _ in }
                // What is being told is told before the loop goes.
                loop.assumeIsolated().scheduleTask(in: .milliseconds(100)) {
                    JudgedProcess.end(child, on: loop) {
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

/// The same for chat clients: until each case was played.
package enum ChatClientSession {
    /// Serves a case a connection; gives the results there are when all have one, the command has ended, or the task is
    /// cancelled.
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
            var child: JudgedProcess?
            let judge = try PortFailure.naming { () throws(SocketError) in
                try ChatClientJudge(
                    cases,
                    of: chat,
                    agent: agent,
                    at: .common,
                    port: port,
                    security: security,
                    on: loop,
                    onFailure: { failure in
                        stop = { _ in }
                        JudgedProcess.end(child, on: loop) { end(.failure(failure)) }
                    },
                    onResult: onResult,
                    onEnd: { stop(nil) }
                )
            }
            child = try command.map { command in
                try JudgedProcess(command, port: judge.port, chat: chat, certificate: security?.certificate, on: loop) {
                    stop($0)
                }
            }
            stop = { commandEnd in
                stop = { _ in }
                JudgedProcess.end(child, on: loop) {
                    end(.success(ClientOutcome(results: judge.allResults, commandEnd: commandEnd)))
                }
                judge.close()
            }
            onReady(judge.port)
            return { stop(nil) }
        }
    }
}
