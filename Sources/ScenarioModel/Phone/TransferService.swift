import ChatWire
import ReferenceClient
import SquallCore

/// The phone's own service for requests that an app has handed over: it goes on while the app is suspended or gone, and keeps
/// what came of it until the app runs again.
///
/// It stands for what systems offer under names such as background session or work manager. Requests of one transfer go one
/// after the other, one at a time for the whole phone. One that gets no answer, or one of 408, 429 or from 500 on, is
/// repeated; any other answer that is no success ends its transfer. It waits while the phone has no network.
struct TransferService {
    /// What it wants of the network.
    enum Wish {
        case request(ExchangeID, ChatRequest)
        case cancel(ExchangeID)
    }

    private struct Transfer {
        let name: String
        let requests: [ChatRequest]
        /// Which of them is next.
        var next = 0
    }

    private struct Running {
        let exchange: ExchangeID
        let limit: Instant
    }

    let client: ClientID
    private let profile: ClientProfile.Device
    private var transfers: [Transfer] = []
    private var running: Running?
    private var heldUntil: Instant?
    private var begun = 0
    /// What the app has yet to hear.
    private var results: [(name: String, response: ChatResponse)] = []

    init(for client: ClientID, _ profile: ClientProfile.Device) {
        self.client = client
        self.profile = profile
    }

    /// What it has been given and the app has not been told the end of, in order.
    var names: [String] { results.map(\.name) + transfers.map(\.name) }

    var nextDeadline: Instant? { running?.limit ?? heldUntil }

    mutating func begin(_ name: String, _ requests: [ChatRequest], hasNetwork: Bool, at now: Instant) -> [Wish] {
        guard !requests.isEmpty, !names.contains(name) else { return [] }
        transfers.append(Transfer(name: name, requests: requests))
        return go(hasNetwork: hasNetwork, at: now)
    }

    mutating func timer(hasNetwork: Bool, at now: Instant) -> [Wish] {
        if let until = heldUntil, until <= now { heldUntil = nil }
        guard let running, running.limit <= now else { return go(hasNetwork: hasNetwork, at: now) }
        return [.cancel(running.exchange)] + failed(running.exchange, at: now)
    }

    mutating func answered(
        _ exchange: ExchangeID,
        _ response: ChatResponse,
        hasNetwork: Bool,
        at now: Instant
    ) -> [Wish] {
        guard running?.exchange == exchange, let transfer = transfers.first else { return [] }
        if [408, 429].contains(response.status) || response.status >= 500 { return failed(exchange, at: now) }
        running = nil
        let isGood = (200..<300).contains(response.status)
        if isGood, transfer.next + 1 < transfer.requests.count {
            transfers[0].next += 1
        } else {
            results.append((transfer.name, response))
            transfers.removeFirst()
        }
        return go(hasNetwork: hasNetwork, at: now)
    }

    mutating func failed(_ exchange: ExchangeID, at now: Instant) -> [Wish] {
        guard running?.exchange == exchange else { return [] }
        running = nil
        heldUntil = now + max(profile.transferRetry, .milliseconds(1))
        return []
    }

    /// The path is gone, or there is another: what is under way on the old one will get no answer.
    mutating func networkChanged(hasNetwork: Bool, at now: Instant) -> [Wish] {
        let given = running.map { [Wish.cancel($0.exchange)] } ?? []
        running = nil
        heldUntil = nil
        return given + go(hasNetwork: hasNetwork, at: now)
    }

    /// As after a reboot: nothing of it is left.
    mutating func stop() -> [Wish] {
        defer {
            transfers = []
            results = []
            running = nil
            heldUntil = nil
        }
        return running.map { [.cancel($0.exchange)] } ?? []
    }

    mutating func takeResults() -> [ClientInput] {
        defer { results.removeAll() }
        return results.map { .transferred($0.name, $0.response) }
    }

    private mutating func go(hasNetwork: Bool, at now: Instant) -> [Wish] {
        guard running == nil, heldUntil == nil, hasNetwork, let transfer = transfers.first else { return [] }
        begun += 1
        let exchange = ExchangeID(client, begun, of: .system)
        running = Running(exchange: exchange, limit: now + profile.transferTimeout)
        return [.request(exchange, transfer.requests[transfer.next])]
    }
}
