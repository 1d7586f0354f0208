import ChatWire
import NIOCore
import ReferenceClient
import ScenarioModel
import Sockets
import SquallCore

/// Plays one run on one event loop: takes what the network brings, has the run decide, carries out what it wants, and moves
/// the clock.
///
/// A turn of the loop is quiet when no event came with it, nothing fell due, and at its end nothing was under way on any
/// connection, in libcurl or on its way to disk. After two quiet turns in a row only a deadline of the run can change
/// anything, and a leaping clock jumps there: what the kernel finished delivering behind the back of the first turn is an
/// event of the second.
final class LiveDriver<Run: DrivenRun> {
    private var run: Run
    private let options: LiveOptions
    private let loop: any EventLoop
    private let network: LiveNetwork
    private let onEnd: (Result<Run.Result, any Error>) -> Void
    private var turns: LoopTurns?
    private var clock: LeapingClock
    private var alarm: Scheduled<Void>?

    private var inbox: [TransportInput] = []
    private var isHandling = false
    private var isOver = false
    /// The time of the latest input.
    private var now = Instant.zero

    private var moved = true
    private var quietTurns = 0
    private var lastMove: Instant

    /// Something happened, or seemed to, so often at one instant that time will not go on.
    private static var wakeLimit: Int { 100_000 }

    /// Begins at once; `onEnd` is called once everything that was taken is given back.
    init(
        _ run: Run,
        options: LiveOptions,
        on loop: any EventLoop,
        onEnd: @escaping (Result<Run.Result, any Error>) -> Void
    ) throws(LiveError) {
        self.run = run
        self.options = options
        self.loop = loop
        self.onEnd = onEnd
        network = try LiveNetwork(
            clients: run.clients,
            upstream: run.upstream,
            security: run.security,
            options: options,
            on: loop
        )
        let uptime = Instant.uptime
        clock = Self.clock(options, uptime)
        lastMove = uptime
        do throws(SocketError) {
            turns = try LoopTurns(on: loop) { [weak self] in self?.turn() }
        } catch {
            network.tearDown()
            throw .socket(error)
        }
        network.beginCapture(orTell: options.captures)
        network.onInput = { [weak self] in self?.take($0) }
        network.onFailure = { [weak self] in self?.end(.failure($0)) }
    }

    private static func clock(_ options: LiveOptions, _ uptime: Instant) -> LeapingClock {
        LeapingClock(startingAt: uptime, turnLimit: options.pace == .leaping ? options.turnLimit : nil)
    }

    func begin() {
        clock = Self.clock(options, Instant.uptime)
        take(.ready)
        let driver = NIOLoopBound(self, eventLoop: loop)
        options.conductor?.attach(loop) { driver.value.take(.conducted($0)) }
        turns?.request()
    }

    func cancel() {
        end(.failure(CancellationError()))
    }

    // MARK: - Inputs

    private func take(_ input: TransportInput) {
        guard !isOver else { return }
        moved = true
        inbox.append(input)
        handleAll()
        if options.pace == .wall { turns?.request() }
    }

    private func handleAll() {
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while !inbox.isEmpty, !isOver, !run.isOver {
            let input = inbox.removeFirst()
            present()
            fireDue()
            guard !isOver, !run.isOver else { return }
            present()
            step(input)
        }
    }

    private func fireDueAndHandle() {
        isHandling = true
        fireDue()
        isHandling = false
        handleAll()
    }

    /// Everything that is due, before whatever was read just now.
    private func fireDue() {
        var count = 0
        while !isOver, !run.isOver, let deadline = run.nextDeadline, deadline <= now {
            let late = now - deadline
            if late > options.tolerance { run.noteLateness(late) }
            moved = true
            step(.wake)
            present()
            count += 1
            guard count < Self.wakeLimit else { return end(.failure(LiveError.livelock(now))) }
        }
    }

    private func present() {
        now = clock.read(Instant.uptime)
        network.capture?.note(now)
    }

    private func step(_ input: TransportInput) {
        for output in run.handle(input, at: now) {
            if case .kill(let client) = output { forget(client) }
            network.perform(output)
        }
    }

    /// Nothing of a process that is gone reaches the run any more.
    private func forget(_ client: ClientID) {
        inbox.removeAll { input in
            switch input {
            case .client(client, let input): input.owner == .app
            case .launched(client, _), .foreign(client, _): true
            default: false
            }
        }
    }

    // MARK: - Turns

    private func turn() {
        guard !isOver else { return }
        clock.beginTurn()
        network.turn()
        present()
        fireDueAndHandle()
        network.flush()
        network.capture?.turn()
        guard !isOver else { return }
        if run.isOver { return finish() }

        let uptime = Instant.uptime
        let hadEvents = moved
        moved = false
        if hadEvents { lastMove = uptime }
        switch options.pace {
        case .leaping:
            quietTurns = hadEvents || isUnderWay(uptime) ? 0 : quietTurns + 1
            if quietTurns >= 2 { leap(uptime) }
            turns?.request()
        case .wall:
            if hadEvents { turns?.request() } else { waitForDeadline() }
        }
    }

    /// Whether anything may still come by itself, as far as patience goes.
    private func isUnderWay(_ uptime: Instant) -> Bool {
        guard network.underWay() != nil else { return false }
        guard uptime - lastMove >= options.patience else { return true }
        run.noteLateness(uptime - lastMove)
        return false
    }

    private func leap(_ uptime: Instant) {
        network.settled()
        lastMove = uptime
        quietTurns = 0
        guard let deadline = run.nextDeadline, deadline < .never else {
            run.abandon("nothing is under way, nothing is due, and the run is not over", at: now)
            return finish()
        }
        network.capture?.note(now)
        clock.leap(to: deadline)
        now = clock.now
        network.capture?.note(now)
        fireDueAndHandle()
        network.flush()
        if !isOver, run.isOver { finish() }
    }

    /// At wall time the loop sleeps until something comes or falls due; libcurl, which it cannot watch, is asked every
    /// millisecond while an exchange is open.
    private func waitForDeadline() {
        var wake = run.nextDeadline.map { clock.uptime(of: $0) } ?? .never
        if network.needsTurns { wake = min(wake, Instant.uptime + .milliseconds(1)) }
        alarm?.cancel()
        guard wake < .never else { return }
        alarm = loop.assumeIsolated().scheduleTask(
            deadline: .uptimeNanoseconds(UInt64(max(0, wake.nanoseconds)))
        ) { [weak self] in self?.turns?.request() }
    }

    // MARK: - The end

    private func finish() {
        if let packets = network.capture?.finish(at: now) { run.keep(packets) }
        end(.success(run.finish(at: now)))
    }

    private func end(_ result: Result<Run.Result, any Error>) {
        guard !isOver else { return }
        isOver = true
        inbox.removeAll()
        alarm?.cancel()
        turns?.stop()
        options.conductor?.detach()
        network.tearDown { [loop, onEnd] in
            // Connections that were just accepted are closed by the tasks that were to welcome them.
            loop.assumeIsolated().execute { onEnd(result) }
        }
    }
}
