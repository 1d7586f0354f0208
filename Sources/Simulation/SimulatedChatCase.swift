import ChatWire
package import Conformance
package import FakeServer
import Faults
import SquallCore
import WebSocketWire

/// A chat-protocol conformance case that runs against the fake server in virtual time. Each connection is one of the
/// server's links.
package struct SimulatedChatCase {
    private var server: ChatServer
    private var run: ChatRun
    private var now = Instant.zero
    private var link: LinkID
    /// Links that were left open. They end with the current link.
    private var unread: [LinkID] = []
    private var number = 1
    /// The users on whose behalf the case connects; the server identifies each user by its link.
    private let users = [ClientID("squall"), ClientID("other")]
    /// The server's outputs that have not yet been delivered to the case.
    private var said: [ServerOutput] = []
    /// Changes the text of a server message before the case receives it; nil for no change.
    private let tamper: ((String) -> String)?

    package init(_ testCase: ChatCase, _ target: ChatTarget, _ server: ChatServer, tamper: ((String) -> String)? = nil)
    {
        (self.server, self.tamper) = (server, tamper)
        run = ChatRun.client(testCase, target, host: "chat", path: target.wire.webSocketPath, agent: "fake", at: .zero)
        link = LinkID(users[0], 1)
        if let foreign = target.foreignConversation {
            give(.action(.restrict(conversation: foreign, users: ["kerrigan"])))
        }
        give(.accepted(link))
    }

    /// Runs the case to its end; returns nil if the case never ends.
    package mutating func play() -> ConformanceResult? {
        for _ in 0..<10_000 {
            if let result = run.result { return result }
            let outputs = run.takeOutputs()
            guard outputs.isEmpty else {
                for output in outputs { perform(output) }
                continue
            }
            guard said.isEmpty else {
                deliver(said.removeFirst())
                continue
            }
            guard let due = [run.deadline, server.nextDeadline].compactMap(\.self).min() else { return nil }
            now = max(now, due)
            if let deadline = server.nextDeadline, deadline <= now { give(.timer) } else { run.tick(at: now) }
        }
        return nil
    }

    private mutating func perform(_ output: PeerOutput) {
        switch output {
        case .write(let bytes): give(.received(link, bytes))
        case .end(let how): give(.ended(link, how))
        case .reconnect(let how, let user):
            if let how {
                for link in unread + [link] { give(.ended(link, how)) }
                unread = []
            } else {
                unread.append(link)
            }
            number += 1
            link = LinkID(users[user], number)
            give(.accepted(link))
        case .command: break
        }
    }

    private mutating func give(_ input: ServerInput) { said += server.handle(input, at: now) }

    /// Delivers one server output to the case; outputs for a closed connection are dropped.
    private mutating func deliver(_ output: ServerOutput) {
        switch output {
        case .write(let to, let bytes) where to == link: run.receive(tampered(bytes), at: now)
        case .end(let to, let how) where to == link: run.receiveEnd(how, at: now)
        case .write, .end, .listen, .observe, .push: break
        }
    }
}

extension SimulatedChatCase {
    private func tampered(_ bytes: [UInt8]) -> [UInt8] {
        guard let tamper, bytes.first != UInt8(ascii: "H") else { return bytes }
        var (decoder, changed) = (FrameDecoder(role: .client, maxPayload: 1 << 20), [UInt8]())
        decoder.append(bytes)
        while var frame = try? decoder.next() {
            if frame.header.opcode == .text {
                let text = tamper(String(decoding: frame.payload, as: UTF8.self))
                frame = WebSocketFrame(.text, payload: Array(text.utf8))
            }
            frame.append(to: &changed)
        }
        return changed
    }
}
