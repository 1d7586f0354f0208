import SquallCore

// How the connection reacts to a captive portal.

extension Connection {
    /// Starts an attempt, after a probe if a portal is suspected or the profile requires a probe before each attempt.
    mutating func probeOrAttempt(_ step: inout Step) {
        let isProbedFirst = rules.profile.connect.probesFirst && rules.policy.portal.probe == .precedesAttempts
        guard suspectsPortal || isProbedFirst, credentials.permitsAttempt else { return attempt(&step) }
        enter(.probing, &step)
        step.emit(.ask(.probe))
    }

    /// Ends an attempt that a portal has answered, without counting it as a failed attempt.
    mutating func endAttemptAtPortal(_ step: inout Step) {
        close(.afterPendingOutput, &step)
        step.log("client.attempt.failed", ["failure": .string(Failure.captivePortal.word)])
        step.emit(.attemptFailed)
        isReturning = true
        portalFound(&step)
    }

    /// Handles the response to the probe or to another request; `verdict` is nil if there was no response.
    mutating func answered(_ verdict: Portal.Verdict?, isProbe: Bool, _ step: inout Step) {
        switch (phase, verdict) {
        case (.probing, .portal), (.waiting, .portal), (.polling, .portal):
            if case .waiting = phase { step.log("client.backoff.cancelled") }
            portalFound(&step)
        case (.probing, .server), (.probing, nil):
            guard isProbe else { return }
            suspectsPortal = false
            attempt(&step)
        default:
            // A live socket proves that there is no portal, and an attempt in progress will detect a portal on its own.
            break
        }
    }

    private mutating func portalFound(_ step: inout Step) {
        suspectsPortal = true
        lastFailure = .captivePortal
        switch rules.policy.portal.captive {
        case .waitsForUser:
            backoff.reset()
            enter(.captive, &step)
        case .keepsTrying:
            backoff.countFailure()
            retryLater(&step)
        }
    }
}
