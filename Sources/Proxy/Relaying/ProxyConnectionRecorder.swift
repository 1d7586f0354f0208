import Faults
import Sockets
import SquallCore
import Trace

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Records the bytes of both sides of one proxy connection in a packet capture.
///
/// Confined to the connection's thread.
final class ProxyConnectionRecorder {
    private let capture: ProxyCapture
    private let title: String
    private let number: Int
    private var client: ConnectionCapture
    private var server: ConnectionCapture?
    /// The sides for which the proxy's FIN or RST has been recorded.
    private var ended: Set<LinkSide> = []

    /// Creates a recorder and records the accepted client connection.
    init(_ capture: ProxyCapture, _ socket: SystemSocket, from address: SystemAddress, number: Int, of proxy: String) {
        self.capture = capture
        self.number = number
        title = "Connection \(number) of \(proxy)"
        let (mine, theirs) = (Self.name(of: socket, getsockname), address)
        client = ConnectionCapture(
            from: theirs.endpoint ?? Self.placeholder(1, port: number),
            to: mine?.endpoint ?? Self.placeholder(2, port: 1),
            at: .client,
            number: 2 * number,
            comment: "\(title)\(Self.realAddresses(theirs, mine)).",
            now: ProxyCapture.now
        )
        client.accept(at: ProxyCapture.now)
        write()
    }

    /// Records an attempt to connect to an upstream address.
    func recordConnect(_ address: SystemAddress, by socket: SystemSocket) {
        let mine = Self.name(of: socket, getsockname)
        server = ConnectionCapture(
            from: mine?.endpoint ?? Self.placeholder(2, port: number),
            to: address.endpoint ?? Self.placeholder(3, port: 1),
            at: .server,
            number: 2 * number + 1,
            comment: "\(title), to the upstream\(Self.realAddresses(mine, address)).",
            now: ProxyCapture.now
        )
        write()
    }

    /// Records that the upstream accepted the connection.
    func recordConnected() {
        server?.accept(at: ProxyCapture.now)
        write()
    }

    /// Records that an attempt to connect to the upstream failed. The capture shows a packet only for a refusal or a
    /// reset.
    func failed(_ failure: LinkFailure?) {
        if failure == .refused || failure == .reset { server?.refuse(at: ProxyCapture.now) }
        write()
    }

    func received(_ bytes: UnsafeRawBufferPointer, from side: LinkSide) {
        carry(.bytes(Array(bytes)), on: side, from: side == .client ? .caller : .callee)
    }

    func wrote(_ bytes: UnsafeRawBufferPointer, to side: LinkSide) {
        carry(.bytes(Array(bytes)), on: side, from: side == .client ? .callee : .caller)
    }

    /// Records the FIN or RST that a peer sent.
    func recordPeerEnd(_ how: LinkEnd, of side: LinkSide) {
        carry(how == .fin ? .fin : .rst, on: side, from: side == .client ? .caller : .callee)
    }

    /// Records the FIN or RST that the proxy sends to one side. FIN is recorded only once; RST may follow it.
    func end(_ side: LinkSide, _ how: LinkEnd) {
        guard ended.insert(side).inserted || how == .rst else { return }
        carry(how == .fin ? .fin : .rst, on: side, from: side == .client ? .callee : .caller)
    }

    private func carry(_ cargo: LinkCapture.Payload, on side: LinkSide, from end: LinkCapture.Side) {
        switch side {
        case .client: client.carry(cargo, from: end, at: ProxyCapture.now)
        case .server: server?.carry(cargo, from: end, at: ProxyCapture.now)
        }
        write()
    }

    private func write() {
        capture.add(client.blocks() + (server?.blocks() ?? []))
    }

    // MARK: - Addresses

    private static func name(
        of socket: SystemSocket,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SystemAddress? {
        SystemAddress.queryUnmapped { call(socket.descriptor, $0, $1) }
    }

    /// Returns a placeholder for an address that is not IPv4.
    ///
    /// The placeholder's address is 10.1.0.1 for clients, 10.2.0.1 for the proxy and 10.3.0.1 for upstreams.
    private static func placeholder(_ network: UInt32, port: Int) -> PacketCapture.Endpoint {
        PacketCapture.Endpoint(address: 10 << 24 | network << 16 | 1, port: UInt16(1 + (port - 1) % 65535))
    }

    /// Returns the real addresses, for the packet comment, if the packets contain placeholders; otherwise returns an
    /// empty string.
    private static func realAddresses(_ source: SystemAddress?, _ destination: SystemAddress?) -> String {
        guard source?.endpoint == nil || destination?.endpoint == nil else { return "" }
        func name(_ address: SystemAddress?) -> String {
            let text = address?.description ?? ""
            return text.isEmpty ? "a Unix socket" : text
        }
        return ": from \(name(source)) to \(name(destination))"
    }
}

extension SystemAddress {
    /// The address and port for the capture; nil if the address is not IPv4.
    fileprivate var endpoint: PacketCapture.Endpoint? {
        guard family == AF_INET, bytes.count >= 8 else { return nil }
        let address = bytes[4..<8].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        return PacketCapture.Endpoint(address: address, port: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
    }
}
