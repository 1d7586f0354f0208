/// The command that made a recording.
enum RecordingOrigin: String {
    case serve
    case record

    /// Completes "Recorded by squall from …" in the recorded scenario.
    var text: String {
        switch self {
        case .serve: "a session of squall serve"
        case .record: "a client and a server, with squall record"
        }
    }
}
