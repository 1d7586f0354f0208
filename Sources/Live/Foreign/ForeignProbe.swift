package import Adapter
import NIOCore
import NIOPosix
import Processes
import ScenarioModel
import Sockets
import SquallCore

/// Asks a client's adapter, once before a suite, which observables and commands it supports.
package enum ForeignProbe {
    /// The client whose adapter is probed.
    package enum Subject: Sendable {
        /// The client that the given command starts. The probe starts it and waits for it to exit.
        case command(String)
        /// The app that polls the given control port. The probe waits until the app connects.
        case app(AppPort)
    }

    /// Sends `init` with addresses at which no server listens, and returns the capabilities that the adapter reports.
    ///
    /// A process that was started for the probe has exited when this method returns or throws.
    ///
    /// - Throws: ``AdapterFailure`` if the client cannot be started or does not respond correctly; `CancellationError`
    ///   if the task is cancelled.
    package static func ask(
        _ subject: Subject,
        limits: AdapterLimits = AdapterLimits()
    ) async throws -> AdapterCapabilities {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let answer: Result<AdapterCapabilities, any Error>
        do {
            answer = .success(try await ask(subject, limits: limits, on: group.next()))
        } catch {
            answer = .failure(error)
        }
        try await group.shutdownGracefully()
        let offer = try answer.get()
        if case .app(let port) = subject { port.recordCapabilities(offer) }
        return offer
    }

    private static func ask(
        _ subject: Subject,
        limits: AdapterLimits,
        on loop: any EventLoop
    ) async throws -> AdapterCapabilities {
        let promise = loop.makePromise(of: AdapterCapabilities.self)
        let stage = NIOLoopBoundBox.makeEmptyBox(valueType: Stage.self, eventLoop: loop)
        return try await withTaskCancellationHandler {
            loop.execute {
                if case .cancelled? = stage.value { return promise.fail(CancellationError()) }
                let probe = Probe(limits: limits, on: loop) { result in
                    stage.value = nil
                    promise.completeWith(result)
                }
                stage.value = .asking(probe)
                probe.begin(subject)
            }
            return try await promise.futureResult.get()
        } onCancel: {
            loop.execute {
                // A probe that is waiting ends now. A probe that has not started yet is cancelled when it starts.
                if case .asking(let probe)? = stage.value {
                    probe.end(.failure(CancellationError()))
                } else {
                    stage.value = .cancelled
                }
            }
        }
    }

    private enum Stage {
        case asking(Probe)
        case cancelled
    }
}

/// Sends `init` to one client and waits for the response.
private final class Probe {
    private let loop: any EventLoop
    private let onEnd: (Result<AdapterCapabilities, any Error>) -> Void
    private var session: AdapterSession
    private var transport: (any ClientTransport)?
    private var alarm: Scheduled<Void>?
    private var isOver = false
    private var folder: TemporaryFolder?

    init(
        limits: AdapterLimits,
        on loop: any EventLoop,
        onEnd: @escaping (Result<AdapterCapabilities, any Error>) -> Void
    ) {
        session = AdapterSession(limits: limits)
        self.loop = loop
        self.onEnd = onEnd
    }

    private var now: Instant { .uptime }

    /// Returns addresses at which no server listens.
    private func addresses(isFresh: Bool?) -> AdapterAddresses {
        AdapterAddresses(endpoint: "127.0.0.1:9", path: "/ws", stateFolder: folder?.path, isFresh: isFresh)
    }

    func begin(_ subject: ForeignProbe.Subject) {
        switch subject {
        case .command(let command): begin(command)
        case .app(let port): carry(by: AppTransport(port, at: addresses(isFresh: true), on: loop))
        }
    }

    private func begin(_ command: String) {
        folder = try? TemporaryFolder(in: nil)
        let greeting = greeting(addresses(isFresh: nil))
        do throws(SocketError) {
            let process = try ChildProcess(command, variables: greeting.environment, on: loop)
            carry(by: ProcessTransport(process))
            ask(greeting)
        } catch {
            take(session.couldNotStart("\(error)"))
        }
    }

    private func carry(by transport: any ClientTransport) {
        self.transport = transport
        transport.onInput = { [weak self] in self?.take($0) }
    }

    private func greeting(_ addresses: AdapterAddresses) -> AdapterInit {
        AdapterInit(client: "probe", addresses: addresses, key: "probe", seed: 0)
    }

    private func ask(_ greeting: AdapterInit) {
        transport?.write(session.ask(greeting.command, at: now))
        setAlarm()
    }

    private func take(_ input: ForeignInput) {
        switch input {
        case .started(let addresses, _): ask(greeting(addresses))
        case .couldNotStart(let why): take(session.couldNotStart(why))
        case .gone(let kind): take(session.gone(kind))
        case .output(let bytes): take(session.receive(bytes, at: now))
        case .errors(let bytes): session.receiveErrors(bytes)
        case .outputClosed: session.outputClosed(at: now)
        case .exited(let end): take(session.exited(end))
        case .exhausted: break
        }
        setAlarm()
    }

    private func take(_ signals: [AdapterSignal]) {
        for signal in signals {
            switch signal {
            case .ready(let offer): end(.success(offer))
            case .closeInput: transport?.closeInput()
            case .failed(let failure): end(.failure(failure))
            case .reset, .done, .refused, .event, .ignored: break
            }
        }
    }

    private func setAlarm() {
        alarm?.cancel()
        alarm = nil
        guard !isOver, let deadline = session.nextDeadline else { return }
        alarm = loop.assumeIsolated().scheduleTask(
            deadline: .uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))
        ) { [weak self] in
            guard let self else { return }
            self.take(self.session.timer(at: self.now))
            self.setAlarm()
        }
    }

    func end(_ result: Result<AdapterCapabilities, any Error>) {
        guard !isOver else { return }
        isOver = true
        alarm?.cancel()
        let leave = { [folder, onEnd] in
            folder?.remove()
            onEnd(result)
        }
        guard let transport else { return leave() }
        self.transport = nil
        if let app = transport as? AppTransport {
            app.end(isReusable: true, wasStarted: false)
            leave()
        } else {
            transport.dismiss(within: .milliseconds(200), then: leave)
        }
    }
}
