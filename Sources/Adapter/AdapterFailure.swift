package import SquallCore

/// Why a client could not be judged any further: what it did to the protocol, how it ended, and its last words.
package struct AdapterFailure: Error, Hashable, Sendable {
    package enum Kind: Error, Hashable, Sendable {
        /// The process could not be had at all.
        case notStarted(reason: String)
        /// `init` was not answered.
        case neverReady(after: TimeSpan)
        /// `init` was answered with an error.
        case refusedInit(String)
        case notJSON(line: String, reason: String)
        /// An object with neither `type` nor `event`.
        case untyped(line: String)
        case badField(message: String, field: String)
        /// An answer to nothing that was asked.
        case unasked(id: Int64)
        case reservedClock(String)
        case lineTooLong(limit: Int)
        case flooded(lines: Int, within: TimeSpan)
        /// A command was not answered.
        case hung(command: String, after: TimeSpan)
        /// A state word that the client's own map does not have.
        case unknownState(word: String, known: [String])
        /// A value that the observable cannot have, or a name that the registry does not have.
        case badObservation(name: String, reason: String)
        /// A name in `init_ok` that there is not, and the nearest that there is.
        case unknownName(field: String, name: String, nearest: String?)
        /// A later start of the command answered `init` otherwise than the first.
        case offerChanged
        /// A command that the client said it takes, and then that it does not.
        case notSupported(command: String)
        /// Standard output is closed, and the process goes on.
        case closedOutput
        case exited(ProcessEnd)
        /// One that runs within this process threw an error.
        case threw(String)
        /// One that runs within this process was done before the run was.
        case returned
    }

    package var kind: Kind
    /// How the process ended, where it did.
    package var end: ProcessEnd?
    /// The last lines of standard error.
    package var lastErrors: [String]

    package init(_ kind: Kind, end: ProcessEnd? = nil, lastErrors: [String] = []) {
        self.kind = kind
        self.end = end
        self.lastErrors = lastErrors
    }

    /// Text of a line for a reader: its beginning, what cannot be shown replaced.
    package static func excerpt(_ line: some Collection<UInt8>) -> String {
        let shown = line.prefix(120).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: shown, as: UTF8.self) + (line.count > 120 ? "…" : "")
    }
}

/// How a process ended.
package enum ProcessEnd: Hashable, Sendable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    package var description: String {
        switch self {
        case .status(let status): "exit status \(status)"
        case .signal(let signal): "signal \(signal)"
        }
    }
}

extension AdapterFailure: CustomStringConvertible {
    /// What happened and what to do about it, then how the process ended and what it said last.
    package var description: String {
        var text = kind.description
        if let end, kind != .exited(end) { text += "; it ended with \(end)" }
        if !lastErrors.isEmpty {
            text += "; its last words on standard error: " + lastErrors.joined(separator: " | ")
        }
        return text
    }
}

extension AdapterFailure.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notStarted(let reason): "the client could not be started: \(reason)"
        case .neverReady(let span):
            "the client did not answer init within \(span): it must write one init_ok line to standard output and flush it "
                + "(a client without an adapter is run with --wire-only)"
        case .refusedInit(let text): "the client answered init with an error: \(text)"
        case .notJSON(let line, let reason):
            "the client wrote a line that is no message (\(reason)): \(line): standard output carries messages alone, logs go "
                + "to standard error"
        case .untyped(let line): "the client wrote an object with neither type nor event: \(line)"
        case .badField(let message, let field): "the client's \(message) has no good '\(field)'"
        case .unasked(let id): "the client answered \(id), which nobody asked"
        case .reservedClock(let clock): "the client wants the clock '\(clock)', which is reserved; there is only 'wall'"
        case .lineTooLong(let limit): "the client wrote a line of more than \(limit) bytes"
        case .flooded(let lines, let span): "the client wrote more than \(lines) lines within \(span)"
        case .hung(let command, let span): "the client did not answer \(command) within \(span)"
        case .unknownState(let word, let known):
            "the client's state '\(word)' is not in the map that it gave with init_ok: \(known.joined(separator: ", "))"
        case .badObservation(let name, let reason): "the client told of \(name): \(reason)"
        case .unknownName(let field, let name, let nearest):
            "the client's init_ok names '\(name)' in '\(field)', which there is not"
                + (nearest.map { "; did it mean '\($0)'?" }
                    ?? "; 'squall explain observables' and the page on the protocol list all")
        case .offerChanged: "the client answers init otherwise than when it was asked before the suite"
        case .notSupported(let command): "the client takes '\(command)' by its init_ok, and then said not_supported"
        case .closedOutput: "the client closed its standard output and went on"
        case .exited(let end): "the client ended by itself with \(end)"
        case .threw(let error): "the client threw an error: \(error)"
        case .returned: "the client returned before the run was over; it goes on until its task is cancelled"
        }
    }
}
