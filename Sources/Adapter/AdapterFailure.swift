package import SquallCore

/// Why a run cannot continue with a client: the failure, how the client's process ended, and its last error output.
package struct AdapterFailure: Error, Hashable, Sendable {
    package enum Kind: Error, Hashable, Sendable {
        /// The process could not be started.
        case notStarted(reason: String)
        /// The client did not answer `init` in time.
        case neverReady(after: TimeSpan)
        /// The client answered `init` with an error.
        case refusedInit(String)
        case notJSON(line: String, reason: String)
        /// The client wrote an object with neither `type` nor `event`.
        case missingType(line: String)
        case badField(message: String, field: String)
        /// The client answered a command that was not sent.
        case unsolicited(id: Int64)
        /// The client's `init_ok` names a clock that the protocol does not define.
        case unknownClock(String)
        /// The client answered `advance` with a timer that was already due.
        case overdueTimer(next: Instant, now: Instant)
        /// The client answered `advance` this many times in a row with a timer that was due almost immediately.
        case timersTooClose(answers: Int, within: TimeSpan)
        case lineTooLong(limit: Int)
        case flooded(lines: Int, within: TimeSpan)
        /// The client did not answer a command in time.
        case commandTimedOut(command: String, after: TimeSpan)
        /// The client reported a state that its `init_ok` does not declare.
        case unknownState(word: String, known: [String])
        /// The client reported an invalid value for an observable, or a name that is not in the registry.
        case badObservation(name: String, reason: String)
        /// The client's `init_ok` contains an unknown name; `nearest` is the known name most similar to it.
        case unknownName(field: String, name: String, nearest: String?)
        /// The client's answer to `init` differs from its first answer, which it gave before the suite began.
        case offerChanged
        /// The client answered `not_supported` to a command that its `init_ok` lists.
        case notSupported(command: String)
        /// The client closed its standard output but did not exit.
        case closedOutput
        case exited(ProcessEnd)
        /// A client that runs in Squall's process threw an error.
        case clientThrew(String)
        /// A client that runs in Squall's process returned before the run was over.
        case clientReturned
        /// An app has sent a malformed request to the control port.
        case badRequest(String)
        /// An app has sent no request to the control port for this long during a run.
        case silent(after: TimeSpan)
        /// Another instance of the app connected during the run.
        case reconnected
    }

    package var kind: Kind
    /// How the client's process ended; nil if it is still running.
    package var end: ProcessEnd?
    /// The last lines that the client's process wrote to standard error.
    package var lastErrors: [String]

    package init(_ kind: Kind, end: ProcessEnd? = nil, lastErrors: [String] = []) {
        self.kind = kind
        self.end = end
        self.lastErrors = lastErrors
    }

    /// Returns the beginning of a line for display, with unprintable bytes replaced.
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
    /// Describes the failure and how to resolve it, followed by how the client's process ended and its last error
    /// output. If the error output has several lines, each of them is on a separate line.
    package var description: String {
        var text = kind.description
        if let end, kind != .exited(end) { text += "; it ended with \(end)" }
        switch lastErrors.count {
        case 0: return text
        case 1: return "\(text); last lines of standard error: \(lastErrors[0])"
        // The vertical bar also prevents a line from being interpreted as a command, for example by GitHub Actions.
        default: return "\(text)\nlast lines of standard error:" + lastErrors.map { "\n  | \($0)" }.joined()
        }
    }
}

extension AdapterFailure.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notStarted(let reason): "the client could not be started: \(reason)"
        case .neverReady(let span):
            "the client did not answer init within \(span): it must send one init_ok (a process writes it to "
                + "standard output and flushes it; a client without an adapter is run with --wire-only)"
        case .refusedInit(let text): "the client answered init with an error: \(text)"
        case .notJSON(let line, let reason):
            "the client wrote a line that is not a message (\(reason)): \(line): standard output is for messages only, "
                + "logs go to standard error"
        case .missingType(let line): "the client wrote an object with neither type nor event: \(line)"
        case .badField(let message, let field): "the client's \(message) has a missing or invalid '\(field)'"
        case .unsolicited(let id): "the client answered request \(id), which is not pending"
        case .unknownClock(let clock):
            "the client's init_ok names the clock '\(clock)'; it is 'wall' or, if the client supports advance, 'virtual'"
        case .overdueTimer(let next, let now):
            "the client answered advance with 'next' \(next.nanoseconds), which is not after 'now' \(now.nanoseconds): it "
                + "must run the timers that are due before it answers, and round 'next' up"
        case .timersTooClose(let answers, let span):
            "the client answered advance \(answers) times in succession with a 'next' less than \(span) after 'now', so "
                + "that its time hardly passes; a timer that repeats must have a longer interval"
        case .lineTooLong(let limit): "the client wrote a line of more than \(limit) bytes"
        case .flooded(let lines, let span): "the client wrote more than \(lines) lines within \(span)"
        case .commandTimedOut(let command, let span): "the client did not answer \(command) within \(span)"
        case .unknownState(let word, let known):
            "the client reported the state '\(word)', which its init_ok does not declare; declared: "
                + "\(known.joined(separator: ", "))"
        case .badObservation(let name, let reason): "the client reported \(name): \(reason)"
        case .unknownName(let field, let name, let nearest):
            "the client's init_ok lists unknown '\(name)' in '\(field)'"
                + (nearest.map { "; did you mean '\($0)'?" }
                    ?? "; see 'squall explain observables' and the page on the adapter protocol")
        case .offerChanged: "the client's answer to init differs from its answer before the suite"
        case .notSupported(let command):
            "the client answered not_supported to '\(command)', which its init_ok lists in 'takes'"
        case .closedOutput: "the client closed its standard output but did not exit"
        case .exited(let end): "the client ended by itself with \(end)"
        case .clientThrew(let error): "the client threw an error: \(error)"
        case .clientReturned: "the client returned before the run was over; it must run until its task is cancelled"
        case .badRequest(let why): "the app sent a malformed request to the control port: \(why)"
        case .silent(let span):
            "the app has not polled the control port for \(span): it was closed or suspended, or it hangs"
        case .reconnected:
            "the app connected to the control port again during the run: it crashed or was reloaded, or a second app uses "
                + "the same URL"
        }
    }
}
