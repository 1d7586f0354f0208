package import SquallCore
package import WebSocketWire

/// An HTTP request to the chat server. Each exchange has its own connection, in simulated and in live runs.
package struct ChatRequest: Hashable, Sendable {
    package var method: String
    /// The request target: the path and the query.
    package var target: String
    package var body: [UInt8]
    /// The value of the `Authorization` header; nil for a request without credentials (`/health`).
    package var authorization: String?
    /// The value of the `Host` header that selects one of several servers behind one address; nil if there is only one.
    package var host: String?
    /// The media type of the body; ignored if there is no body.
    package var contentType: String

    package init(
        method: String,
        target: String,
        body: [UInt8] = [],
        authorization: String? = nil,
        contentType: String = "application/json"
    ) {
        self.method = method
        self.target = target
        self.body = body
        self.authorization = authorization
        self.contentType = contentType
    }
}

/// The response to a ``ChatRequest``. Redirects are not followed.
package struct ChatResponse: Hashable, Sendable {
    package var status: Int
    /// The header fields in the order received, with lower-case names.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ head: HTTPResponseHead, body: [UInt8]) {
        let headers = head.headers.fields.map { ($0.name.lowercased(), $0.value) }
        self.init(status: head.status, headers: headers, body: body)
    }

    /// Returns the first value of a header field, or nil if the field is absent. `name` must be lower-case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    package static func == (left: ChatResponse, right: ChatResponse) -> Bool {
        left.status == right.status && left.body == right.body
            && left.headers.elementsEqual(right.headers) { $0.name == $1.name && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(body)
    }
}

/// The ID of an HTTP exchange, counted from 1 for each client and owner.
package struct ExchangeID: Hashable, Comparable, Sendable {
    /// The process that owns the exchange; the exchange is aborted when that process ends.
    package enum Owner: Int, Hashable, Sendable {
        /// The app's process.
        case app
        /// The phone's transfer service, which outlives the app's process.
        case system
    }

    package let client: ClientID
    package let number: Int
    package let owner: Owner

    package init(_ client: ClientID, _ number: Int, of owner: Owner = .app) {
        self.client = client
        self.number = number
        self.owner = owner
    }

    package static func < (left: ExchangeID, right: ExchangeID) -> Bool {
        (left.client, left.owner.rawValue, left.number) < (right.client, right.owner.rawValue, right.number)
    }
}
