import Squall
import SquallCore

/// An error that prevents a verdict, with its remedy; it is never a verdict on a client.
public struct SquallTestingError: Error, Hashable, Sendable {
    /// The kind of an error.
    public enum Kind: Hashable, Sendable {
        /// The test requested something that does not exist or cannot be done.
        case usage
        /// A scenario, or a part of one, is invalid; the message lists every error with its line, a caret and a
        /// suggestion.
        case scenario
        /// A condition was not met in time.
        case notInTime
        /// A socket, a file or a folder is not available.
        case failed
    }

    /// The kind of the error.
    public let kind: Kind
    /// A description of the problem and its remedy.
    public let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    init(_ error: SquallError) {
        let kind: Kind =
            switch error.exitStatus {
            case .usage: .usage
            case .invalidInput: .scenario
            default: .failed
            }
        let prefix = "squall: "
        self.init(kind, error.message.hasPrefix(prefix) ? String(error.message.dropFirst(prefix.count)) : error.message)
    }

    /// Runs `body`, and translates errors of the lower modules; other errors, such as cancellation, pass unchanged.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as SquallError {
            throw SquallTestingError(error)
        } catch let error as WaitTimeout {
            throw SquallTestingError(.notInTime, "\(error.what): \(error.why)")
        }
    }
}

extension SquallTestingError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
