import Adapter
import ChatWire
import Conformance
import Foundation
import NIOCore
import Processes
import Sockets
import SquallCore

/// A client that Squall runs itself: a command in a shell, whose output is for people and goes to standard error.
///
/// Confined to its event loop.
final class JudgedProcess {
    private let process: ChildProcess

    /// The server's address is in the command's `SQUALL_URL`, and everything also where `squall run` puts it; `certificate`: the
    /// path of the authority's to be trusted. `onExit`: how it ended by itself.
    init(
        _ command: String,
        port: Int,
        chat: ChatTarget? = nil,
        certificate: String? = nil,
        on loop: any EventLoop,
        onExit: @escaping (ProcessEnd) -> Void
    ) throws(SocketError) {
        func addresses(_ path: String) -> AdapterAddresses {
            AdapterAddresses(endpoint: "127.0.0.1:\(port)", path: path, authorityFile: certificate)
        }
        let own = [(name: "SQUALL_URL", value: addresses("").webSocketURL)]
        let variables = own + addresses(chat?.wire.webSocketPath ?? "").environment(of: "squall", key: chat?.key ?? "")
        process = try ChildProcess(command, variables: variables, on: loop)
        process.onEvent = { event in
            switch event {
            // Results are Squall's alone.
            case .output(let bytes), .errors(let bytes): try? FileHandle.standardError.write(contentsOf: Data(bytes))
            case .outputClosed: break
            case .exited(let end): onExit(end)
            }
        }
    }

    /// In order, and by force where that does nothing, with all that it began; `done` is called then, never before this returns.
    static func end(_ judged: JudgedProcess?, on loop: any EventLoop, then done: @escaping () -> Void) {
        let later = { loop.assumeIsolated().execute(done) }
        guard let process = judged?.process else { return later() }
        process.onEvent = { _ in }
        process.terminate()
        process.dismiss(within: .milliseconds(500), then: later)
    }
}
