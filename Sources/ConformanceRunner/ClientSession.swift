package import Conformance
import Foundation
import NIOCore
import NIOPosix
import Sockets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A server that judges clients, as a command runs it.
package enum ClientSession {
    /// Serves cases until a client asks to shut down, the command has ended, or it is interrupted; returns all results.
    ///
    /// `port`: on 127.0.0.1; 0 takes any that is free. `command`: a client to run in a shell, with the server's address
    /// in `SQUALL_URL`. `isInterrupted`: Asked ten times a second.
    package static func play(
        _ cases: [ConformanceCase],
        port: Int,
        command: String?,
        isInterrupted: @escaping @Sendable () -> Bool,
        onReady: @escaping @Sendable (Int) -> Void,
        onResult: @escaping @Sendable (ConformanceResult) -> Void,
        onUpdate: @escaping @Sendable ([ConformanceResult]) -> Void
    ) async throws -> [ConformanceResult] {
        try await OneLoop.run { loop, end in
            var stop: () -> Void = {}
            let judge = try ClientJudge(
                cases,
                at: .common,
                port: port,
                on: loop,
                onFailure: { end(.failure($0)) },
                onResult: onResult,
                onUpdate: onUpdate,
                onStop: { stop() }
            )
            let child = try command.map { try ClientProcess($0, url: "ws://127.0.0.1:\(judge.port)") }
            stop = {
                stop = {}
                // What is being told is told before the loop goes.
                loop.assumeIsolated().scheduleTask(in: .milliseconds(100)) {
                    child?.end()
                    judge.close()
                    end(.success(judge.allResults))
                }
            }
            onReady(judge.port)
            OneLoop.poll(on: loop, { isInterrupted() || child?.hasEnded ?? false }) { stop() }
        }
    }
}

/// The same for chat clients: until each case was played.
package enum ChatClientSession {
    /// Serves a case a connection; returns the results there are when all have one, the command has ended, or it is
    /// interrupted.
    package static func play(
        _ cases: [ChatCase],
        of chat: ChatTarget,
        agent: String,
        port: Int,
        command: String?,
        isInterrupted: @escaping @Sendable () -> Bool,
        onReady: @escaping @Sendable (Int) -> Void,
        onResult: @escaping @Sendable (ConformanceResult) -> Void
    ) async throws -> [ConformanceResult] {
        try await OneLoop.run { loop, end in
            var stop: () -> Void = {}
            let judge = try ChatClientJudge(
                cases,
                of: chat,
                agent: agent,
                at: .common,
                port: port,
                on: loop,
                onFailure: { end(.failure($0)) },
                onResult: onResult,
                onEnd: { stop() }
            )
            let child = try command.map { try ClientProcess($0, url: "ws://127.0.0.1:\(judge.port)") }
            stop = {
                stop = {}
                child?.end()
                judge.close()
                end(.success(judge.allResults))
            }
            onReady(judge.port)
            OneLoop.poll(on: loop, { isInterrupted() || child?.hasEnded ?? false }) { stop() }
        }
    }
}

/// A client that Squall runs itself.
private final class ClientProcess {
    private let process = Process()

    init(_ command: String, url: String) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment.merging(["SQUALL_URL": url]) { $1 }
        process.standardInput = FileHandle.nullDevice
        // Results are Squall's alone.
        process.standardOutput = FileHandle.standardError
        try process.run()
    }

    var hasEnded: Bool { !process.isRunning }

    /// In order, and by force where that does nothing: a child inherits the signals that its parent's thread blocks.
    func end() {
        guard process.isRunning else { return }
        process.terminate()
        let pid = process.processIdentifier
        for _ in 0..<50 where process.isRunning { usleep(10_000) }
        if process.isRunning { kill(pid, SIGKILL) }
    }
}
