import ChatWire
import NIOCore
import ReferenceClient
import ScenarioModel
import Sockets
import SquallCore

/// Executes one run on one event loop: passes inputs from the network to the run, performs the run's outputs and
/// advances the run's clock.
///
///     sockets, libcurl, stores ──▶ input ──▶ fire due timers ──▶ run.handle(input) ──▶ outputs ──▶ LiveNetwork
///
///     LoopTurns ──▶ turn ──▶ network.turn()    libcurl and the stores do pending work
///         ▲                  fire due timers
///         │                  network.flush()   each connection's writes leave together
///         │                  LeapDecision ─┬─▶ wait      fewer than two quiet turns in a row
///         │                                ├─▶ ask       a client that follows the clock may still be working
///         │                                ├─▶ leap      set the clock to the next deadline, fire due timers
///         │                                ├─▶ pause     the run is held: no turn until the conductor acts
///         │                                └─▶ abandon   no deadline is set: end the run
///         └────────────────── request the next turn
///
/// A turn is one iteration of the event loop. It is quiet if it had no event, no deadline expired, and at its end no
/// work was pending on any connection, in libcurl or in a store. After two consecutive quiet turns, only a deadline of
/// the run can change anything, and a leaping clock jumps to it. One quiet turn is not enough, because a delivery that
/// the kernel completes during the first turn is an event of the second turn. ``QuietTurns`` and ``LeapDecision``
/// implement this rule.
///
/// Client processes that follow the run's clock are asked first. Each answers once it is idle, and reports the time of
/// its next timer. The clock does not leap beyond the earliest of these timers. After a leap, the run's deadlines fire
/// once every client has received the new time.
///
/// With `LiveOptions.Pace.wall`, the clock follows real time instead of leaping: the loop sleeps until an event arrives
/// or the next deadline expires.
///
/// While the run is held, its clock is stopped, no socket is read or written, and all inputs remain in the inbox,
/// except those from the conductor, an external program that controls the run.
final class LiveDriver<Run: DrivenRun> {
    private var run: Run
    private let options: LiveOptions
    private let loop: any EventLoop
    private let network: LiveNetwork
    private let onEnd: (Result<Run.Result, any Error>) -> Void
    private var turns: LoopTurns?
    private var clock: LeapingClock
    private var alarm: Scheduled<Void>?

    /// The inputs that have arrived but have not been handled yet, in order of arrival.
    private var inbox: [TransportInput] = []
    private var isHandling = false
    private var isOver = false
    /// The time on the run's clock when the latest input was handled.
    private var now = Instant.zero

    /// Whether an input arrived or a timer fired since the end of the previous event-loop iteration.
    private var moved = true
    private var quiet: QuietTurns
    /// The network hops since the last leap, if only hops and leaps advance the clock.
    private var hops = NetworkHops()
    /// The number of consecutive leaps that did not advance the clock.
    private var idleLeaps = 0

    /// The maximum number of timers that may fire consecutively without any other input. If more timers fire, the run
    /// is ended as a livelock.
    private static var wakeLimit: Int { 100_000 }

