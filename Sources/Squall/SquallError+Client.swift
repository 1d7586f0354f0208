import Adapter
import ScenarioModel
import Trace

extension SquallError {
    /// Creates the error for a client that failed before the first case was run. The message contains the client's
    /// command, the failure and, if possible, advice.
    static func client(_ choice: ClientChoice, _ failure: AdapterFailure) -> SquallError {
        let subject = choice.command.map { "--client '\($0)'" } ?? "--client \(choice.name)"
        let advice = choice.command == nil ? nil : remedy(failure.kind)
        return client(
            "the client cannot be run, so no case was played: \(subject): \(failure)\(advice.map { "\n  \($0)" } ?? "")"
        )
    }

    /// Creates the error for a client that has no adapter and whose process exited before it opened a connection.
    /// `reason` describes how the process exited.
    static func client(_ choice: ClientChoice, endedUnconnected reason: String) -> SquallError {
        client(
            """
            the client cannot be run, so the remaining cases were not played: --client '\(choice.command ?? "")' \
            --wire-only: before it opened a connection, \(reason)
              try the command by hand: it must keep running and connect to the URL in SQUALL_WS_URL or SQUALL_HTTP_URL
            """
        )
    }

    /// Returns advice on how to fix a failure; nil if the description of the failure already contains it.
    private static func remedy(_ kind: AdapterFailure.Kind) -> String? {
        switch kind {
        // A shell exits with these statuses if it cannot find a program or execute it.
        case .exited(.status(127)): "check the program's path; a name without a path is looked up in PATH"
        case .exited(.status(126)): "the file cannot be executed: check its permissions and its first line"
        case .exited, .closedOutput:
            "try the command by hand: it must keep running, read one JSON line per command from standard input, and "
                + "answer 'init' with 'init_ok' ('squall explain adapter'); a client without an adapter is run with --wire-only"
        default: nil
        }
    }
}

extension CaseResult {
    /// The reason why the client's process exited unexpectedly before it opened a connection; nil if it did not do so.
    var endBeforeConnection: String? {
        guard let reason = recording.ending.abandoned,
            recording.events.contains(where: { $0.name == "client.crashed" }),
            !recording.events.contains(where: { $0.name == "network.accepted" })
        else { return nil }
        return reason
    }
}
