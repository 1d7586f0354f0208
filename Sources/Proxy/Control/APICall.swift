package import SquallCore
import Synchronization
import WebSocketWire

/// A call to the control API from another thread of this process.
///
/// Each call receives exactly one answer, which is nil if the server stops first.
package final class APICall: Sendable {
    /// The status and body of a response.
    package struct Response: Sendable {
        package let status: Int
        package let body: [UInt8]
    }

    let request: APIRequest
    private let done: Mutex<(@Sendable (Response?) -> Void)?>

    private init(_ request: APIRequest, _ done: @escaping @Sendable (Response?) -> Void) {
        self.request = request
        self.done = Mutex(done)
    }

    deinit { take(nil) }

    func answer(_ response: APIResponse) { take(Response(status: response.status, body: response.body)) }

    private func take(_ answer: Response?) {
        let done = done.withLock { $0.take() }
        done?(answer)
    }

    /// Calls the control API of the server that owns `inbox`; returns nil if the server has stopped.
    ///
    /// `GET /events` returns only the stored events; a call cannot receive later ones.
    package static func call(
        _ method: String,
        _ path: String,
        _ body: JSON?,
        at inbox: ReactorInbox
    ) async -> Response? {
        let head = HTTPRequestHead(method: method, target: path, headers: [:])
        let request = APIRequest(head, body: body.map { $0.encode() } ?? [])
        return await withCheckedContinuation { continuation in
            inbox.post(.call(APICall(request) { continuation.resume(returning: $0) }))
        }
    }
}
