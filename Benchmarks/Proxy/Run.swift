import Foundation

/// Measures the relays in turn, over several rounds, so that other load on the machine affects all of them equally.
struct Run {
    let options: Options
    let session: Session
    let servers: Servers
    let holder: Holder
    let relays: [Relay]
    /// The relays that terminate TLS.
    let secured: [Relay]

    func measureAll() {
        for round in 1...options.rounds {
            for relay in relays {
                for measure in [Measure.throughput, .trips, .connections] where options.wants(measure) {
                    // The bare relay starts a thread for each connection, so its connection rate is not an upper bound.
                    if relay.name == "bare", measure == .connections { continue }
                    Session.progress("round \(round) of \(options.rounds): \(relay.name), \(measure)")
                    switch measure {
                    case .throughput: throughput(relay, round)
                    case .trips: trips(relay, round)
                    default:
                        let made = Measures.connections(relay.briefPort, seconds: options.seconds)
                        session.add(Row.connections, relay.name, made, round: round)
                    }
                }
            }
        }
        for round in 1...options.rounds {
            for relay in secured {
                Session.progress("round \(round) of \(options.rounds): \(relay.name), tls")
                let rate = Measures.securedThroughput(relay.sinkPort, servers, seconds: options.seconds)
                if let rate { session.add(Row.securedThroughput, relay.name, rate, round: round) }
                let made = Measures.securedConnections(relay.briefPort, seconds: options.seconds)
                session.add(Row.securedConnections, relay.name, made, round: round)
            }
        }
        // Fault accuracy is not compared between relays, so one round is enough.
        for relay in relays where relay.hasAPI {
            if options.wants(.latency) {
                Session.progress("\(relay.name), latency")
                latency(relay)
            }
            if options.wants(.bandwidth) {
                Session.progress("\(relay.name), bandwidth")
                bandwidth(relay)
            }
        }
        for relay in relays where relay.name != "direct" && relay.name != "bare" && options.wants(.idle) {
            Session.progress("\(relay.name), idle")
            idle(relay)
        }
    }

    private func throughput(_ relay: Relay, _ round: Int) {
        for connections in [1, 64] {
            let rate = Measures.throughput(
                relay.sinkPort,
                servers,
                connections: connections,
                seconds: options.seconds
            )
            session.add(Row.throughput(connections), relay.name, rate, round: round)
        }
        guard relay.addToxic(Self.delay, to: "p2") || relay.delayedPort != nil else { return }
        let port = relay.delayedPort ?? relay.sinkPort
        let rate = Measures.throughput(port, servers, connections: 1, seconds: options.seconds)
        session.add(Row.delayed, relay.name, rate, round: round)
        relay.reset()
    }

    private static let delay = #"{"name":"d","type":"latency","stream":"upstream","attributes":{"latency":1}}"#

    private func trips(_ relay: Relay, _ round: Int) {
        for bytes in [64, 1024] {
            let trips = Measures.roundTrips(relay.echoPort, bytes: bytes, count: 10_000)
            guard !trips.isEmpty else { continue }
            for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
                let trip = trips[min(trips.count - 1, Int(Double(trips.count) * share))]
                session.add(Row.trip(bytes, name), relay.name, trip, round: round)
            }
        }
    }

    private func latency(_ relay: Relay) {
        guard let errors = Measures.latencyErrors(relay, milliseconds: 50, count: 100) else { return }
        session.add(Row.beyond("mean"), relay.name, errors.reduce(0, +) / Double(errors.count), round: 1)
        session.add(Row.beyond("p50"), relay.name, errors[errors.count / 2], round: 1)
        session.add(Row.beyond("p99"), relay.name, errors[errors.count * 99 / 100], round: 1)
    }

    private func bandwidth(_ relay: Relay) {
        for rate in [1, 1000, 100_000] {
            guard let miss = Measures.bandwidthError(relay, servers, kilobytes: rate, seconds: 5) else { continue }
            session.add(Row.off(rate), relay.name, miss, round: 1)
        }
    }

    /// Measures the memory of idle connections. Each connection uses two descriptors in the relay, one in this process
    /// and one in the server's process.
    private func idle(_ relay: Relay) {
        let wanted = 10_000
        let crowd = min(wanted, (Descriptors.limit - 200) / 2)
        guard let idle = Measures.idleMemory(relay, holder, connections: crowd) else { return }
        session.add(Row.idleCount, relay.name, Double(crowd), round: 1)
        session.add(Row.idleEach, relay.name, idle.each, round: 1)
        session.add(Row.idleTotal, relay.name, Double(idle.total) / 1e6, round: 1)
        // If the descriptor limit is too low for all connections, fewer are opened and the result is extrapolated.
        let rest = Double(wanted - crowd) * idle.each
        session.add(Row.idleMost, relay.name, (Double(idle.total) + rest) / 1e6, round: 1)
    }
}
