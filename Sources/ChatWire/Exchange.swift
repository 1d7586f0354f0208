package import SquallCore
package import WebSocketWire

/// One HTTP request to the chat server; one exchange is one connection, in both worlds.
package struct ChatRequest: Hashable, Sendable {
    package var method: String
    /// Path and query.
    package var target: String
    package var body: [UInt8]
    /// The value of the header of that name; nil for a request without credentials (`/health`).
    package var authorization: String?
    /// The server that is meant, where there are several behind one address; nil for the only one.
    package var host: String?
    /// What the body is, where there may be one.
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

/// What came back for a ``ChatRequest``, redirects not followed.
package struct ChatResponse: Hashable, Sendable {
    package var status: Int
    /// Lower-case names, in the order received.
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

    /// The first value of a header; `name` in lower case.
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

/// One HTTP exchange of a client, counted from 1 for each client and owner.
package struct ExchangeID: Hashable, Comparable, Sendable {
    /// Whose exchange it is, and with whose end it ends.
    package enum Owner: Int, Hashable, Sendable {
        /// The app's process.
        case app
        /// The phone's own transfer service, which outlives the app's process.
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
