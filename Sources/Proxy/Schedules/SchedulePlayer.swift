import SquallCore

/// Runs schedules on the reactor's clock and executes their operations.
final class SchedulePlayer {
    /// An operation that is due or is being executed.
    private struct PendingOperation {
        let due: Instant
        let schedule: String
        let step: Int
        let operation: Schedule.ScheduledOperation
    }

    /// The scheduled removal of a temporary toxic. The toxic is identified by number, because its name may have been
    /// reused by then.
    private struct ToxicExpiry {
        let at: Instant
        weak var proxy: RunningProxy?
        let number: Int
    }

    private unowned let server: ProxyServer
    private var schedules: [String: Schedule] = [:]
    private var expiries: [ToxicExpiry] = []
    /// Operations that are due, in order. While one waits for host names to be resolved, later ones wait too.
    private var pending: [PendingOperation] = []
    private var isWaiting = false
    private var token: UInt64 = 0
    private var earliest = EarliestWake()

    init(for server: ProxyServer) {
        self.server = server
        token = server.reactor.register(self)
    }

    var json: JSON {
        .object(
            schedules.sorted { $0.key < $1.key }.map {
                JSONMember($0.key, $0.value.progressJSON(at: server.reactor.now))
            }
        )
    }

    /// Starts a schedule, replacing any running schedule with the same name.
    func begin(_ given: Schedule) {
        var schedule = given
        schedule.begin(at: server.reactor.now)
        schedules[schedule.name] = schedule
        wake(schedule.nextDeadline)
    }

    /// Removes a schedule. Its changes remain in effect, and its temporary toxics still expire.
    ///
    /// - Throws: ``APIError`` with status 404 if there is no such schedule.
    func remove(_ name: String) throws(APIError) {
        guard schedules.removeValue(forKey: name) != nil else { throw APIError("schedule not found", 404) }
        pending.removeAll { $0.schedule == name }
    }

    /// Passes an event to all schedules.
    func note(_ event: ProxyEvent) {
        for name in schedules.keys {
            schedules[name]?.note(event)
            wake(schedules[name]?.nextDeadline)
        }
    }

    /// Returns the endpoints on which a proxy could start listening as a result of an operation.
    private func listenEndpoints(of operation: Schedule.ScheduledOperation) -> [Endpoint] {
        switch operation {
        case .enable(let name): (try? server.proxy(name)).flatMap { try? Endpoint($0.listen) }.map { [$0] } ?? []
        case .reset: server.idleListenAddresses.compactMap { try? Endpoint($0) }
        default: []
        }
    }

    private func wake(_ due: Instant?) {
        if let due, earliest.schedules(due) { server.reactor.schedule(token, at: due) }
    }

    private func perform(_ entry: PendingOperation) throws(APIError) {
        switch entry.operation {
        case .add(let proxy, let json, let lasting):
            let proxy = try server.proxy(proxy)
            let toxic = try Toxic(creating: json) { proxy.chain[$0] != nil }
            let number = proxy.add(toxic)
            guard let lasting else { return }
            // Measure the duration from the due time even if the toxic is added late, so that it is gone by the time a
            // later step expects it to be.
            let end = ToxicExpiry(at: entry.due + lasting, proxy: proxy, number: number)
            expiries.append(end)
            wake(end.at)
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
        earliest.clearIfPassed(by: now)
        while let name = schedules.filter({ ($0.value.nextDeadline ?? .never) <= now })
            .min(by: { ($0.value.nextDeadline ?? .never, $0.key) < ($1.value.nextDeadline ?? .never, $1.key) })?.key,
            let (due, step, operation) = schedules[name]?.next(by: now)
        {
            pending.append(PendingOperation(due: due, schedule: name, step: step, operation: operation))
        }
        proceed()
        end(through: now)
        for schedule in schedules.values { wake(schedule.nextDeadline) }
        wake(expiries.map(\.at).min())
    }

    private func proceed() {
        while !isWaiting, !pending.isEmpty {
            let entry = pending.removeFirst()
            // If a toxic expires at the moment the operation is due, the toxic is removed first.
            end(through: entry.due)
            isWaiting = true
            var hasReturned = false
            server.reactor.afterResolving(listenEndpoints(of: entry.operation)) { [unowned self] in
                isWaiting = false
                server.record(.scheduleStepRun(schedule: entry.schedule, step: entry.step), proxy: nil, link: nil)
                do throws(APIError) {
                    try perform(entry)
                } catch {
                    let text = "schedule \(entry.schedule), step \(entry.step): \(error.message)"
                    server.record(.problem(text), proxy: nil, link: nil)
                }
                if hasReturned { proceed() }
            }
            hasReturned = true
        }
    }

    /// Removes the temporary toxics that have expired by `now`, in order of expiry.
    private func end(through now: Instant) {
        while let index = expiries.indices.filter({ expiries[$0].at <= now }).min(by: {
            expiries[$0].at < expiries[$1].at
        }) {
            let end = expiries.remove(at: index)
            end.proxy?.removeToxic(number: end.number)
        }
    }
}
