import Adapter
import ChatWire
import Conformance
import NIOCore
import Processes
import Sockets
import SquallCore

/// A client behind its adapter, as one process: started, told where its server is, and what its user wants.
///
/// Confined to its event loop.
final class AdapterClient {
    private let loop: any EventLoop
    private var session = AdapterSession()
    private var process: ChildProcess?
    private var alarm: Scheduled<Void>?
    private let onReady: (ClientOffer) -> Void
    private let onFailure: (AdapterFailure) -> Void

    /// `onReady`: `init` is answered. `onFailure`: nothing more is to be had of it.
    init(
        on loop: any EventLoop,
        onReady: @escaping (ClientOffer) -> Void,
        onFailure: @escaping (AdapterFailure) -> Void
    ) {
        (self.loop, self.onReady, self.onFailure) = (loop, onReady, onFailure)
    }

    /// Begins the command, and says `init`.
    ///
    /// `certificate`: the path of the authority's that it has to trust; nil where its server has no TLS.
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

    /// From here on it connects.
    func start() { ask(AdapterCommand("start")) }

    func emit(_ wish: ClientWish) {
        switch wish {
        case .send(let conversation, let text):
            ask(
                AdapterCommand(
                    wish.word,
                    [
                        JSONMember("conversation", .string(conversation)), JSONMember("text", .string(text)),
                        JSONMember("label", .null),
                    ]
                )
            )
        }
    }

    /// At once, with all that it began: it is not to come back while the next case is played.
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
            // What it shows is of no interest here: the wire tells.
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
