import Adapter
import ChatWire
import Conformance
import Foundation
import Foundations
import NIOCore
import Processes
import Sockets

/// A client that Squall runs itself: a command in a shell, whose output is for people and goes to standard error.
///
/// Confined to its event loop.
final class JudgedProcess {
    private let process: ChildProcess

    /// `url` is in the command's `SQUALL_URL`, and for a chat client also where `squall run` puts it; `certificate`, the
    /// path of the authority's to be trusted, in `SQUALL_CA_FILE`. `onExit`: how it ended by itself.
    init(
        _ command: String,
        url: String,
        chat: ChatTarget? = nil,
        certificate: String? = nil,
        on loop: any EventLoop,
        onExit: @escaping (ProcessEnd) -> Void
    ) throws(SocketError) {
        var variables = [(name: "SQUALL_URL", value: url)]
        if let certificate { variables.append((name: "SQUALL_CA_FILE", value: certificate)) }
        if let chat {
            variables += [
                (name: "SQUALL_WS_URL", value: url + chat.wire.webSocketPath),
                (name: "SQUALL_HTTP_URL", value: "http" + url.dropFirst(2)), (name: "SQUALL_KEY", value: chat.key),
            ]
        }
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

    /// In order, and by force where that does nothing, with all that it began.
    func end() {
        process.onEvent = { _ in }
        process.terminate()
        process.dismiss(within: .milliseconds(500))
    }
}
