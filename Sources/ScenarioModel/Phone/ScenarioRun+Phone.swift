import ChatWire
import ReferenceClient
import SquallCore

// Services that the device provides for the client: background transfers, and storage for files that are shared while
// the client is not running.

extension ScenarioRun {
    /// Shares a file with the client. If the client is not running, the device stores the file until the client starts.
    mutating func share(_ command: ClientCommand, on index: Int, cause: Int, at now: Instant) {
        if case .down = hosts[index].process {
            hosts[index].early.append(.command(command))
        } else {
            feed(.command(command), to: hosts[index].id, cause: cause, at: now)
        }
    }

    /// Handles an input that belongs to a background transfer; returns `false` for any other input.
    mutating func takeTransfer(_ input: ClientInput, of id: ClientID, at now: Instant) -> Bool {
        switch input {
        case .response(let exchange, let response) where exchange.owner == .system:
            serve(id, at: now) { $0.answered(exchange, response, hasNetwork: $1, at: now) }
        case .requestFailed(let exchange, _) where exchange.owner == .system:
            serve(id, at: now) { service, _ in service.failed(exchange, at: now) }
        default: return false
        }
        return true
    }

    /// Starts a background transfer that the client hands over to the device.
    mutating func beginTransfer(_ name: String, _ requests: [ChatRequest], of index: Int, at now: Instant) {
        let id = hosts[index].id
        if hosts[index].transfers == nil {
            hosts[index].transfers = TransferService(for: id, plan.scenario.profile.client.device)
        }
        serve(id, at: now) { $0.begin(name, requests, hasNetwork: $1, at: now) }
    }

    /// Applies `body` to a device's transfer service, if the device has one. The second argument of `body` states
    /// whether the device has a network connection.
    mutating func serve(
        _ id: ClientID,
        at now: Instant,
        _ body: (inout TransferService, Bool) -> [TransferService.NetworkAction]
    ) {
        guard let index = index(of: id), var service = hosts[index].transfers else { return }
        for request in body(&service, hosts[index].networkReachable) {
            switch request {
            case .request(let exchange, let request): outputs.append(.client(id, .request(exchange, request)))
            case .cancel(let exchange): outputs.append(.client(id, .cancel(exchange)))
            }
        }
        hosts[index].transfers = service
        findDeadline(of: index)
        emitTransfers(index, at: now)
    }

    /// Delivers transfer results to the client if it is running. Otherwise, the device keeps them until the client
    /// runs.
    mutating func emitTransfers(_ index: Int, at now: Instant) {
        guard hosts[index].transfers != nil, case .running = hosts[index].process else { return }
        let results = hosts[index].transfers?.takeResults() ?? []
        for result in results { feed(result, to: hosts[index].id, at: now) }
    }
}
