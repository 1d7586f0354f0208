import Adapter
import Faults
import NIOCore
import NIOPosix
import ScenarioModel
import Sockets
import SquallCore

/// The listener and the connections of a control port, and the run that is using the port.
///
/// The service must be used only on its event loop.
final class AppService {
    private struct Peer {
        let socket: Connection
        var state: ControlConnection
        /// The time at which the connection was accepted, or at which its last response was written.
        var since: NIODeadline
    }

    private static let maximumPeers = 64
    /// How long a request may take to arrive, and how long a connection may be idle.
    private static let timeout = TimeAmount.seconds(60)

    let url: String
    private let loop: any EventLoop
    private let token: String
    private let announce: @Sendable (String) -> Void
    private let listener: Listener
    private var host: AppHost
    /// The connections, keyed by number. A connection has at most one request at a time, identified by the connection's
    /// number.
    private var peers: [Int: Peer] = [:]
    private var lastPeer = 0
    private var user: (number: Int, sink: @Sendable (AppPort.Event) -> Void)?
    private var alarm: Scheduled<Void>?
    private var ticks: RepeatedTask?

    /// Opens the control port and starts listening.
    ///
    /// - Throws: `SocketError` if the address or the port cannot be obtained.
    init(
        at place: AppPort.Place,
        token: String,
        _ announce: @escaping @Sendable (String) -> Void,
        on loop: any EventLoop
    ) throws(SocketError) {
        (self.token, self.announce, self.loop) = (token, announce, loop)
        let acceptor = Acceptor()
        listener = try Listener(at: place.address, port: place.port, settings: SocketSettings(), on: loop) { _ in
        } onAccept: { socket in
            acceptor.service?.accept(socket)
        }
        url = "http://\(place.name):\(listener.port)/\(token)/"
        host = AppHost(url: url, timeout: place.timeout)
        acceptor.service = self
        try listener.set(.open)
        let service = NIOLoopBound(self, eventLoop: loop)
        ticks = loop.scheduleRepeatedTask(initialDelay: .seconds(5), delay: .seconds(5)) { _ in service.value.tick() }
    }

    /// A weak reference to the service, so that the listener's closure does not form a reference cycle with it.
    private final class Acceptor {
        weak var service: AppService?
    }

    func close() {
        perform(host.close(at: .uptime))
        user = nil
        alarm?.cancel()
        ticks?.cancel()
        listener.close()
        for peer in peers.values { peer.socket.end(.fin) }
        peers = [:]
    }

    // MARK: - Runs

    func recordCapabilities(_ offer: AdapterCapabilities) { host.recordCapabilities(offer) }

    func begin(_ number: Int, _ sink: @escaping @Sendable (AppPort.Event) -> Void) {
        user = (number, sink)
        perform(host.begin(at: .uptime))
    }

    func send(_ line: [UInt8], from number: Int) {
        guard user?.number == number else { return }
        perform(host.send(line, at: .uptime))
    }

    func kill(by number: Int) {
        guard user?.number == number else { return }
        user = nil
        perform(host.kill(at: .uptime))
    }

    func end(by number: Int, isReusable: Bool, wasStarted: Bool) {
        guard user?.number == number else { return }
        user = nil
        perform(host.end(isReusable: isReusable, wasStarted: wasStarted, at: .uptime))
    }

    private func perform(_ outputs: [AppHost.Output]) {
        for output in outputs {
            switch output {
            case .answer(let number, let answer): respond(answer, to: number)
            case .started(let isReused): user?.sink(.started(isReused: isReused))
            case .received(let message):
                user?.sink(.input(.output(message.encode() + [UInt8(ascii: "\n")])))
            case .couldNotStart(let why): user?.sink(.input(.couldNotStart(why)))
            case .failed(let kind): user?.sink(.input(.gone(kind)))
            case .announce(let text): announce(text)
            }
        }
        setAlarm()
    }

    private func setAlarm() {
        alarm?.cancel()
        alarm = nil
        guard let deadline = host.nextDeadline else { return }
        let service = NIOLoopBound(self, eventLoop: loop)
        alarm = loop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))) {
            service.value.perform(service.value.host.timer(at: .uptime))
        }
    }

    // MARK: - Connections

    private func accept(_ socket: Connection) {
        guard peers.count < Self.maximumPeers else {
            socket.end(.rst)
            return
        }
        lastPeer += 1
        let number = lastPeer
        peers[number] = Peer(socket: socket, state: ControlConnection(token: token), since: .now())
        socket.onEvent = { [weak self] event in
            switch event {
            case .received(let bytes): self?.receive(bytes, from: number)
            case .ended: self?.drop(number)
            }
        }
    }

    private func drop(_ number: Int) {
        guard let peer = peers.removeValue(forKey: number) else { return }
        peer.socket.end(.fin)
        host.abandoned(number, at: .uptime)
        setAlarm()
    }

    private func receive(_ bytes: [UInt8], from number: Int) {
        perform(peers[number]?.state.receive(bytes) ?? [], for: number)
    }

    private func perform(_ outputs: [ControlConnection.Output], for number: Int) {
        for output in outputs {
            switch output {
            case .write(let bytes): peers[number]?.socket.write(bytes)
            case .close: drop(number)
            case .asked(.about): respond(.about(isConnected: host.isConnected), to: number)
            case .asked(let request): perform(host.take(request, number, at: .uptime))
            case .mistake(let why): perform(host.mistake(why))
            }
        }
    }

    private func respond(_ answer: ControlAnswer, to number: Int) {
        guard let outputs = peers[number]?.state.answer(answer) else { return }
        peers[number]?.since = .now()
        perform(outputs, for: number)
    }

    /// Closes connections whose request has not arrived in time.
    private func tick() {
        let limit = NIODeadline.now() - Self.timeout
        for number in peers.keys.sorted() {
            guard let peer = peers[number], peer.since < limit, peer.state.isReading else { continue }
            perform(peers[number]?.state.expire() ?? [], for: number)
        }
    }
}
