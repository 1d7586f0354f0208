import SquallCore
import Trace

/// `files_stored_once`: an accepted file is stored completely and exactly once, or shown as waiting, uploading or
/// failed.
struct FilesStoredOnce: StandingInvariant {
    let interest = InvariantKinds(.file, .started, .killed, .serverForgot, .signedOut, .signedIn)
    private let settings: InvariantSettings
    private var record = FindingRecorder(until: "the client accepted no file")
    private var shared: [(key: String, time: Instant, event: Int)] = []
    private var stored: Set<String> = []
    /// Files that the server had stored and then lost.
    private var forgotten: Set<String> = []
    /// The upload states that the client has reported since its process was started, by file key.
    private var states: [String: JSON] = [:]
    /// Files that the client might not have written to its queue when its process was killed, and files that belong to
    /// another user.
    private var unwritten: Set<String> = []
    private static let visible: [JSON] = ["waiting", "uploading", "failed"]

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        self.settings = settings
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .file: observe(event)
        case .serverForgot: forgotten = stored
        case .killed:
            for file in shared.reversed() {
                guard circumstances.maybeUnwritten(file.time, at: event.time) else { break }
                unwritten.insert(file.key)
            }
        // The client keeps the files of a user who has signed out, but does not show them to the next user.
        case .signedOut, .signedIn: unwritten.formUnion(shared.map(\.key))
        default: states = [:]
        }
    }

    private mutating func observe(_ event: TraceEvent) {
        guard let key = event.key else { return }
        switch event.observation.change {
        case .set(let state): states[key] = state
        case .happened where event.name == "client.shared": shared.append((key, event.time, event.index))
        case .happened:
            record.recordCheck()
            guard !stored.insert(key).inserted, forgotten.remove(key) == nil else { return }
            record.violate("file \(key) was stored a second time at \(event.time)", events: [event.index])
        case .inserted, .removed, .replaced: break
        }
    }

    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {
        // A client that was killed or has just started needs time to show its stored files.
        guard !shared.isEmpty, circumstances.seesServer, let since = circumstances.runningSince,
            circumstances.liveSince != nil || end - since >= settings.liveness ?? .zero
        else { return }
        record.recordCheck()
        for file in shared where !stored.contains(file.key) && !unwritten.contains(file.key) {
            let state = states[file.key] ?? .null
            guard !Self.visible.contains(state) else { continue }
            record.violate(
                "file \(file.key), shared at \(file.time), was not stored by the server, and its state at the end was "
                    + "\(state.readable); expected waiting, uploading or failed",
                events: [file.event]
            )
        }
    }
}
