package import Foundations

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

    package init(method: String, target: String, body: [UInt8] = [], authorization: String? = nil) {
        self.method = method
        self.target = target
        self.body = body
        self.authorization = authorization
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

/// One HTTP exchange of a client, counted from 1 for each client.
package struct ExchangeID: Hashable, Comparable, Sendable {
    package let client: ClientID
    package let number: Int

    package init(_ client: ClientID, _ number: Int) {
        self.client = client
        self.number = number
    }

    package static func < (left: ExchangeID, right: ExchangeID) -> Bool {
        (left.client, left.number) < (right.client, right.number)
    }
}
