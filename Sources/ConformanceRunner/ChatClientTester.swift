import ChatWire
package import Conformance
import Faults
package import NIOCore
package import Sockets
import SquallCore
import WebSocketWire

/// Runs cases against chat clients. Each connection to the profile's path runs the next case, unless the current case
/// is waiting for the client to reconnect. A client that keeps reconnecting therefore runs all cases.
///
/// Other HTTP requests receive minimal valid responses.
///
/// The tester must be used only on its event loop.
package final class ChatClientTester {
    package var port: Int { acceptor?.port ?? 0 }
    private var acceptor: HTTPAcceptor?
    private let cases: [ChatCase]
    private let chat: ChatTarget
    private let agent: String
    private let loop: any EventLoop
    private let onCall: () -> Void
    private let onCommand: (UserAction) -> Void
    private let onResult: (ConformanceResult) -> Void
    private let onEnd: () -> Void
    private var next = 0
    private var results: [Int: ConformanceResult] = [:]
    /// The index of the case that is waiting for the client to reconnect, and the callback for the new connection.
    private var waiting: (place: Int, emit: ((connection: Connection, said: [UInt8])?) -> Void)?

    /// Starts listening; port 0 selects a free port. `onCall` is called when the client opens a WebSocket, `onCommand`
    /// with commands for the client, and `onEnd` when every case has a result.
    package init(
        _ cases: [ChatCase],
        of chat: ChatTarget,
        agent: String,
        at address: LocalAddress,
        port: Int,
        security: ListenerSecurity? = nil,
        on loop: any EventLoop,
        onFailure: @escaping (SocketError) -> Void,
        onCall: @escaping () -> Void = {},
        onCommand: @escaping (UserAction) -> Void = { _ in },
        onResult: @escaping (ConformanceResult) -> Void,
        onEnd: @escaping () -> Void
    ) throws(SocketError) {
        (self.cases, self.chat, self.agent, self.loop) = (cases, chat, agent, loop)
        (self.onCall, self.onCommand, self.onResult, self.onEnd) = (onCall, onCommand, onResult, onEnd)
        acceptor = try HTTPAcceptor(at: address, port: port, security: security, on: loop, onFailure: onFailure) {
            [weak self] in
            self?.serve($0)
        }
    }

    package func close() {
        acceptor?.close()
        acceptor = nil
    }

    package var allResults: [ConformanceResult] { results.sorted { $0.key < $1.key }.map(\.value) }

    private func serve(_ caller: HTTPAcceptor.Caller) {
        let connection = caller.connection
        guard chat.wire.isWebSocket(target: caller.head.target) else {
            return answer(ChatHTTPStub.answer(caller.head, chat.wire), on: connection)
        }
        do throws(HandshakeError) {
            _ = try WebSocketHandshake.accept(caller.head)
        } catch {
            return answer(error.response.encode(), on: connection)
        }
        onCall()
        let said = caller.head.encode() + caller.remainder
        if let waiting {
            self.waiting = nil
            return waiting.emit((connection, said))
        }
        // The client has reconnected, but all cases have already been run.
        guard next < cases.count else {
            return HTTPAcceptor.answer(connection, 503, "all cases were played")
        }
        play(next, over: connection, said)
    }

    private func play(_ place: Int, over connection: Connection, _ said: [UInt8]) {
        next += 1
        _ = CaseRunner(
            ChatRun.server(cases[place], chat, agent: agent, at: .uptime),
            over: connection,
            said: said,
            on: loop,
            redial: { [weak self] in self?.waiting = (place, $0) },
            onCommand: onCommand
        ) { [weak self] in self?.finished($0, place) }
    }

    private func answer(_ bytes: [UInt8], on connection: Connection) {
        connection.onEvent = { _ in }
        connection.write(bytes)
        connection.end(.fin)
    }

    private func finished(_ result: ConformanceResult, _ place: Int) {
        results[place] = result
        if waiting?.place == place { waiting = nil }
        onResult(result)
        if results.count == cases.count { onEnd() }
    }
}
