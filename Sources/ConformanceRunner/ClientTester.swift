package import Conformance
import Faults
package import NIOCore
package import Sockets
import SquallCore
import WebSocketWire

/// Runs cases against clients that echo messages. The tester is a server whose request paths select the action, and is
/// compatible with the test drivers of the Autobahn test suite.
///
/// The tester must be used only on its event loop.
package final class ClientTester {
    package var port: Int { acceptor?.port ?? 0 }
    private var acceptor: HTTPAcceptor?
    private let cases: [ConformanceCase]
    private let loop: any EventLoop
    private let onResult: (ConformanceResult) -> Void
    private let onUpdate: ([ConformanceResult]) -> Void
    private let onStop: () -> Void
    /// The latest results, by agent and case index.
    private var results: [String: [Int: ConformanceResult]] = [:]
    /// The cases in progress.
    private var playing: [(place: Int, agent: String)] = []
    private var waiting: [(place: Int, agent: String, emit: Responder)] = []

    /// Sends a text message, unless the text is nil, and closes the WebSocket.
    private typealias Responder = (String?) -> Void

    /// Starts listening; port 0 selects a free port. `onResult` is called when a case has ended, `onUpdate` when a
    /// client requests reports, and `onStop` when a client requests a shutdown.
    package init(
        _ cases: [ConformanceCase],
        at address: LocalAddress,
        port: Int,
        security: ListenerSecurity? = nil,
        on loop: any EventLoop,
        onFailure: @escaping (SocketError) -> Void,
        onResult: @escaping (ConformanceResult) -> Void,
        onUpdate: @escaping ([ConformanceResult]) -> Void,
        onStop: @escaping () -> Void
    ) throws(SocketError) {
        (self.cases, self.loop) = (cases, loop)
        (self.onResult, self.onUpdate, self.onStop) = (onResult, onUpdate, onStop)
        acceptor = try HTTPAcceptor(at: address, port: port, security: security, on: loop, onFailure: onFailure) {
            [weak self] in
            self?.serve($0)
        }
    }

    package func close() {
        acceptor?.close()
        acceptor = nil
    }

    /// All results so far, sorted by agent and case.
    package var allResults: [ConformanceResult] {
        results.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.key < $1.key }.map(\.value) }
    }

    private func serve(_ caller: HTTPAcceptor.Caller) {
        let (head, connection) = (caller.head, caller.connection)
        do throws(ControlAddress.Problem) {
            switch try ControlAddress(target: head.target, cases: cases) {
            case .runCase(let place, let agent):
                let run = CaseRun.server(
                    cases[place - 1],
                    accepting: head,
                    remainder: caller.remainder,
                    agent: agent,
                    seed: Seed(UInt64(place)),
                    at: .uptime
                )
                playing.append((place, agent))
                _ = CaseRunner(run, over: connection, on: loop) { [weak self] in self?.finished($0, place, agent) }
            case .caseCount: open(head, on: connection)?("\(cases.count)")
            case .caseInfo(let place):
                let testCase = cases[place - 1]
                let info: JSON = ["id": .string(testCase.id.description), "description": .string(testCase.title)]
                open(head, on: connection)?(info.description)
            case .caseStatus(let place, let agent):
                guard let emit = open(head, on: connection) else { return }
                if let result = results[agent]?[place] {
                    emit(Self.status(result))
                } else if playing.contains(where: { $0 == (place, agent) }) {
                    waiting.append((place, agent, emit))
                } else {
                    // The case may never be run, so the client must not wait for its result.
                    emit(nil)
                }
            case .updateReports(let shutsDown):
                onUpdate(allResults)
                open(head, on: connection)?(nil)
                if shutsDown { onStop() }
            case .stop:
                open(head, on: connection)?(nil)
                onStop()
            }
        } catch {
            HTTPAcceptor.answer(connection, error.status, error.message)
        }
    }

    private func finished(_ result: ConformanceResult, _ place: Int, _ agent: String) {
        if let index = playing.firstIndex(where: { $0 == (place, agent) }) { playing.remove(at: index) }
        results[agent, default: [:]][place] = result
        onResult(result)
        let due = waiting.filter { $0.place == place && $0.agent == agent }
        waiting.removeAll { $0.place == place && $0.agent == agent }
        for wait in due { wait.emit(Self.status(result)) }
    }

    private static func status(_ result: ConformanceResult) -> String {
        let status: JSON = ["behavior": .string(result.behavior.rawValue)]
        return status.description
    }

    /// Opens the requested WebSocket; returns nil if the request is not a valid handshake.
    private func open(_ head: HTTPRequestHead, on connection: Connection) -> Responder? {
        do throws(HandshakeError) {
            var socket = try WebSocketConnection.server(accepting: head)
            connection.write(socket.takeOutput())
            connection.onEvent = { [weak connection] event in
                switch event {
                case .received(let bytes): _ = socket.receive(bytes)
                case .ended: _ = socket.receiveEnd()
                }
                connection?.write(socket.takeOutput())
                if socket.shouldEndStream { connection?.end(.fin) }
            }
            return { [weak connection] text in
                if let text { socket.sendText(text) }
                socket.sendClose(.normal)
                connection?.write(socket.takeOutput())
            }
        } catch {
            connection.write(error.response.encode())
            connection.end(.fin)
            return nil
        }
    }
}
