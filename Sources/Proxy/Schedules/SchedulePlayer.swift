import Foundations

/// Plays schedules on the reactor's time, and does what they say.
final class SchedulePlayer {
    private unowned let server: ProxyServer
    private var schedules: [String: Schedule] = [:]
    /// Toxics that go by themselves.
    private var ends: [(at: Instant, proxy: String, toxic: String)] = []
    /// What is due, in order: one whose names are being looked up keeps those behind it waiting.
    private var deeds: [(schedule: String, step: Int, deed: Schedule.Deed)] = []
    private var isWaiting = false
    private var token: UInt64 = 0

    init(for server: ProxyServer) {
        self.server = server
        token = server.reactor.register(self)
    }

    var json: JSON {
        .object(schedules.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.told(at: server.reactor.now)) })
    }

    /// One of that name begins anew.
    func begin(_ given: Schedule) {
        var schedule = given
        schedule.begin(at: server.reactor.now)
        schedules[schedule.name] = schedule
        wake(schedule.nextDeadline)
    }

    /// What it has done stays.
    func remove(_ name: String) throws(APIError) {
        guard schedules.removeValue(forKey: name) != nil else { throw APIError("schedule not found", 404) }
        deeds.removeAll { $0.schedule == name }
    }

    func note(_ event: ProxyEvent) {
        for name in schedules.keys {
            schedules[name]?.note(event)
            wake(schedules[name]?.nextDeadline)
        }
    }

    /// Where a deed may begin to listen.
    private func places(of deed: Schedule.Deed) -> [Endpoint] {
        switch deed {
        case .enable(let name): (try? server.proxy(name)).flatMap { try? Endpoint($0.listen) }.map { [$0] } ?? []
        case .reset: server.idlePlaces.compactMap { try? Endpoint($0) }
        default: []
        }
    }

    private func wake(_ due: Instant?) {
        if let due { server.reactor.schedule(token, at: due) }
    }

    private func perform(_ deed: Schedule.Deed) throws(APIError) {
        switch deed {
        case .add(let proxy, let json, let lasting):
            let proxy = try server.proxy(proxy)
            let toxic = try Toxic(creating: json) { proxy.chain[$0] != nil }
            proxy.add(toxic)
            guard let lasting else { return }
            let end = server.reactor.now + lasting
            ends.append((end, proxy.name, toxic.name))
            wake(end)
        case .update(let proxy, let name, let change):
            let proxy = try server.proxy(proxy)
            guard var toxic = proxy.chain[name] else { throw APIError.toxicNotFound }
            try toxic.update(change)
            proxy.update(name, to: toxic)
        case .remove(let proxy, let name):
            let proxy = try server.proxy(proxy)
            guard proxy.chain[name] != nil else { throw APIError.toxicNotFound }
            proxy.removeToxic(name)
        case .enable(let proxy): try server.proxy(proxy).start()
        case .disable(let proxy): try server.proxy(proxy).stop()
        case .reset: try server.reset()
        }
    }
}

extension SchedulePlayer: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {}

    func due(_ tag: Int) {
        let now = server.reactor.now
        for name in schedules.keys.sorted() {
            for (step, deed) in schedules[name]?.advance(to: now) ?? [] { deeds.append((name, step, deed)) }
            wake(schedules[name]?.nextDeadline)
        }
        proceed()
        while let place = ends.firstIndex(where: { $0.at <= now }) {
            let end = ends.remove(at: place)
            if let proxy = try? server.proxy(end.proxy), proxy.chain[end.toxic] != nil { proxy.removeToxic(end.toxic) }
        }
    }

    private func proceed() {
        while !isWaiting, !deeds.isEmpty {
            let (schedule, step, deed) = deeds.removeFirst()
            isWaiting = true
            var hasReturned = false
            server.reactor.knowing(places(of: deed)) { [unowned self] in
                isWaiting = false
                server.record(.stepped(schedule: schedule, step: step), proxy: nil, link: nil)
                do throws(APIError) {
                    try perform(deed)
                } catch {
                    let text = "schedule \(schedule), step \(step): \(error.message)"
                    server.record(.trouble(text), proxy: nil, link: nil)
                }
                if hasReturned { proceed() }
            }
            hasReturned = true
        }
    }
}
