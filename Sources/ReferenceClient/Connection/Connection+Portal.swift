import SquallCore

// What a captive portal does to the connection.

extension Connection {
    /// An attempt was answered by a portal: it is no failure of the server's and uses up no attempt.
    mutating func meetPortal(_ step: inout Step) {
        close(.finishing, &step)
        step.log("client.attempt.failed", ["failure": .string(Failure.captivePortal.word)])
        step.emit(.attemptFailed)
        isReturning = true
        portalFound(&step)
    }

    /// The probe, or any other request, was answered; nil where nobody did.
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
            // A live socket is proof enough, and an attempt under way will tell by itself.
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
