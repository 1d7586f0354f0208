import Squall
import SquallCore

/// An error that prevents a verdict on a client, with advice on how to fix it.
public struct SquallTestingError: Error, Hashable, Sendable {
    /// The kind of an error.
    public enum Kind: Hashable, Sendable {
        /// The test requested an object that does not exist, or an operation that is not possible.
        case usage
        /// A scenario, or a fragment of a scenario, is invalid; the message lists every error with its line, a caret
        /// and a suggestion.
        case scenario
        /// A condition was not met in time.
        case notInTime
        /// A socket, a file or a folder could not be opened.
        case failed
    }

    /// The kind of the error.
    public let kind: Kind
    /// A description of the problem, and advice on how to fix it.
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

    /// Runs `body`, and converts errors from lower-level modules to ``SquallTestingError``; other errors, such as
    /// cancellation, are rethrown unchanged.
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
    /// The same text as ``message``.
    public var description: String { message }
}
