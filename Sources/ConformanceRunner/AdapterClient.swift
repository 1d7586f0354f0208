import Adapter
import ChatWire
import Conformance
import NIOCore
import Processes
import Sockets
import SquallCore

/// A client that runs in its own process and is controlled through the adapter protocol.
///
/// It must be used only on its event loop.
final class AdapterClient {
    private let loop: any EventLoop
    private var session = AdapterSession()
    private var process: ChildProcess?
    private var alarm: Scheduled<Void>?
    private let onReady: (AdapterCapabilities) -> Void
    private let onFailure: (AdapterFailure) -> Void

    /// Creates a client. `onReady` is called when the client has answered `init`, and `onFailure` when it can no longer
    /// be used.
    init(
        on loop: any EventLoop,
        onReady: @escaping (AdapterCapabilities) -> Void,
        onFailure: @escaping (AdapterFailure) -> Void
    ) {
        (self.loop, self.onReady, self.onFailure) = (loop, onReady, onFailure)
    }

    /// Starts the command and sends `init`.
    ///
    /// `certificate` is the path of the CA certificate that the client must trust; nil if TLS is not used.
    func begin(_ command: String, port: Int, path: String, key: String, certificate: String? = nil) {
        let greeting = AdapterInit(
            client: "squall",
            addresses: AdapterAddresses(endpoint: "127.0.0.1:\(port)", path: path, authorityFile: certificate),
            key: key,
            seed: 1
        )
        do throws(SocketError) {
            let process = try ChildProcess(command, variables: greeting.environment, on: loop)
            self.process = process
            process.onEvent = { [weak self] in self?.take($0) }
            ask(greeting.command)
        } catch {
            take(session.couldNotStart("\(error)"))
        }
    }

    /// Sends `start`, which makes the client connect.
    func start() { ask(AdapterCommand("start")) }

    func emit(_ command: UserAction) {
        switch command {
        case .send(let conversation, let text):
            ask(
                AdapterCommand(
                    command.word,
                    [
                        JSONMember("conversation", .string(conversation)), JSONMember("text", .string(text)),
                        JSONMember("label", .null),
                    ]
                )
            )
        }
    }

    /// Kills the process and its children immediately, so that the client does not reconnect during the next case.
    func end() {
        alarm?.cancel()
        alarm = nil
        session.end()
        process?.kill()
        process = nil
    }

    private func ask(_ command: AdapterCommand) {
        process?.write(session.ask(command, at: .uptime))
        setAlarm()
    }

    private func take(_ event: ChildProcess.Event) {
        switch event {
        case .output(let bytes): take(session.receive(bytes, at: .uptime))
        case .errors(let bytes): session.receiveErrors(bytes)
        case .outputClosed: session.outputClosed(at: .uptime)
        case .exited(let end): take(session.exited(end))
        }
        setAlarm()
    }

    private func take(_ signals: [AdapterSignal]) {
        for signal in signals {
            switch signal {
            case .ready(let offer): onReady(offer)
            case .closeInput: process?.closeInput()
            case .failed(let failure): onFailure(failure)
            // The test observes the client's bytes on the wire, not what the client reports.
            case .reset, .done, .refused, .event, .ignored: break
            }
        }
    }

    private func setAlarm() {
        alarm?.cancel()
        alarm = nil
        guard let deadline = session.nextDeadline else { return }
        let pause = max((deadline - .uptime).nanoseconds, 0)
        alarm = loop.assumeIsolated().scheduleTask(in: .nanoseconds(pause)) { [weak self] in
            guard let self else { return }
            take(session.timer(at: .uptime))
            setAlarm()
        }
    }
}
