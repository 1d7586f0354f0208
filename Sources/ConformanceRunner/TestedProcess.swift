import Adapter
import ChatWire
import Conformance
import Foundation
import NIOCore
import Processes
import Sockets
import SquallCore

/// A client that Squall runs as a shell command. Its output is forwarded to standard error for the user.
///
/// It must be used only on its event loop.
final class TestedProcess {
    private let process: ChildProcess

    /// Starts the command. The server's address is in the environment variable `SQUALL_URL` and in the variables that
    /// `squall run` sets.
    ///
    /// `certificate` is the path of the CA certificate to trust. `onExit` is called if the command exits on its own.
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
            // Standard output is reserved for Squall's results.
            case .output(let bytes), .errors(let bytes): try? FileHandle.standardError.write(contentsOf: Data(bytes))
            case .outputClosed: break
            case .exited(let end): onExit(end)
            }
        }
    }

    /// Terminates the process and its children, by force if necessary. `done` is called after the process has ended,
    /// and never before this function returns.
    static func end(_ judged: TestedProcess?, on loop: any EventLoop, then done: @escaping () -> Void) {
        let later = { loop.assumeIsolated().execute(done) }
        guard let process = judged?.process else { return later() }
        process.onEvent = { _ in }
        process.terminate()
        process.dismiss(within: .milliseconds(500), then: later)
    }
}
