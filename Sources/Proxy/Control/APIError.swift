import SquallCore

/// An error response from the control API. Messages and status codes match Toxiproxy's.
struct APIError: Error, Hashable {
    var message: String
    var status: Int

    init(_ message: String, _ status: Int) {
        self.message = message
        self.status = status
    }

    private static let badBody = "bad request body: "
    static func badRequestBody(_ why: String) -> APIError { APIError(badBody + why, 400) }
    /// The error with the prefix `bad request body: `, for an error found in the body of a request.
    var inBody: APIError { status == 400 && !message.hasPrefix(Self.badBody) ? .badRequestBody(message) : self }
    /// The message without `bad request body: `, for errors found in a file instead of a request.
    var reason: String { message.hasPrefix(Self.badBody) ? String(message.dropFirst(Self.badBody.count)) : message }
    static func missingField(_ name: String) -> APIError { APIError("missing required field: \(name)", 400) }
    static let proxyNotFound = APIError("proxy not found", 404)
    static let proxyAlreadyExists = APIError("proxy already exists", 409)
    static let invalidStream = APIError("stream was invalid, can be either upstream or downstream", 400)
    static let invalidToxicType = APIError("invalid toxic type", 400)
    static let toxicAlreadyExists = APIError("toxic already exists", 409)
    static let toxicNotFound = APIError("toxic not found", 404)
    /// Returns the error for an address that cannot be bound.
    static func noListener(_ why: String) -> APIError { APIError(why, 500) }

    var members: [JSONMember] {
        [JSONMember("error", .string(message)), JSONMember("status", .integer(Int64(status)))]
    }
}
