/// The key, and whether the user has to bring another.
struct Credentials {
    /// As the store has it now.
    var key: String
    private let keyAtStart: String
    private let policy: AuthPolicy
    /// Only `auth_error` and a missing key set it: no fault of the network does (catalogue WS-7b).
    var requiresNew = false
    /// The `auth_version` of a server that is newer than this client.
    private(set) var newerVersion: Int64?

    init(key: String, policy: AuthPolicy) {
        self.key = key
        keyAtStart = key
        self.policy = policy
    }

    /// Read for every attempt, so that a new key is used at once.
    var keyToUse: String { policy.reading == .atEachAttempt ? key : keyAtStart }

    var isMissing: Bool { keyToUse.isEmpty }

    var permitAttempt: Bool { !isMissing || policy.missingKey == .triesAnyway }

    /// Where the WebSocket is asked for.
    func address(of path: String) -> String {
        policy.place == .inConnectAlone ? path : "\(path)?api_key=\(keyToUse)"
    }

    mutating func learn(serverVersion: Int64, ours: Int64) {
        newerVersion = serverVersion > ours && policy.newerVersion == .warns ? serverVersion : nil
    }
}
