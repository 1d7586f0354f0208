package import SquallCore

/// Decides, without I/O, how an app serves one run after another: whether to wait for it, reset it or restart it.
///
/// One run at a time uses the app, from ``begin(at:)`` to ``end(isReusable:wasStarted:at:)`` or ``kill(at:)``. After a
/// kill, the same run begins again.
package struct AppHost: Sendable {
    package enum Output: Hashable, Sendable {
        /// The caller must send the response to the app's request identified by the number.
        case answer(Int, ControlAnswer)
        /// The app is ready to serve the run. A reused instance has served another run and must be reset first.
        case started(isReused: Bool)
        /// The app has sent a message to the run.
        case received(JSON)
        /// The app cannot serve the run.
        case couldNotStart(String)
        /// The app no longer serves the run.
        case failed(AdapterFailure.Kind)
        /// The caller must show this message, which asks the user to start the app.
        case announce(String)
    }

    private enum Phase: Hashable {
        /// No run uses the app. The next state is ``waiting(until:)`` or ``serving``.
        case free
        /// A run waits for a new instance. The next state is ``serving`` when an instance connects, or ``free`` if none
        /// does so in time.
        case waiting(until: Instant)
        /// A run communicates with the current instance. The next state is ``free``.
        case serving
    }

    /// The state of the app's current instance, which determines what messages it can receive.
    private enum Condition: Hashable {
        /// There is no instance: none has connected, or the last one was asked to restart.
        case absent
        /// The instance has not served a run yet, so `init` can be sent.
        case new
        /// The instance has served a run to its end.
        case used
        /// The instance has served a run that failed.
        case failed
    }

    /// The message that asks an app to restart; the app does not answer it.
    private static let restart = AdapterCommand("restart")
    /// The maximum time for an app to connect after it was asked to restart.
    package static let restartLimit = TimeSpan.seconds(30)
    /// The maximum time without a request from the app during a run.
    package static let silenceLimit = TimeSpan.seconds(30)

    /// The URL of the control port.
    private let url: String
    /// The maximum time to wait for an app that has to be started by the user or a script.
    private let timeout: TimeSpan
    private var channel = AppChannel()
    private var phase = Phase.free
    private var condition = Condition.absent
    private var takesReset = false
    private var takesRestart = false
    /// Whether the app was asked to restart and has not reconnected yet.
    private var isRestarting = false
    /// Whether the last wait for an app has timed out and no app has connected since. Later waits then fail
    /// immediately.
    private var hasGivenUp = false

    package init(url: String, timeout: TimeSpan) {
        (self.url, self.timeout) = (url, timeout)
    }

    /// Records whether the app supports `reset` and `restart`, the commands that prepare it for another run.
    package mutating func recordCapabilities(_ offer: AdapterCapabilities) {
        takesReset = offer.takes("reset")
        takesRestart = offer.takes(Self.restart.type)
    }

    package var isConnected: Bool { condition != .absent }

    /// The next instant at which ``timer(at:)`` must be called; nil if no deadline is pending.
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

    /// Handles the start of a run that needs the app, or the run's restart after a kill.
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
            return take(channel.rejectCurrentInstance(), at: now) + wait(at: now)
        }
    }

    private mutating func serve(isReused: Bool) -> [Output] {
        phase = .serving
        return [.started(isReused: isReused)]
    }

    private mutating func wait(at now: Instant) -> [Output] {
        if hasGivenUp { return [.couldNotStart("no app has connected to \(url) since the last wait for it ended")] }
        phase = .waiting(until: now + (isRestarting ? Self.restartLimit : timeout))
        return isRestarting ? [] : [.announce("start the app now: it connects to \(url) (waiting for \(timeout))")]
    }

    /// Sends a line of the adapter protocol from the run to the app.
    package mutating func send(_ line: [UInt8], at now: Instant) -> [Output] {
        guard phase == .serving else { return [] }
        return take(channel.send(Array(line.filter { $0 != UInt8(ascii: "\n") })), at: now)
    }

    /// Handles the client being killed: the app is asked to restart.
    package mutating func kill(at now: Instant) -> [Output] {
        guard phase == .serving else {
            phase = .free
            return []
        }
        phase = .free
        return restart(at: now)
    }

    /// Handles the end of a run. If the client was not started in the run (`wasStarted` is false), the state of the
    /// app's instance does not change.
    package mutating func end(isReusable: Bool, wasStarted: Bool = true, at now: Instant) -> [Output] {
        let wasServing = phase == .serving
        phase = .free
        guard wasServing, wasStarted else { return [] }
        condition = isReusable ? .used : .failed
        // The app is restarted immediately, so that it does not keep trying to reach the run's server.
        return takesRestart && !(isReusable && takesReset) ? restart(at: now) : []
    }

    /// Handles the end of the suite.
    package mutating func close(at now: Instant) -> [Output] {
        phase = .free
        return take(channel.close(), at: now)
    }

    private mutating func restart(at now: Instant) -> [Output] {
        (condition, isRestarting) = (.absent, true)
        return take(channel.send(Array(Self.restart.line(id: 0).dropLast())), at: now)
    }

    // MARK: - Requests from the app

    /// Handles a request; its response may follow later.
    package mutating func take(_ request: ControlRequest, _ number: Int, at now: Instant) -> [Output] {
        let outputs: [Output] =
            switch request {
            case .next(let app, let after): take(channel.poll(number, by: app, after: after, at: now), at: now)
            case .messages(let app, let first, let messages):
                take(channel.post(number, by: app, first: first, messages, at: now), at: now)
            case .about, .preflight: []
            }
        // If this check passes, an instance that was silent when the run began is responding again.
        guard case .waiting = phase, condition != .absent, !isSilent(at: now) else { return outputs }
        return outputs + begin(at: now)
    }

    /// Handles a request whose connection ended before the request was answered.
    package mutating func abandoned(_ request: Int, at now: Instant) { channel.abandoned(request, at: now) }

    /// Handles a malformed request from the app.
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
                : "no app connected to \(url) within \(timeout)"
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
