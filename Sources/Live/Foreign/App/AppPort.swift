import Adapter
import NIOCore
import NIOPosix
import ScenarioModel
package import Sockets
package import SquallCore
import Synchronization

/// The control port, which an app polls over HTTP for adapter protocol messages.
///
/// The port exists for the duration of a suite, has its own thread, and is not affected by faults. Only one run uses it
/// at a time.
package final class AppPort: Sendable {
    /// The address of the control port, and how long the port waits for an app.
    package struct Place: Hashable, Sendable {
        package var address: LocalAddress
        /// The port number; 0 lets the kernel choose a free port.
        package var port: Int
        /// The name or address that identifies this machine in the URL.
        package var name: String
        /// How long to wait for an app that the user or a script must start.
        package var timeout: TimeSpan

        package init(
            address: LocalAddress = .common,
            port: Int = 0,
            name: String = "127.0.0.1",
            timeout: TimeSpan = .seconds(120)
        ) {
            (self.address, self.port, self.name, self.timeout) = (address, port, name, timeout)
        }
    }

    /// An event for the run that uses the port, reported on the port's thread.
    enum Event: Sendable {
        /// The app has connected and is ready. `isReused` is true if the same instance of the app has already served
        /// another run.
        case started(isReused: Bool)
        case input(ForeignInput)
    }

    /// The URL that the app polls, including the secret token.
    package let url: String
    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let service: NIOLoopBound<AppService>
    private let users = Atomic(0)

    private init(_ url: String, _ group: MultiThreadedEventLoopGroup, _ service: NIOLoopBound<AppService>) {
        (self.url, self.group, self.service) = (url, group, service)
        loop = group.next()
    }

    /// Opens the control port; `announce` is called on the port's thread with instructions for the user.
    ///
    /// - Throws: `SocketError` if the address or the port cannot be obtained.
    package static func open(at place: Place, announce: @escaping @Sendable (String) -> Void) async throws -> AppPort {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        do {
            let (service, url) = try await loop.submit {
                let service = try AppService(at: place, token: Self.randomToken(), announce, on: loop)
                return (NIOLoopBound(service, eventLoop: loop), service.url)
            }.get()
            return AppPort(url, group, service)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    /// Returns 128 random bits in hexadecimal.
    private static func randomToken() -> String {
        (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Notifies the app that the suite is over, and closes all connections.
    package func close() async {
        try? await loop.submit { [service] in service.value.close() }.get()
        try? await group.shutdownGracefully()
    }

    /// Records how the app can be prepared for another run.
    func recordCapabilities(_ offer: AdapterCapabilities) { onLoop { $0.recordCapabilities(offer) } }

    /// Reserves the app for a run. `sink` is called on the port's thread when the app is ready, and then with each
    /// input from the app.
    ///
    /// - Returns: The number that identifies the caller in later calls.
    func begin(_ sink: @escaping @Sendable (Event) -> Void) -> Int {
        let user = users.add(1, ordering: .relaxed).newValue
        onLoop { $0.begin(user, sink) }
        return user
    }

    func send(_ line: [UInt8], from user: Int) { onLoop { $0.send(line, from: user) } }

    /// Restarts the app, which is the equivalent of killing a client process.
    func kill(by user: Int) { onLoop { $0.kill(by: user) } }

    /// Releases the app, so that other runs can use it. `wasStarted` is false if no client was started in the app, so
    /// that the app's state is unchanged.
    func end(by user: Int, isReusable: Bool, wasStarted: Bool = true) {
        onLoop { $0.end(by: user, isReusable: isReusable, wasStarted: wasStarted) }
    }

    private func onLoop(_ body: @escaping @Sendable (AppService) -> Void) {
        loop.execute { [service] in body(service.value) }
    }
}
