import Adapter
import NIOCore
import ScenarioModel
import SquallCore
import Synchronization

/// Exchanges lines with an app over the control port.
final class AppCarrier: ClientCarrier {
    var onInput: (ForeignInput) -> Void = { _ in }
    private let port: AppPort
    private let gate = Gate()
    private var user = 0

    /// Claims the app of `port` for a run. Once the app has connected, it is reported as started with these addresses.
    init(_ port: AppPort, at addresses: AdapterAddresses, on loop: any EventLoop) {
        self.port = port
        let carrier = NIOLoopBound(self, eventLoop: loop)
        user = port.begin { [gate] event in
            gate.pass {
                loop.execute {
                    switch event {
                    case .started(let isReused): carrier.value.onInput(.started(addresses, isReused: isReused))
                    case .input(let input): carrier.value.onInput(input)
                    }
                }
            }
        }
    }

    func write(_ bytes: [UInt8]) { port.send(bytes, from: user) }
    // An app has no input stream that could be closed.
    func closeInput() {}
    // An app cannot be paused from outside, so scenarios that pause a client are not played with an app.
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

    /// Returns the app to the port, so that other runs can use it.
    func end(isReusable: Bool, wasStarted: Bool = true) {
        leave()
        port.end(by: user, isReusable: isReusable, wasStarted: wasStarted)
    }

    private func leave() {
        gate.shut()
        onInput = { _ in }
    }
}

/// Executes closures of other threads until it is shut.
///
/// Other threads do not know when a run's event loop is shut down, and an event loop that was shut down must not get
/// tasks.
final class Gate: Sendable {
    private let isOpen = Mutex(true)

    func pass(_ body: () -> Void) { isOpen.withLock { if $0 { body() } } }
    func shut() { isOpen.withLock { $0 = false } }
}
