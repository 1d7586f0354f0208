import Dispatch
import ScenarioModel
import Squall
import SquallCore
import Synchronization

/// The console of `squall run --hold-at`: prints the state of the held (paused) run, answers the user's questions about
/// the run, and returns the command that resumes the run.
///
/// Lines are read from a prompt if there is a terminal, otherwise from standard input. When the input ends (at a
/// prompt, with ctrl-D), the run continues and is not held again.
final class HoldConsole: Sendable {
    private struct State {
        /// The lines that have not been processed yet; nil marks the end of the input.
        var lines: [String?] = []
        var isBegun = false
        var isEnded = false
        var isInterrupted = false
        var wasHeld = false
        var prompt: Prompt?
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)
    private let clients: [ClientID]
    /// Whether standard output is reserved for the results.
    private let isQuietOutput: Bool

    init(clients: [ClientID], isQuietOutput: Bool) {
        self.clients = clients
        self.isQuietOutput = isQuietOutput
    }

    /// Whether the run was held (paused) at least once.
    var wasHeld: Bool { state.withLock { $0.wasHeld } }

    /// Blocks until the user enters a command that resumes the held run; returns nil if the run must end.
    func order(_ moment: HeldRunSnapshot) -> HoldOrder? {
        let isFirst = state.withLock { state in
            defer { state.wasHeld = true }
            return !state.wasHeld
        }
        guard !state.withLock({ $0.isEnded }) else { return .release }
        begin()
        let view = HeldView(moment, of: clients)
        answer(view.heading + (isFirst ? "\n\(HeldView.advice)" : ""))
        while true {
            arrived.wait()
            let (line, isInterrupted) = state.withLock { state in
                (state.lines.isEmpty ? nil : state.lines.removeFirst(), state.isInterrupted)
            }
            if isInterrupted { return nil }
            guard let line else {
                state.withLock { $0.isEnded = true }
                close()
                answer("standard input has ended: the run continues")
                return .release
            }
            switch HoldLine(line) {
            case .nothing: continue
            case .tooLong: answer(TypedLine.refusalOfLongLine)
            case .order(.hold): answer("the run is held already")
            case .order(let order): return order
            case .quit: return nil
            case .question(let question): answer(view.answer(to: question))
            }
        }
    }

    /// Starts reading lines, unless reading has already started.
    private func begin() {
        let isNew = state.withLock { state in
            defer { state.isBegun = true }
            return !state.isBegun
        }
        guard isNew else { return }
        _ = Interruption.install { [self] in
            state.withLock { $0.isInterrupted = true }
            arrived.signal()
        }
        Terminal.progress("")
        let prompt = isQuietOutput ? nil : Prompt(end: nil, completion: HoldLine.completion)
        state.withLock { $0.prompt = prompt }
        let take: @Sendable (String?) -> Void = { [self] line in
            state.withLock { $0.lines.append(line) }
            arrived.signal()
        }
        if let prompt { prompt.read(take) } else { InputLines.read(take) }
    }

    /// Closes the prompt and restores the terminal settings.
    func close() { state.withLock { $0.prompt.take() }?.close() }

    private func answer(_ text: String) {
        if let prompt = state.withLock({ $0.prompt }) {
            prompt.print("\(SanitizedText(lines: text))")
        } else {
            Terminal.printError(text)
        }
    }
}
