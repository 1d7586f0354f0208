import NIOCore
import Processes
import ScenarioModel
import SquallCore

/// Exchanges lines of the adapter protocol with one foreign client (one that is not part of Squall): a process, an app,
/// or code inside this process.
///
/// A transport must be used only on its event loop.
protocol ClientTransport: AnyObject {
    var onInput: (ForeignInput) -> Void { get set }
    func write(_ bytes: [UInt8])
    func closeInput()
    /// Pauses the client until ``resume()`` is called, as a phone does to an app in the background.
    func pause()
    func resume()
    /// Kills the client, after which it sends no further input.
    func kill()
    /// Asks the client to exit, and kills it if it has not done so after `span`. `done` is called once the client has
    /// ended.
    func dismiss(within span: TimeSpan, then done: @escaping () -> Void)
}

/// Exchanges lines of the adapter protocol with a client process over its standard input and output.
final class ProcessTransport: ClientTransport {
    let process: ChildProcess

    init(_ process: ChildProcess) {
        self.process = process
    }

    var onInput: (ForeignInput) -> Void = { _ in } {
        didSet {
            process.onEvent = { [onInput] event in
                switch event {
                case .output(let bytes): onInput(.output(bytes))
                case .errors(let bytes): onInput(.errors(bytes))
                case .outputClosed: onInput(.outputClosed)
                case .exited(let end): onInput(.exited(end))
                }
            }
        }
    }

    func write(_ bytes: [UInt8]) { process.write(bytes) }
    func closeInput() { process.closeInput() }
    func pause() { process.pause() }
    func resume() { process.resume() }
    func kill() { process.kill() }
    func dismiss(within span: TimeSpan, then done: @escaping () -> Void) { process.dismiss(within: span, then: done) }
}

/// Exchanges lines of the adapter protocol with a client that runs inside this process.
final class HostedTransport: ClientTransport {
    var onInput: (ForeignInput) -> Void = { _ in }
    private var client: (any HostedClient)?
    private let gate = Gate()

    init(_ clients: HostedClients, at place: HostedClients.Place, on loop: any EventLoop) {
        let transport = NIOLoopBound(self, eventLoop: loop)
        var place = place
        place.send = { [gate] input in
            gate.pass { loop.execute { transport.value.onInput(input) } }
        }
        client = clients.begin(place)
    }

    func write(_ bytes: [UInt8]) { client?.take(bytes) }
    // A hosted client has no input stream to close.
    func closeInput() {}
    // A hosted client cannot be paused, so it cannot be used with scenarios that pause a client.
    func pause() {}
    func resume() {}

    func kill() {
        gate.shut()
        onInput = { _ in }
        client?.end()
        client = nil
    }

    func dismiss(within span: TimeSpan, then done: @escaping () -> Void) {
        kill()
        done()
    }
}
