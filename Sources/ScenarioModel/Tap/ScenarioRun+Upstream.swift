import Faults
import SquallCore

// Observes an upstream server on the wire between the server and the relay.

extension ScenarioRun {
    mutating func watchServer(_ input: RelayInput, at now: Instant) {
        switch input {
        case .upstreamOpened(let link): emit(serverWire.accepted(link), link, at: now)
        case .upstreamFailed(let link, let failure):
            let failed = Observation.happened(
                "network.upstream.failed",
                ["failure": .string(failure.rawValue)],
                by: .observed
            )
            emit([failed], link, at: now)
        case .received(let link, .server, let bytes): emit(serverWire.sent(bytes, on: link), link, at: now)
        case .ended(let link, .server, let how): emit(serverWire.ended(link, by: .server, how), link, at: now)
        default: break
        }
    }

    mutating func watchServer(_ output: RelayOutput, at now: Instant) {
        switch output {
        case .write(let link, .server, let bytes): emit(serverWire.received(bytes, on: link), link, at: now)
        case .end(let link, .server, let how): emit(serverWire.ended(link, by: .client, how), link, at: now)
        default: break
        }
    }

    private mutating func emit(_ observations: [Observation], _ link: LinkID, at now: Instant) {
        for observation in observations { record(observation, of: link.client, at: now) }
    }
}
