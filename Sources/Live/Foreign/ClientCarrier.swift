import NIOCore
import Processes
import ScenarioModel
import SquallCore
import Synchronization

/// What carries the adapter's lines to a client and back: a process, or code within this one.
///
/// Confined to its event loop.
protocol ClientCarrier: AnyObject {
    var onInput: (ForeignInput) -> Void { get set }
    func write(_ bytes: [UInt8])
    func closeInput()
    func pause()
    func resume()
    /// At once; nothing of it is told any more.
    func kill()
    /// It may take so long to leave; `done` is called once nothing of it is left.
    func dismiss(within span: TimeSpan, then done: @escaping () -> Void)
}

/// The client is a process.
final class ProcessCarrier: ClientCarrier {
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

/// The client is somebody's code within this process.
final class HostedCarrier: ClientCarrier {
    var onInput: (ForeignInput) -> Void = { _ in }
    private var client: (any HostedClient)?
    private let gate = Gate()

    /// Whether anybody listens. A loop that is shut down must not be asked, and whoever speaks here does not know of it.
    private final class Gate: Sendable {
        private let isOpen = Mutex(true)

        func pass(_ body: () -> Void) { isOpen.withLock { if $0 { body() } } }
        func shut() { isOpen.withLock { $0 = false } }
    }

    init(_ clients: HostedClients, at place: HostedClients.Place, on loop: any EventLoop) {
        let carrier = NIOLoopBound(self, eventLoop: loop)
        var place = place
        place.say = { [gate] input in
            gate.pass { loop.execute { carrier.value.onInput(input) } }
        }
        client = clients.begin(place)
    }

    func write(_ bytes: [UInt8]) { client?.take(bytes) }
    // Its code has no input that could end; what it throws is told at once.
    func closeInput() {}
    // Nobody can stop a part of a process; scenarios that would are not played with it.
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
