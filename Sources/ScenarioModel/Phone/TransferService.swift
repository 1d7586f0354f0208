import ChatWire
import ReferenceClient
import SquallCore

/// The device's background transfer service. It sends requests on behalf of a client that is suspended or terminated,
/// and stores the results until the client runs again.
///
/// It models background URL sessions and work managers. A transfer's requests are sent in order, one at a time across
/// the whole device. A request without a response, or with status 408, 429 or 5xx, is retried; any other failure ends
/// its transfer. The service waits while the device has no network.
struct TransferService {
    /// A network action that the service requests.
    enum NetworkAction {
        case request(ExchangeID, ChatRequest)
        case cancel(ExchangeID)
    }

    private struct Transfer {
        let name: String
        let requests: [ChatRequest]
        /// The index in `requests` of the request to send next.
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
    /// The results that have not been delivered to the client yet.
    private var results: [(name: String, response: ChatResponse)] = []

    init(for client: ClientID, _ profile: ClientProfile.Device) {
        self.client = client
        self.profile = profile
    }

    /// The names of the transfers whose results the client has not received, in order.
    var names: [String] { results.map(\.name) + transfers.map(\.name) }

    var nextDeadline: Instant? { running?.limit ?? heldUntil }

    mutating func begin(_ name: String, _ requests: [ChatRequest], hasNetwork: Bool, at now: Instant) -> [NetworkAction]
    {
        guard !requests.isEmpty, !names.contains(name) else { return [] }
        transfers.append(Transfer(name: name, requests: requests))
        return go(hasNetwork: hasNetwork, at: now)
    }

    mutating func timer(hasNetwork: Bool, at now: Instant) -> [NetworkAction] {
        if let until = heldUntil, until <= now { heldUntil = nil }
        guard let running, running.limit <= now else { return go(hasNetwork: hasNetwork, at: now) }
        return [.cancel(running.exchange)] + failed(running.exchange, at: now)
    }

    mutating func answered(
        _ exchange: ExchangeID,
        _ response: ChatResponse,
        hasNetwork: Bool,
        at now: Instant
    ) -> [NetworkAction] {
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

    mutating func failed(_ exchange: ExchangeID, at now: Instant) -> [NetworkAction] {
        guard running?.exchange == exchange else { return [] }
        running = nil
        heldUntil = now + max(profile.transferRetry, .milliseconds(1))
        return []
    }

    /// Handles the loss or replacement of the network path. The request in progress is cancelled, and sent again once
    /// there is a network.
    mutating func networkChanged(hasNetwork: Bool, at now: Instant) -> [NetworkAction] {
        let given = running.map { [NetworkAction.cancel($0.exchange)] } ?? []
        running = nil
        heldUntil = nil
        return given + go(hasNetwork: hasNetwork, at: now)
    }

    /// Cancels and forgets all transfers, as a reboot does.
    mutating func stop() -> [NetworkAction] {
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

    private mutating func go(hasNetwork: Bool, at now: Instant) -> [NetworkAction] {
        guard running == nil, heldUntil == nil, hasNetwork, let transfer = transfers.first else { return [] }
        begun += 1
        let exchange = ExchangeID(client, begun, of: .system)
        running = Running(exchange: exchange, limit: now + profile.transferTimeout)
        return [.request(exchange, transfer.requests[transfer.next])]
    }
}
