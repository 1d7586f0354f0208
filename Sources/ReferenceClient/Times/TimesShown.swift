import SquallCore

extension Client {
    /// Reports the times of the open conversation's messages, and the day headings between them.
    mutating func showTimes(_ step: inout Step) {
        let calendar = times.calendar
        let exact = rules.policy.times.exactTime == .inUTC ? Calendar(offset: 0) : calendar
        for key in times.exact.sorted() {
            guard let message = conversations.messages[key] else { continue }
            display.show("message.exact_time", key: key, exact.exact(message.timestamp), &step)
        }
        guard times.isShown, let open = conversations.open else { return }
        let now = times.serverTime(at: step.now)
        let texts = times.texts
        var lasts = calendar.untilMidnight(from: now)
        var above: Int64?
        let isRenewed = rules.policy.times.headingNames == .areRenewed
        for key in conversations[open].keys {
            guard let message = conversations.messages[key] else { continue }
            let relative = RelativeTime(age: age(of: message, key, at: step.now), texts)
            lasts = min(lasts, relative.lasts)
            display.show("message.time_text", key: key, relative.text, &step)
            // An unconfirmed message has a time from the phone's clock, which may already show the next day while the
            // server's clock does not.
            let moment = min(message.timestamp, now)
            let day = calendar.day(of: moment)
            let name = day == above ? nil : calendar.name(of: moment, at: isRenewed ? now : moment, texts)
            display.show("message.day", key: key, name, &step)
            above = rules.policy.times.headings == .aboveEachDay ? day : nil
        }
        times.tick(in: lasts, from: step.now)
    }

    /// Returns the age of a message in milliseconds. An unconfirmed message has a timestamp from the phone's clock,
    /// which cannot be compared with the server's clock.
    private func age(of message: Message, _ key: String, at now: Instant) -> Int64 {
        if let entry = outbox[key], message.id == nil, rules.policy.times.clock == .ofServer {
            return entry.age(at: now, rules).nanoseconds / 1_000_000
        }
        return times.serverTime(at: now) &- message.timestamp
    }
}
