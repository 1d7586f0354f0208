import ChatWire
import MQTTWire
import SquallCore

/// The sessions of MQTT clients that are not connected, by client identifier.
///
/// The table survives a restart with `state: keep`.
struct MQTTSessionTable: Hashable, Sendable {
    struct Kept: Hashable, Sendable {
        var session: MQTTSession
        /// The names of the extra frames, such as subscriptions, that the client has sent and not cancelled.
        var extras: Set<String>
        /// The client whose connection last used the session.
        let client: ClientID
        /// When the session expires; nil if it never expires.
        let expires: Instant?
        /// The sequence numbers of the messages that were stored while the client was away, oldest first.
        fileprivate(set) var missed: [Int64] = []
    }

    private var kept: [String: Kept] = [:]

    /// Stores the session of a connection that has ended, unless the session ends with its connection.
    mutating func keep(_ session: MQTTSession, _ extras: Set<String>, of client: ClientID, at now: Instant) {
        guard let login = session.login, login.isKept else { return }
        let expires = login.expiry == MQTTLogin.never ? nil : now + .seconds(login.expiry)
        kept[login.client] = Kept(session: session, extras: extras, client: client, expires: expires)
    }

    /// Removes the session with this client identifier; returns nil if there is none or it has expired.
    mutating func take(_ identifier: String, at now: Instant) -> Kept? {
        guard let found = kept.removeValue(forKey: identifier), found.expires.map({ now < $0 }) ?? true else {
            return nil
        }
        return found
    }

    /// Queues a message in every session whose client wants missed messages, except the sender's.
    mutating func enqueue(_ sequence: Int64, except sender: ClientID?) {
        for (identifier, found) in kept where found.client != sender && found.session.wantsMissedMessages {
            kept[identifier]?.missed.append(sequence)
        }
    }

    /// Queues a message that could not be sent because the client's connection has ended.
    mutating func enqueue(_ sequence: Int64, of client: ClientID) {
        for (identifier, found) in kept where found.client == client && found.session.wantsMissedMessages {
            kept[identifier]?.missed.append(sequence)
        }
    }

    mutating func forget(_ client: ClientID) {
        kept = kept.filter { $0.value.client != client }
    }

    mutating func forgetAll() {
        kept = [:]
    }
}
