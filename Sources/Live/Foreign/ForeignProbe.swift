package import Adapter
import NIOCore
import NIOPosix
import Processes
import Sockets
import SquallCore

/// Asks a client's adapter, once before a suite, what the client can show and do.
package enum ForeignProbe {
    /// Starts `command`, sends `init` with addresses that lead nowhere, and ends the process when it has answered.
    ///
    /// No process is left when this returns or throws.
    ///
    /// - Throws: ``AdapterFailure`` when the command cannot be started or does not answer properly; `CancellationError`
    ///   when the task is cancelled.
    package static func ask(
        _ command: String,
        limits: AdapterLimits = AdapterLimits()
    ) async throws -> ClientOffer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let answer: Result<ClientOffer, any Error>
        do {
            answer = .success(try await ask(command, limits: limits, on: group.next()))
        } catch {
            answer = .failure(error)
        }
        try await group.shutdownGracefully()
        return try answer.get()
    }

    private static func ask(
        _ command: String,
        limits: AdapterLimits,
        on loop: any EventLoop
    ) async throws -> ClientOffer {
        let promise = loop.makePromise(of: ClientOffer.self)
        let stage = NIOLoopBoundBox.makeEmptyBox(valueType: Stage.self, eventLoop: loop)
        return try await withTaskCancellationHandler {
            loop.execute {
                if case .cancelled? = stage.value { return promise.fail(CancellationError()) }
                let probe = Probe(limits: limits, on: loop) { result in
                    stage.value = nil
                    promise.completeWith(result)
                }
                stage.value = .asking(probe)
                probe.begin(command)
            }
            return try await promise.futureResult.get()
        } onCancel: {
            loop.execute {
                // A probe that waits is ended now; one that has not begun finds `.cancelled` when it would.
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

/// One process that is asked for its `init` answer.
private final class Probe {
    private let loop: any EventLoop
    private let onEnd: (Result<ClientOffer, any Error>) -> Void
    private var session: AdapterSession
    private var process: ChildProcess?
    private var alarm: Scheduled<Void>?
    private var isOver = false
    private var folder: TemporaryFolder?

    init(
        limits: AdapterLimits,
        on loop: any EventLoop,
        onEnd: @escaping (Result<ClientOffer, any Error>) -> Void
    ) {
        session = AdapterSession(limits: limits)
        self.loop = loop
        self.onEnd = onEnd
    }

    private var now: Instant { .uptime }

    func begin(_ command: String) {
        folder = try? TemporaryFolder(in: nil)
        let greeting = AdapterInit(
            client: "probe",
            addresses: AdapterAddresses(endpoint: "127.0.0.1:9", path: "/ws", stateFolder: folder?.path),
            key: "probe",
            seed: 0
        )
        let line = session.ask(greeting.command, at: now)
        do throws(SocketError) {
            let process = try ChildProcess(command, variables: greeting.environment, on: loop)
            self.process = process
            process.onEvent = { [weak self] in self?.take($0) }
            process.write(line)
            setAlarm()
        } catch {
            take(session.couldNotStart("\(error)"))
        }
    }

    private func take(_ event: ChildProcess.Event) {
        switch event {
        case .output(let bytes): take(session.receive(bytes, at: now))
        case .errors(let bytes): session.receiveErrors(bytes)
        case .outputClosed: session.outputClosed(at: now)
        case .exited(let end): take(session.exited(end))
        }
        setAlarm()
    }

    private func take(_ signals: [AdapterSignal]) {
        for signal in signals {
            switch signal {
            case .ready(let offer): end(.success(offer))
            case .closeInput: process?.closeInput()
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

    func end(_ result: Result<ClientOffer, any Error>) {
        guard !isOver else { return }
        isOver = true
        alarm?.cancel()
        let leave = { [folder, onEnd] in
            folder?.remove()
            onEnd(result)
        }
        guard let process else { return leave() }
        self.process = nil
        process.dismiss(within: .milliseconds(200), then: leave)
    }
}
