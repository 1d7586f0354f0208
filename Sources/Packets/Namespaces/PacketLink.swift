#if os(Linux)
    import CNamespaces
    import Glibc

    /// Two network namespaces that are connected only through this process: one for the command, one for the services
    /// that it can reach.
    ///
    /// Each namespace has a TUN device, whose descriptor this process holds. The namespaces have no names, and the
    /// kernel removes them when the descriptors are closed.
    package final class PacketLink {
        /// A service's socket in the services' namespace.
        package struct ServiceSocket: Hashable, Sendable {
            package let route: ServiceRoute
            /// The address inside the link, such as `10.77.0.2:80` or `[fd77::2]:80`.
            package let address: String
            /// The descriptor of a listening stream socket or a bound datagram socket. The caller must close it.
            package let descriptor: Int32
        }

        package struct Options: Sendable {
            /// The services that the command can reach.
            package var routes: [ServiceRoute] = []
            /// The maximum packet size in bytes, from 1280 (RFC 8200 section 5) to 65535.
            package var mtu = 1500
            /// The command: its path, its arguments including the command name, and its environment. If nil, no command
            /// is run.
            package var command: (path: String, arguments: [String], environment: [String])?

            package init() {}
        }

        private static let device = "squall0"
        /// The length of the TUN device's kernel queue, in packets.
        private static let kernelQueue: UInt32 = 10_000
        /// How long to wait for an IPv6 address to become usable, in milliseconds.
        private static let timeout = 5000

        /// The descriptor of the TUN device in the command's namespace.
        let near: Int32
        /// The descriptor of the TUN device in the services' namespace.
        let far: Int32
        let namespaceProcess: NamespaceProcess
        /// The TCP connections in the command's namespace. The kernel continues to serve them after the command has
        /// exited.
        let connections: ConnectionTable
        /// The services' sockets, one per address family.
        package let serviceSockets: [ServiceSocket]
        /// Whether the services' names resolve inside the link. Their addresses can always be used.
        package private(set) var hasNames = false
        package let plan: AddressPlan

        /// Creates sockets in the command's namespace. Can be used from any thread.
        package struct Dialer: Sendable {
            let namespaceProcess: NamespaceProcess

            /// Creates a non-blocking TCP socket that child processes do not inherit; returns nil if that fails.
            package func makeStream(_ family: Int32) -> Int32? { try? namespaceProcess.socket(family, SOCK_STREAM) }
        }

        package var dialer: Dialer { Dialer(namespaceProcess: namespaceProcess) }

        /// Creates the namespaces and their devices, and prepares the command without running it.
        ///
        /// The link is closed when the calling thread ends, because the kernel's parent-death signal is bound to the
        /// thread.
        ///
        /// - Throws: ``PacketLinkError`` if a permission, a kernel feature or an address is missing.
        package init(_ options: Options) throws(PacketLinkError) {
            do throws(TermError) { plan = try AddressPlan(options.routes) } catch { throw PacketLinkError("\(error)") }
            let command = options.command.map {
                NamespaceProcess.Command(path: $0.path, arguments: $0.arguments, environment: $0.environment)
            }
            let others = TextFile.read("/etc/hosts")
            // Names get IPv6 addresses only if this machine supports IPv6, because the link cannot be tested yet. If a
            // name had an unreachable IPv6 address, the command would have to wait for a timeout.
            let machineHasIPv6 =
                access("/proc/net/if_inet6", F_OK) == 0
                && !TextFile.read("/proc/sys/net/ipv6/conf/default/disable_ipv6").hasPrefix("1")
            let privileges = Privileges.read()
            namespaceProcess = try NamespaceProcess(
                command,
                hosts: plan.hosts(before: others, withIPv6: machineHasIPv6),
                privileges
            )
            var made: [Int32] = []
            do throws(PacketLinkError) {
                var serviceSockets: [ServiceSocket] = []
                let hosts = 2..<(2 + max(1, plan.names.count))
                far = try Self.makeEnd(Array(hosts), options.mtu, namespaceProcess, machineHasIPv6, privileges)
                made.append(far)
                for route in options.routes {
                    guard let host = plan.host(of: route.name) else { continue }
                    for isIPv6 in machineHasIPv6 ? [false, true] : [false] {
                        let entrance = try Self.open(route, host, isIPv6, namespaceProcess)
                        serviceSockets.append(entrance)
                        made.append(entrance.descriptor)
                    }
                }
                try namespaceProcess.leaveNetwork()
                near = try Self.makeEnd([1], options.mtu, namespaceProcess, machineHasIPv6, privileges)
                connections = ConnectionTable(whereStands: namespaceProcess.id)
                self.serviceSockets = serviceSockets
            } catch {
                for descriptor in made { close(descriptor) }
                throw error
            }
            if command != nil {
                hasNames = namespaceProcess.mountViews(withHosts: !plan.names.isEmpty) && !plan.names.isEmpty
            }
        }

        deinit {
            // The process is ended explicitly, because a ``Dialer`` or handle may still retain the process object.
            namespaceProcess.finish()
            close(near)
            close(far)
        }

        /// Creates the TUN device at one end of the link, assigns its addresses and brings it up. Returns its
        /// descriptor.
        private static func makeEnd(
            _ hosts: [Int],
            _ mtu: Int,
            _ namespaceProcess: NamespaceProcess,
            _ hasIPv6: Bool,
            _ privileges: Privileges
        ) throws(PacketLinkError) -> Int32 {
            let tun = try namespaceProcess.openTun()
            do throws(PacketLinkError) {
                func check(_ result: Int32, _ operation: String) throws(PacketLinkError) {
                    guard result == 0 else { throw PacketLinkError(privileges.whyForbidden(operation, errno)) }
                }
                try check(squall_tun_attach(tun, device), "create a TUN device")
                guard let control = try namespaceProcess.socket(AF_INET, SOCK_DGRAM) else {
                    throw PacketLinkError("the kernel has no IPv4")
                }
                defer { close(control) }
                try check(squall_device_up(control, "lo"), "bring the loopback up")
                try check(squall_device_mtu(control, device, Int32(mtu)), "set the MTU of a TUN device to \(mtu)")
                if let netlink = try namespaceProcess.socket(AF_NETLINK, SOCK_RAW) {
                    defer { close(netlink) }
                    try check(
                        squall_device_queue(control, netlink, device, kernelQueue),
                        "lengthen the queue of a TUN device"
                    )
                }
                try check(squall_device_up(control, device), "bring a TUN device up")
                for (index, host) in hosts.enumerated() {
                    let alias = index == 0 ? device : "\(device):\(index)"
                    try check(
                        squall_address4(control, alias, AddressPlan.number4(host), 24),
                        "assign an address to a TUN device"
                    )
                }
                if hasIPv6, let control = try namespaceProcess.socket(AF_INET6, SOCK_DGRAM) {
                    defer { close(control) }
                    for host in hosts {
                        let result = squall_address6(control, device, AddressPlan.bytes6(host), 64)
                        try check(result, "assign an IPv6 address to a TUN device")
                    }
                    for host in hosts { try awaitAddress(host, namespaceProcess) }
                }
                return tun
            } catch {
                close(tun)
                throw error
            }
        }

        /// Waits until an IPv6 address can be bound.
        ///
        /// The kernel enables an address asynchronously even without duplicate address detection (RFC 4862 section
        /// 5.4).
        private static func awaitAddress(_ host: Int, _ namespaceProcess: NamespaceProcess) throws(PacketLinkError) {
            guard let probe = try namespaceProcess.socket(AF_INET6, SOCK_DGRAM) else { return }
            defer { close(probe) }
            for _ in 0..<timeout {
                if bind6(probe, AddressPlan.bytes6(host), 0) == 0 { return }
                guard errno == EADDRNOTAVAIL else { break }
                usleep(1000)
            }
            throw PacketLinkError(
                "\(AddressPlan.address6(host)) cannot be used: \(String(cString: strerror(errno)).lowercased())"
            )
        }

        /// Opens the socket of one service in the services' namespace.
        private static func open(
            _ route: ServiceRoute,
            _ host: Int,
            _ isIPv6: Bool,
            _ namespaceProcess: NamespaceProcess
        ) throws(PacketLinkError) -> ServiceSocket {
            let type = route.isDatagram ? SOCK_DGRAM : SOCK_STREAM
            let address =
                isIPv6 ? "[\(AddressPlan.address6(host))]:\(route.port)" : "\(AddressPlan.address4(host)):\(route.port)"
            guard let socket = try namespaceProcess.socket(isIPv6 ? AF_INET6 : AF_INET, type) else {
                throw PacketLinkError("the kernel has no \(isIPv6 ? "IPv6" : "IPv4")")
            }
            let result =
                isIPv6
                ? bind6(socket, AddressPlan.bytes6(host), route.port)
                : bind4(socket, AddressPlan.number4(host), route.port)
            guard result == 0, route.isDatagram || listen(socket, 4096) == 0 else {
                let why = String(cString: strerror(errno)).lowercased()
                close(socket)
                throw PacketLinkError("cannot listen on \(address) in a namespace: \(why)")
            }
            return ServiceSocket(route: route, address: address, descriptor: socket)
        }

        private static func bind4(_ socket: Int32, _ host: UInt32, _ port: UInt16) -> Int32 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = host.bigEndian
            return withUnsafeBytes(of: &address) { bind(socket, $0) }
        }

        private static func bind6(_ socket: Int32, _ host: [UInt8], _ port: UInt16) -> Int32 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: host) }
            return withUnsafeBytes(of: &address) { bind(socket, $0) }
        }

        private static func bind(_ socket: Int32, _ address: UnsafeRawBufferPointer) -> Int32 {
            address.withMemoryRebound(to: sockaddr.self) { rebound in
                Glibc.bind(socket, rebound.baseAddress, socklen_t(address.count))
            }
        }
    }
#endif
