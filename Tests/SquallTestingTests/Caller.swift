import Foundation
import NIOCore
import NIOPosix

/// A client that opens TCP connections and WebSockets.
enum Caller {
    struct NoAddress: Error {}

    private static func connect(_ address: String) async throws -> any Channel {
        guard let url = URL(string: address), let host = url.host, let port = url.port else { throw NoAddress() }
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(5))
            .connect(host: host, port: port).get()
    }

    /// Opens a WebSocket, sends no frame, and stays connected until the task is cancelled.
    static func stay(at address: String) async throws {
        let channel = try await connect(address)
        let request =
            "GET /ws HTTP/1.1\r\nHost: chat\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        try await channel.writeAndFlush(ByteBuffer(string: request)).get()
        try? await Task.sleep(for: .seconds(3600))
        try? await channel.close().get()
    }

    /// Returns whether a connection to the URL can be opened.
    static func reaches(_ address: String) async -> Bool {
        guard let channel = try? await connect(address) else { return false }
        try? await channel.close().get()
        return true
    }
}
