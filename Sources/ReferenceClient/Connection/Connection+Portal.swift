import SquallCore

// How the connection reacts to a captive portal.

extension Connection {
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
            // A live socket proves that there is no portal, and an attempt in progress detects a portal by itself.
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
