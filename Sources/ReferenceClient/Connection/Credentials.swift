import ChatWire

/// The client's API key, and whether the user has to enter another one.
struct Credentials {
    /// The current API key; empty after a sign-out.
    var key: String
    private let keyAtStart: String
    private let policy: AuthPolicy
    /// Whether the phone's key storage is locked, as it is after a reboot until the screen is first unlocked.
    private(set) var isLocked: Bool
    /// Whether the user has to enter another key. Only a rejected or missing key sets this, never a network fault
    /// (catalogue WS-7b).
    var requiresNew = false
    /// The server's `auth_version` if it is higher than this client supports; otherwise nil.
    private(set) var newerVersion: Int64?

    init(key: String, policy: AuthPolicy, isLocked: Bool = false) {
        self.key = key
        self.isLocked = isLocked
        keyAtStart = key
        self.policy = policy
    }

    /// The key for the next attempt. It is read at each attempt, so that a new key takes effect immediately.
    var keyToUse: String {
        guard !isLocked else { return "" }
        return policy.reading == .atEachAttempt ? key : keyAtStart
    }

    /// Whether the client has to wait until the phone's key storage is unlocked. An unreadable key does not count as a
    /// missing key.
    var mustWait: Bool { isLocked && policy.lockedKey == .isWaitedFor }

    mutating func unlock() { isLocked = false }

    var isMissing: Bool { keyToUse.isEmpty }

    var permitsAttempt: Bool { !isMissing || policy.missingKey == .triesAnyway }

    /// Returns the request target of the WebSocket upgrade, including the key if the protocol sends it there.
    func address(of path: String, _ wire: WireProfile) -> String {
        if let target = wire.frames?.target(path, key: keyToUse) { return target }
        return policy.place == .alsoInAddress ? "\(path)?api_key=\(keyToUse)" : path
    }

    /// Returns the frame to send: `frame` itself, unless a planted defect adds the key to it.
    func written(_ frame: ClientFrame) -> ClientFrame {
        guard policy.place == .alsoInPings, case .ping(let id?) = frame else { return frame }
        return .ping(id: "\(id)-\(keyToUse)")
    }

    mutating func learn(serverVersion: Int64, ours: Int64) {
        newerVersion = serverVersion > ours && policy.newerVersion == .warns ? serverVersion : nil
    }
}
