import Faults
import NIOCore
import Sockets
import SquallCore
import TLSLink
import WebSocketWire

/// A listener that reads one HTTP request from each connection and then passes the connection on.
///
/// It must be used only on its event loop.
final class HTTPAcceptor {
    /// A complete request and its connection.
    struct Caller {
        var head: HTTPRequestHead
        var body: [UInt8]
        /// The bytes that were received after the request.
        var remainder: [UInt8]
        var connection: Connection
    }

    let port: Int
    private let listener: Listener

    /// Starts listening; port 0 selects a free port. An invalid request is answered with an error response. `security`
    /// enables TLS.
    init(
        at address: LocalAddress,
        port: Int,
        security: ListenerSecurity? = nil,
        on loop: any EventLoop,
        onFailure: @escaping (SocketError) -> Void,
        onCall: @escaping (Caller) -> Void
    ) throws(SocketError) {
        listener = try Listener(at: address, port: port, settings: .conformance, on: loop, onFailure: onFailure) {
            if let security { Self.secure($0, security, on: loop, onCall) } else { Self.readRequest($0, onCall) }
        }
        self.port = listener.port
        try listener.set(.open)
    }

    func close() { listener.close() }

    private static func secure(
        _ connection: Connection,
        _ security: ListenerSecurity,
        on loop: any EventLoop,
        _ onCall: @escaping (Caller) -> Void
    ) {
        do throws(TLSError) {
            SecuredConnection.begin(try security.session(), over: connection, on: loop) { [weak connection] why in
                guard let connection else { return }
                guard let why else { return readRequest(connection, onCall) }
                security.emit(
                    "TLS handshake with a client failed: \(why); does the client trust \(security.certificate)?"
                )
                connection.end(.fin)
            }
        } catch {
            security.emit("cannot start TLS: \(error)")
            connection.end(.rst)
        }
    }

    private static func readRequest(_ connection: Connection, _ onCall: @escaping (Caller) -> Void) {
        var parser = HTTPRequestParser()
        var (head, body): (HTTPRequestHead?, [UInt8]) = (nil, [])
        connection.onEvent = { [weak connection] event in
            guard let connection else { return }
            guard case .received(let bytes) = event else { return connection.end(.fin) }
            parser.append(bytes)
            do throws(HTTPError) {
                while let event = try parser.next() {
                    switch event {
                    case .head(let read):
                        head = read
                        if read.headers.elements(of: "expect").contains(where: { $0.lowercased() == "100-continue" }) {
                            connection.write(HTTPResponseHead(status: 100, reason: "Continue").encode())
                        }
                    case .body(let piece): body += piece
                    case .end:
                        guard let head else { return }
                        let remainder = parser.takeRemainder()
                        return onCall(Caller(head: head, body: body, remainder: remainder, connection: connection))
                    }
                }
            } catch {
                answer(connection, error.status, "\(error)")
            }
        }
    }

    /// Sends a response with one line of text and closes the connection.
    static func answer(_ connection: Connection, _ status: Int, _ message: String) {
        let body = Array("\(message)\n".utf8)
        let head = HTTPResponseHead(
            status: status,
            reason: HTTPResponseHead.usualReason(status),
            headers: ["Content-Type": "text/plain", "Content-Length": "\(body.count)", "Connection": "close"]
        )
        connection.onEvent = { _ in }
        connection.write(head.encode() + body)
        connection.end(.fin)
    }
}
