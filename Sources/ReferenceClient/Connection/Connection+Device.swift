import ChatWire
import Faults
import SquallCore

// How the connection reacts to the phone and its user.

extension Connection {
    mutating func networkChanged(reachable: Bool, _ step: inout Step) {
        step.changes.insert(.connection)
        if phase == .suspended, rules.policy.reachability.asleep == .isMissed { return }
        guard reachable != isReachable else {
            if reachable, rules.policy.reachability.repeat == .opensAnother { openAnother(&step) }
            return
        }
        isReachable = reachable
        if reachable {
            networkRestored(&step)
        } else {
            networkLost(&step)
        }
    }

    /// Drops the connection without a close frame: no data can be sent, and the socket might not report an error for
    /// minutes.
    private mutating func networkLost(_ step: inout Step) {
        if rules.policy.reachability.offline == .keepsTrying {
            if link != nil { loseOrFail(.link(.unreachable), .withReset, &step) }
            return
        }
        // The socket may work on the next network, so the client begins a new series of attempts there.
        wasPolling = false
        guard phase != .idle, phase != .suspended else { return }
        abandon(.link(.unreachable), &step)
        lastFailure = .link(.unreachable)
        enter(.offline, &step)
    }

    private mutating func networkRestored(_ step: inout Step) {
        guard phase == .offline else { return }
        switch rules.policy.reachability.restore {
        case .reconnects: begin(&step)
        case .isOnlyShown:
            isReturning = false
            enter(.probing, &step)
        case .reconnectsLate:
            backoff.reset()
            let delay = TimeSpan.seconds(3)
            enter(.waiting(until: step.now + delay), delay: delay, &step)
        case .waitsForTimer where backoff.isSpent: giveUp(&step)
        case .waitsForTimer:
            let delay = rules.profile.reconnect.cap
            enter(.waiting(until: step.now + delay), delay: delay, &step)
        }
    }

    private mutating func openAnother(_ step: inout Step) {
        guard let link else { return }
        let wasLive = phase == .live
        surplus.append(link.id)
        self.link = nil
        heartbeat.end()
        if wasLive { step.emit(.linkLost(.own(.reconnect))) }
        attempt(&step)
    }

    /// Reconnects after a switch to another network interface: the old path is dead, even if the socket reports no
    /// error.
    mutating func handoff(_ step: inout Step) {
        guard rules.policy.reachability.handoff == .reconnects else { return }
        switch phase {
        case .idle, .offline, .suspended, .refused: return
        default: break
        }
        abandon(.own(.handoff), &step)
        begin(&step)
    }

    /// Connects at the user's request.
    mutating func reconnectAsAsked(_ step: inout Step) {
        guard rules.policy.lifecycle.reconnect == .inEveryState || phase == .stopped else { return }
        reconnect(&step)
    }

    /// Ends the current connection, if any, and opens a new one.
    mutating func reconnect(_ step: inout Step) {
        // The key cannot be read until the phone is unlocked.
        guard !credentials.mustWait else { return }
        abandon(.own(.reconnect), &step)
        begin(insisting: true, &step)
    }

    /// Ends the connection, the attempt in progress or the delay before the next attempt, at the user's request.
    mutating func disconnect(_ step: inout Step) {
        guard rules.policy.lifecycle.disconnect == .endsEverything || phase == .live else { return }
        abandon(.own(.disconnect), &step)
        enter(.idle, &step)
    }

    mutating func portalLogin(_ step: inout Step) {
        guard phase == .captive else { return }
        // The alert's button opens the portal's login page. If no alert is shown, the user must have reached it some
        // other way.
        if rules.policy.portal.alert == .isShown {
            step.log("client.opened_url", ["url": .string(rules.profile.probe.loginPage)])
        }
        guard rules.policy.portal.recheck == .whenUserReturns else { return }
        begin(&step)
    }

    mutating func setKey(_ key: String, _ step: inout Step) {
        credentials.key = key
        step.store("auth.key", .string(key))
        credentials.requiresNew = false
        step.changes.insert(.connection)
        guard phase == .refused else { return }
        begin(&step)
    }

    /// Ends the connection and deletes the key and the session after a sign-out.
    mutating func signOut(_ step: inout Step) {
        abandon(.own(.disconnect), &step)
        enter(.idle, &step)
        credentials.key = ""
        credentials.requiresNew = false
        sessionID = nil
        step.store("auth.key", nil)
        step.store("session.id", nil)
        step.changes.insert(.connection)
    }

    mutating func background(_ step: inout Step) {
        guard backgroundLimit == nil, phase != .suspended else { return }
        backgroundLimit = step.now + rules.profile.background.allowance
    }

    /// Closes the connection when the background allowance has expired.
    mutating func suspend(_ step: inout Step) {
        backgroundLimit = nil
        wasPolling = isPolling
        switch phase {
        case .idle, .refused: return
        case .opening where rules.policy.lifecycle.suspension == .endsTheSocket,
            .waiting where rules.policy.lifecycle.suspension == .endsTheSocket,
            .draining where rules.policy.lifecycle.suspension == .endsTheSocket:
            return
        case .live where rules.policy.lifecycle.leaving == .closes: lose(.own(.background), .withCloseFrame, &step)
        default: abandon(.own(.background), &step)
        }
        enter(.suspended, &step)
    }

    mutating func foreground(_ step: inout Step) {
        backgroundLimit = nil
        switch phase {
        case .live:
            // The link may have died while the app was in the background.
            if let id = heartbeat.ping(at: step.now) { say(.ping(id: id), &step) }
        case .captive:
            if rules.policy.portal.recheck == .whenUserReturns { begin(&step) }
        case .polling:
            guard rules.policy.lifecycle.comeback == .reconnects else { return }
            // The client continues to poll during the attempt. A new series of attempts would end the polling, and the
            // user would see no new message until the last of these attempts had failed as well.
            step.emit(.pollNow)
            attempt(polls: true, &step)
        case .suspended where wasPolling && isReachable && !credentials.requiresNew && !suspectsPortal:
            guard rules.policy.lifecycle.comeback == .reconnects else { return }
            // The client polls during the attempt, so that new messages arrive even if the attempt fails.
            attempt(polls: true, &step)
        case .waiting, .stopped, .breaking, .suspended:
            guard rules.policy.lifecycle.comeback == .reconnects else { return }
            abandon(.own(.foreground), &step)
            begin(&step)
        case .idle, .probing, .opening, .draining, .offline, .refused:
            // A connection attempt is already in progress, or the state does not depend on the foreground.
            break
        }
    }
}