    /// Acquires the sockets, folders and handles that `run` needs; ``begin()`` starts the run.
    ///
    /// `onEnd` is called once, after all of these have been released.
    ///
    /// - Throws: ``LiveError`` if an address, a port or a pipe cannot be obtained, or libcurl cannot be initialised.
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
        quiet = QuietTurns(timeout: options.timeout, startingAt: uptime)
        do throws(SocketError) {
            turns = try LoopTurns(on: loop) { [weak self] in self?.turn() }
        } catch {
            network.tearDown()
            throw .socket(error)
        }
        network.beginCapture(orReport: options.captures)
        network.onInput = { [weak self] in self?.take($0) }
        network.onFailure = { [weak self] in self?.end(.failure($0)) }
    }

    private static func clock(_ options: LiveOptions, _ uptime: Instant) -> LeapingClock {
        LeapingClock(startingAt: uptime, turnLimit: options.pace == .leaping ? options.turnLimit : nil)
    }

    /// Starts the clock and sends the run its first input, `ready`.
    func begin() {
        clock = Self.clock(options, Instant.uptime)
        take(.ready)
        let driver = NIOLoopBound(self, eventLoop: loop)
        options.conductor?.attach(loop) { driver.value.take(.conducted($0)) }
        turns?.request()
    }

    /// Ends the run. A run that is held ends as interrupted, with its result so far; any other run ends with a
    /// `CancellationError`.
    func cancel() {
        guard run.isHeld else { return end(.failure(CancellationError())) }
        step(.conducted(.interrupt))
        finish()
    }

    // MARK: - Inputs

    private func take(_ input: TransportInput) {
        guard !isOver else { return }
        moved = true
        inbox.append(input)
        handleAll()
        // If the clock follows real time, or while the run is held, there are no iterations unless an input requests
        // one.
        turns?.request()
    }

    /// Handles the inputs in the inbox in order. Inputs that arrive in the meantime are appended to the inbox.
    private func handleAll() {
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while !isOver, !run.isOver, let input = nextInput() {
            present()
            fireDue()
            guard !isOver, !run.isOver else { return }
            guard !run.isHeld || input.isConducted else {
                // An expired timer has put the run on hold, so the input returns to the inbox.
                inbox.insert(input, at: 0)
                continue
            }
            present()
            step(input)
        }
    }

    /// Removes and returns the next input from the inbox. While the run is held, only inputs from the program that
    /// controls it are returned.
    private func nextInput() -> TransportInput? {
        let index = run.isHeld ? inbox.firstIndex(where: \.isConducted) : inbox.indices.first
        return index.map { inbox.remove(at: $0) }
    }

    private func fireDueAndHandle() {
        // All expired deadlines fire before any resulting input is handled, so inputs are only queued in the meantime.
        isHandling = true
        fireDue()
        isHandling = false
        handleAll()
    }

    /// Wakes the run for every deadline that has passed.
    ///
    /// Callers do this before they handle an input, so that an expired timer is handled before bytes read at the same
    /// time.
    private func fireDue() {
        var count = 0
        // The run's deadlines must not fire until every client has received the new time.
        guard !run.clientClocks(at: now).holdsDeadlines else { return }
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

    /// Updates ``now`` from the clock.
    private func present() {
        now = clock.read(Instant.uptime)
        network.capture?.note(now)
    }

    /// Passes one input to the run and performs the resulting outputs.
    private func step(_ input: TransportInput) {
        let outputs = run.handle(input, at: now)
        // If a hold has ended, the sockets resume reading before the delayed outputs are performed.
        if !run.isHeld { followHold() }
        for output in outputs {
            if case .kill(let client) = output { forget(client) }
            network.perform(output)
        }
        if run.isHeld { followHold() }
    }

    /// Stops or resumes the clock and the sockets, depending on whether the run is held.
    private func followHold() {
        guard run.isHeld != clock.isStopped else { return }
        let uptime = Instant.uptime
        // The capture converts kernel timestamps to run time. It needs a reading of both clocks from the start of the
        // hold and another from its end.
        network.capture?.note(now)
        clock.setStopped(run.isHeld, at: uptime)
        network.hold(run.isHeld)
        quiet.restart(at: uptime)
        if !run.isHeld { turns?.request() }
    }

    /// Discards the queued inputs that come from a killed client's process.
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

    /// Executes one iteration of the event loop, as shown in the lower half of the type's diagram.
    private func turn() {
        guard !isOver else { return }
        clock.beginTurn()
        if !run.isHeld { network.turn() }
        present()
        fireDueAndHandle()
        if !run.isHeld { network.flush() }
        network.capture?.turn()
        guard !isOver else { return }
        if run.isOver { return finish() }

        let uptime = Instant.uptime
        let hadInput = moved
        moved = false
        switch options.pace {
        case .leaping:
            if hadInput, options.followsClients { clock.leap(to: clock.now + hops.next()) }
            let clients = run.clientClocks(at: now)
            let pendingWork = hadInput ? nil : network.pendingWork() ?? clients.pendingWork
            let late = quiet.endTurn(hadInput: hadInput, pendingWork: pendingWork, at: uptime)
            if let late { run.noteLateness(late) }
            switch quiet.decision(nextDeadline: run.nextDeadline, clients: clients, isHeld: run.isHeld) {
            case .wait: break
            case .askClients: advanceClients()
            case .leap(let deadline): leap(to: deadline, uptime)
            case .pause: return
            case .abandon: abandon()
            }
            turns?.request()
        case .wall:
            // An input may have begun an exchange or a write to a store, either of which needs another iteration to
            // start.
            if run.isHeld { alarm?.cancel() } else if hadInput { turns?.request() } else { waitForDeadline() }
        }
    }

    /// Ends the run because nothing more can happen in it.
    private func abandon() {
        network.settled()
        run.abandon("nothing is in flight and no deadline is pending, but the run is not over", at: now)
        finish()
    }

    /// Advances the run's clock to `deadline` and wakes the run.
    private func leap(to deadline: Instant, _ uptime: Instant) {
        network.settled()
        quiet.restart(at: uptime)
        // The capture converts kernel timestamps to run time. It needs a reading of both clocks from before the leap
        // and another from after it.
        network.capture?.note(now)
        idleLeaps = deadline > now ? 0 : idleLeaps + 1
        guard idleLeaps < Self.wakeLimit else { return end(.failure(LiveError.livelock(now))) }
        clock.leap(to: deadline)
        now = clock.now
        hops = NetworkHops()
        network.capture?.note(now)
        advanceClients()
        fireDueAndHandle()
        if !run.isHeld { network.flush() }
        if !isOver, run.isOver { finish() }
    }

    /// Sends the run's time to the clients whose clocks follow it.
    private func advanceClients() {
        for output in run.advanceClients(to: now) { network.perform(output) }
    }

    /// Schedules the next iteration for the next deadline. Until then, the loop sleeps unless an event arrives. Called
    /// only if the clock follows real time.
    ///
    /// The loop does not watch libcurl's sockets, so libcurl is polled every millisecond while an exchange is open.
    private func waitForDeadline() {
        var wake = run.nextDeadline.map { clock.uptime(of: $0) } ?? .never
        if network.needsTurns { wake = min(wake, Instant.uptime + .milliseconds(1)) }
        alarm?.cancel()
        guard wake < .never else { return }
        alarm = loop.assumeIsolated().scheduleTask(
            deadline: .uptimeNanoseconds(UInt64(max(0, wake.nanoseconds)))
        ) { [weak self] in self?.turns?.request() }
    }

    // MARK: - Ending

    /// Ends the run with its result.
    private func finish() {
        if let packets = network.capture?.finish(at: now) { run.keep(packets) }
        end(.success(run.finish(at: now)))
    }

    /// Releases all resources, then reports `result`. Only the first call has an effect.
    private func end(_ result: Result<Run.Result, any Error>) {
        guard !isOver else { return }
        isOver = true
        inbox.removeAll()
        alarm?.cancel()
        turns?.stop()
        options.conductor?.detach()
        network.tearDown { [loop, onEnd] in
            // A queued task may still have to close a newly accepted connection, so `onEnd` runs after that task.
            loop.assumeIsolated().execute { onEnd(result) }
        }
    }
}
