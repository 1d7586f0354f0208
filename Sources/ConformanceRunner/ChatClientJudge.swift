import ChatWire
package import Conformance
import Faults
import Foundations
package import NIOCore
package import Sockets
import WebSocketWire

/// Judges chat clients: each connection to the profile's path is the next case, so that a client that comes back plays all.
///
/// Confined to its event loop.
package final class ChatClientJudge {
    package let port: Int
    private var listener: Listener?
    private let cases: [ChatCase]
    private let chat: ChatTarget
    private let agent: String
    private let loop: any EventLoop
    private let onResult: (ConformanceResult) -> Void
    private let onEnd: () -> Void
    private var next = 0
    private var results: [Int: ConformanceResult] = [:]

    /// Port 0 takes any that is free; `onEnd` comes once every case has a result.
    package init(
        _ cases: [ChatCase],
        of chat: ChatTarget,
        agent: String,
        at address: LoopbackAddress,
        port: Int,
        on loop: any EventLoop,
        onFailure: @escaping (SocketError) -> Void,
        onResult: @escaping (ConformanceResult) -> Void,
        onEnd: @escaping () -> Void
    ) throws(SocketError) {
        (self.cases, self.chat, self.agent, self.loop) = (cases, chat, agent, loop)
        (self.onResult, self.onEnd) = (onResult, onEnd)
        var accept: (Connection) -> Void = { _ in }
        let listener = try Listener(at: address, port: port, settings: .conformance, on: loop, onFailure: onFailure) {
            accept($0)
        }
        self.port = listener.port
        self.listener = listener
        accept = { [weak self] in self?.welcome($0) }
        try listener.set(.open)
    }

    package func close() {
        listener?.close()
        listener = nil
    }

    package var allResults: [ConformanceResult] { results.sorted { $0.key < $1.key }.map(\.value) }

    private func welcome(_ connection: Connection) {
        var parser = HTTPRequestParser()
        connection.onEvent = { [weak self, weak connection] event in
            guard let self, let connection else { return }
            guard case .received(let bytes) = event else { return connection.end(.fin) }
            parser.append(bytes)
            while let event = try? parser.next() {
                guard case .head(let head) = event else { continue }
                return serve(head, parser.takeRemainder(), on: connection)
            }
        }
    }

    private func serve(_ head: HTTPRequestHead, _ remainder: [UInt8], on connection: Connection) {
        guard next < cases.count, chat.wire.isWebSocket(target: head.target) else { return decline(connection) }
        let place = next
        let run = ChatRun.server(
            cases[place],
            chat,
            accepting: head,
            remainder: remainder,
            agent: agent,
            at: .uptime
        )
        guard let run else { return decline(connection) }
        next += 1
        _ = CasePlayer(run, over: connection, on: loop) { [weak self] in self?.finished($0, place) }
    }

    /// What has no case: HTTP of the chat, and connections beyond the last case.
    private func decline(_ connection: Connection) {
        let head = HTTPResponseHead(
            status: 404,
            reason: "Not Found",
            headers: ["Content-Length": "0", "Connection": "close"]
        )
        connection.write(head.encode())
        connection.end(.fin)
    }

    private func finished(_ result: ConformanceResult, _ place: Int) {
        results[place] = result
        onResult(result)
        if results.count == cases.count { onEnd() }
    }
}
