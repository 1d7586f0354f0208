import Packets
import Squall
import SquallCore

/// Implements `squall packets`: runs the user's command and the faulty link.
enum PacketsSession {
    struct Plan: Sendable {
        var up: PacketFaults
        var down: PacketFaults
        var seed: Seed
        var routes: [ServiceRoute]
        var listenings: [Listening]
        var mtu: Int
        var command: [String]
        var events: String?
        var pcap: String?
        var isQuiet: Bool
    }

    #if !os(Linux)
        static func run(_ plan: Plan) throws -> ExitStatus {
            throw SquallError.failed(
                """
                squall packets needs Linux: it uses network namespaces and TUN devices, which this system does not \
                have. Run it in a Linux container with --privileged, or use squall proxy, whose faults apply to \
                TCP streams
                """
            )
        }
    #endif
}

#if os(Linux)
    import Glibc
    import Proxy

    extension PacketsSession {
        /// The maximum time to wait for the command's remaining data after the command has exited.
        private static let timeout = TimeSpan.seconds(5)

        /// Runs the user's command in a network namespace behind the faulty link; returns its exit status.
        ///
        /// - Throws: ``SquallError`` if the link cannot be set up or fails.
        static func run(_ plan: Plan) throws -> ExitStatus {
            let writer = try plan.events.map { try EventWriter(to: $0) }
            let capture = try plan.pcap.map { try EventWriter(to: $0, option: "--pcap") }
            let status = Result { try carry(plan, writer, capture) }
            let areWhole = [writer, capture].map { $0?.finish() ?? true }
            do {
                let status = try status.get()
                return areWhole.contains(false) ? .internalError : status
            } catch let error as PacketLinkError {
                throw SquallError.failed("\(error)")
            }
        }

        /// Resolves the upstream host of a UDP service in advance, because a datagram, unlike a connection, cannot wait
        /// for DNS.
        private static func lookedUp(_ route: ServiceRoute) throws -> ServiceRoute {
            guard route.isDatagram else { return route }
            var route = route
            do {
                let address = try Endpoint(route.upstream).resolve().first
                route.upstream = address?.description ?? route.upstream
            } catch {
                throw SquallError.failed("--reach udp:\(route.name):\(route.port)=\(route.upstream): \(error)")
            }
            return route
        }

        private static func carry(_ plan: Plan, _ writer: EventWriter?, _ capture: EventWriter?) throws -> ExitStatus {
            writer?.write(line("link.began", at: .zero, [("seed", JSON(unsigned: plan.seed.value))]))
            capture?.write(CaptureFile.header)
            var made: PacketRelay?
            // The exit status that is reported if this function throws an error because the link could not be set up or
            // has failed.
            var status = ExitStatus.internalError
            defer { writer.map { emitEnd(made, status, $0) } }
            var path: String?
            if let name = plan.command.first {
                switch find(name) {
                case .at(let found): path = found
                case .mayNotRun(let found):
                    Terminal.printError("squall: cannot run \(found): permission denied")
                    status = .command(126)
                    return status
                case .nowhere:
                    Terminal.printError("squall: cannot run \(name): no such command in the PATH")
                    status = .command(127)
                    return status
                }
            }
            var options = PacketLink.Options()
            (options.routes, options.mtu) = (try plan.routes.map(lookedUp), plan.mtu)
            options.routes += Listening.routes(plan.listenings)
            options.command = path.map { ($0, plan.command, environment()) }
            let link = try PacketLink(options)
            let relay = try PacketRelay(link, up: plan.up, down: plan.down, seed: plan.seed)
            made = relay
            let services = try PacketServices(link, plan.listenings, seed: plan.seed)
            defer { services.stop() }
            if let writer { relay.onPacket = { writer.write($0.line) } }
            if let capture { relay.onCapture = { capture.write(CaptureFile.record($0, at: $1)) } }
            if path != nil {
                if !link.hasNames, !plan.routes.isEmpty {
                    Terminal.printError(
                        """
                        squall: names cannot be resolved inside the namespace: use addresses, the first is \
                        \(AddressPlan.address4(2))
                        """
                    )
                }
                PassedSignals.listen { [handle = relay.handle] in handle.pass(signal: $0) }
                let failure = relay.startCommand()
                guard failure == 0 else {
                    let why = String(cString: strerror(failure)).lowercased()
                    Terminal.printError("squall: cannot run \(plan.command[0]): \(why)")
                    status = failure == ENOENT ? .command(127) : .command(126)
                    return status
                }
                status = try self.status(of: relay.run())
                if !relay.settle(within: timeout, services.havePassedAllOn) {
                    Terminal.printError(
                        "squall: not everything that the command sent has arrived: open streams are reset"
                    )
                }
            } else {
                _ = Interruption.install { [handle = relay.handle] in handle.stop() }
                _ = try self.status(of: relay.run())
                status = Interruption.serverStatus
            }
            if !plan.isQuiet {
                for direction in PacketDirection.allCases {
                    Terminal.printError("squall: \(direction.rawValue): \(relay[direction].counts.summary)")
                }
            }
            return status
        }

        /// Writes the last event, which contains the exit status. `relay` is nil if the link could not be set up.
        private static func emitEnd(_ relay: PacketRelay?, _ status: ExitStatus, _ writer: EventWriter) {
            let counts: [(String, JSON)] = PacketDirection.allCases.map { direction in
                (direction.rawValue, (relay?[direction].counts ?? LineCounts()).json)
            }
            let fields = [("status", JSON.integer(Int64(status.code)))] + counts
            writer.write(line("link.over", at: relay?.now ?? .zero, fields))
        }

        private static func status(of ending: PacketRelay.Ending) throws -> ExitStatus {
            switch ending {
            case .exited(let code): return code == 0 ? .passed : .command(code)
            case .killed(let signal): return .command(128 + signal)
            case .stopped: return .interrupted
            case .lost:
                throw SquallError.failed(
                    "the process that holds the namespaces was killed, and the command with it"
                )
            }
        }

        private static func line(_ name: String, at time: Instant, _ fields: [(String, JSON)]) -> [UInt8] {
            var members = [JSONMember("t_ns", .integer(time.nanoseconds)), JSONMember("event", .string(name))]
            members += fields.map { JSONMember($0.0, $0.1) }
            return JSON.object(members).encode() + [UInt8(ascii: "\n")]
        }

        // MARK: - The command

        private enum Finding {
            case at(String)
            case mayNotRun(String)
            case nowhere
        }

        /// Searches PATH for a command as a shell does.
        private static func find(_ name: String) -> Finding {
            guard !name.contains("/") else { return .at(name) }
            var finding = Finding.nowhere
            let paths = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
            for folder in paths.split(separator: ":", omittingEmptySubsequences: false) {
                let candidate = folder.isEmpty ? "./\(name)" : "\(folder)/\(name)"
                var status = stat()
                guard stat(candidate, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                if access(candidate, X_OK) == 0 { return .at(candidate) }
                if case .nowhere = finding { finding = .mayNotRun(candidate) }
            }
            return finding
        }

        /// Returns this process's environment without the variables that select an HTTP proxy, because such a proxy is
        /// unreachable from the namespace.
        private static func environment() -> [String] {
            let unreachable: Set = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy"]
            var entries: [String] = []
            var place = environ
            while let entry = place.pointee {
                place += 1
                let text = String(cString: entry)
                let name = text.prefix { $0 != "=" }.lowercased()
                if !unreachable.contains(name) { entries.append(text) }
            }
            return entries
        }
    }
#endif
