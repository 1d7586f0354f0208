package import SquallCore

/// Decides how one app serves one run after another, without I/O: whether it is waited for, reset or restarted.
///
/// One run at a time uses the app, from ``begin(at:)`` to ``end(isReusable:wasStarted:at:)`` or ``kill(at:)``. A killed
/// client begins again in the same run.
package struct AppHost: Sendable {
    package enum Output: Hashable, Sendable {
        /// Answer a request of the app.
        case answer(Int, ControlAnswer)
        /// The app serves the run. A reused instance has served another run and has to be reset.
        case started(isReused: Bool)
        /// A message for the run.
        case received(JSON)
        /// The app cannot serve the run.
        case couldNotStart(String)
        /// The app no longer serves the run.
        case failed(AdapterFailure.Kind)
        /// Something that the user has to do.
        case announce(String)
    }

    private enum Phase: Hashable {
        /// No run uses the app. Next: ``waiting(until:)``, ``serving``.
        case free
        /// A run waits for a new instance. Next: ``serving`` when it connects, ``free`` if none does in time.
        case waiting(until: Instant)
        /// A run communicates with the current instance. Next: ``free``.
        case serving
    }

    /// The state of the app's current instance, which decides what it can be sent.
    private enum Condition: Hashable {
        /// There is no instance: none has connected, or the last was asked to restart.
        case absent
        /// It was never started, so that `init` can be sent.
        case new
        /// It has served a run to its end.
        case used
        /// It has served a run that failed.
        case failed
    }

    /// The message that asks an app to restart; it is not answered.
    private static let restart = AdapterCommand("restart")
    /// How long an app may take to connect after it was asked to restart.
    package static let restartLimit = TimeSpan.seconds(30)
    /// How long an app may be silent during a run.
    package static let silenceLimit = TimeSpan.seconds(30)

    /// The URL of the control port.
    private let url: String
    /// How long to wait for an app that a person or a script has to start.
    private let patience: TimeSpan
    private var channel = AppChannel()
    private var phase = Phase.free
    private var condition = Condition.absent
    private var takesReset = false
    private var takesRestart = false
    /// Whether the app was asked to restart and has not connected again.
    private var isRestarting = false
    /// True after a wait that no app has ended, until one connects. Later waits then end at once.
    private var hasGivenUp = false

    package init(url: String, patience: TimeSpan) {
        (self.url, self.patience) = (url, patience)
    }

    /// Notes which of the ways to begin another run the app offers.
    package mutating func learn(_ offer: ClientOffer) {
        takesReset = offer.takes("reset")
        takesRestart = offer.takes(Self.restart.type)
    }

    package var isConnected: Bool { condition != .absent }

    /// When ``timer(at:)`` is due.
    package var nextDeadline: Instant? {
        var deadline = channel.nextDeadline
        switch phase {
        case .free: break
        case .waiting(let until): deadline = deadline.or(sooner: until)
        case .serving:
            if let silent = channel.silentSince { deadline = deadline.or(sooner: silent + Self.silenceLimit) }
        }
        return deadline
    }

    // MARK: - Runs

    /// A run needs the app, for the first time or after a kill.
    package mutating func begin(at now: Instant) -> [Output] {
        switch condition {
        case _ where isSilent(at: now): return wait(at: now)
        case .absent: return wait(at: now)
        case .new: return serve(isReused: false)
        case .used where takesReset: return serve(isReused: true)
        case .used, .failed:
            if takesRestart { return restart(at: now) + wait(at: now) }
            if takesReset { return serve(isReused: true) }
            condition = .absent
            return take(channel.retire(), at: now) + wait(at: now)
        }
    }

    private mutating func serve(isReused: Bool) -> [Output] {
        phase = .serving
        return [.started(isReused: isReused)]
    }

    private mutating func wait(at now: Instant) -> [Output] {
        if hasGivenUp { return [.couldNotStart("no app has connected to \(url) since the last wait for it ended")] }
        phase = .waiting(until: now + (isRestarting ? Self.restartLimit : patience))
        return isRestarting ? [] : [.announce("start the app now: it connects to \(url) (waiting for \(patience))")]
    }

    /// Sends a line of the run to the app.
    package mutating func send(_ line: [UInt8], at now: Instant) -> [Output] {
        guard phase == .serving else { return [] }
        return take(channel.send(Array(line.filter { $0 != UInt8(ascii: "\n") })), at: now)
    }

    /// The client is killed: the app is asked to restart.
    package mutating func kill(at now: Instant) -> [Output] {
        guard phase == .serving else {
            phase = .free
            return []
        }
        phase = .free
        return restart(at: now)
    }

    /// The run no longer uses the app. Without a `start`, the instance is as new.
    package mutating func end(isReusable: Bool, wasStarted: Bool = true, at now: Instant) -> [Output] {
        let wasServing = phase == .serving
        phase = .free
        guard wasServing, wasStarted else { return [] }
        condition = isReusable ? .used : .failed
        // At once, so that the app does not go on trying to reach the run's server.
        return takesRestart && !(isReusable && takesReset) ? restart(at: now) : []
    }

    /// The suite is over.
    package mutating func close(at now: Instant) -> [Output] {
        phase = .free
        return take(channel.close(), at: now)
    }

    private mutating func restart(at now: Instant) -> [Output] {
        (condition, isRestarting) = (.absent, true)
        return take(channel.send(Array(Self.restart.line(id: 0).dropLast())), at: now)
    }

    // MARK: - The app

    /// Takes a request; answers follow at once or later.
    package mutating func take(_ request: ControlRequest, _ number: Int, at now: Instant) -> [Output] {
        let outputs: [Output] =
            switch request {
            case .next(let app, let after): take(channel.poll(number, by: app, after: after, at: now), at: now)
            case .messages(let app, let first, let messages):
                take(channel.post(number, by: app, first: first, messages, at: now), at: now)
            case .about, .preflight: []
            }
        // The instance that a run found silent is back.
        guard case .waiting = phase, condition != .absent, !isSilent(at: now) else { return outputs }
        return outputs + begin(at: now)
    }

    /// The connection of a request has ended before its answer.
    package mutating func abandoned(_ request: Int, at now: Instant) { channel.abandoned(request, at: now) }

    /// The app has sent a request that is malformed.
    package mutating func mistake(_ why: String) -> [Output] {
        guard phase == .serving else { return [] }
        (phase, condition) = (.free, .failed)
        return [.failed(.badRequest(why))]
    }

    package mutating func timer(at now: Instant) -> [Output] {
        let outputs = take(channel.timer(at: now), at: now)
        switch phase {
        case .waiting(let until) where until <= now:
            phase = .free
            hasGivenUp = true
            let why =
                isRestarting
                ? "the app did not connect to \(url) within \(Self.restartLimit) after it was asked to restart"
                : "no app connected to \(url) within \(patience)"
            return outputs + [.couldNotStart(why)]
        case .serving where isSilent(at: now):
            (phase, condition) = (.free, .failed)
            return outputs + [.failed(.silent(after: Self.silenceLimit))]
        case .free, .waiting, .serving: return outputs
        }
    }

    private func isSilent(at now: Instant) -> Bool {
        channel.silentSince.map { $0 + Self.silenceLimit <= now } ?? false
    }

    private mutating func take(_ outputs: [AppChannel.Output], at now: Instant) -> [Output] {
        outputs.flatMap { output -> [Output] in
            switch output {
            case .answer(let request, let answer): [.answer(request, answer)]
            case .received(let message): phase == .serving ? [.received(message)] : []
            case .connected: connected()
            }
        }
    }

    private mutating func connected() -> [Output] {
        let before = phase
        (condition, isRestarting, hasGivenUp) = (.new, false, false)
        switch before {
        case .free: return []
        case .waiting: return serve(isReused: false)
        case .serving:
            phase = .free
            return [.failed(.reconnected)]
        }
    }
}
