import Adapter
import NIOCore
import ScenarioModel
import SquallCore
import Synchronization

/// Exchanges lines of the adapter protocol with an app over the control port.
final class AppTransport: ClientTransport {
    var onInput: (ForeignInput) -> Void = { _ in }
    private let port: AppPort
    private let gate = Gate()
    private var user = 0

    /// Reserves the app at control port `port` for a run. Once the app has connected, the client is reported as started
    /// with `addresses`.
    init(_ port: AppPort, at addresses: AdapterAddresses, on loop: any EventLoop) {
        self.port = port
        let transport = NIOLoopBound(self, eventLoop: loop)
        user = port.begin { [gate] event in
            gate.pass {
                loop.execute {
                    switch event {
                    case .started(let isReused): transport.value.onInput(.started(addresses, isReused: isReused))
                    case .input(let input): transport.value.onInput(input)
                    }
                }
            }
        }
    }

    func write(_ bytes: [UInt8]) { port.send(bytes, from: user) }
    // An app has no input stream to close.
    func closeInput() {}
    // An app cannot be paused from outside, so it cannot be used with scenarios that pause a client.
    func pause() {}
    func resume() {}

    func kill() {
        leave()
        port.kill(by: user)
    }

    func dismiss(within span: TimeSpan, then done: @escaping () -> Void) {
        end(isReusable: false)
        done()
    }

    /// Releases the app, so that other runs can use it.
    func end(isReusable: Bool, wasStarted: Bool = true) {
        leave()
        port.end(by: user, isReusable: isReusable, wasStarted: wasStarted)
    }

    private func leave() {
        gate.shut()
        onInput = { _ in }
    }
}

/// Executes closures on behalf of other threads, until the gate is shut.
///
/// Other threads cannot know whether a run's event loop has been shut down, and tasks must not be submitted to an event
/// loop after its shutdown.
final class Gate: Sendable {
    private let isOpen = Mutex(true)

    func pass(_ body: () -> Void) { isOpen.withLock { if $0 { body() } } }
    func shut() { isOpen.withLock { $0 = false } }
}
