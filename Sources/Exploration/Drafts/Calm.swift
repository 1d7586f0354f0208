import ChatWire
import FakeServer
import ReferenceClient
package import ScenarioModel
package import SquallCore
import TemporalLogic

/// The end of a draft: everything that the storm has broken is healed, and then no client is touched for a while.
///
/// An idle client still finds out by itself what has happened; a user's request would hide the fact that it did
/// not.
package struct Calm: Sendable {
    /// The moves that heal; there is none for what the storm did not touch.
    package let healing: [Move]
    /// How long no client is touched.
    package let quiet: TimeSpan

    package var moves: [Move] { healing + [.rest(quiet)] }

    private static let shortestQuiet = TimeSpan.seconds(75)
    /// What the client needs beyond the invariants' bounds: the time from a ping to its verdict, and a round trip.
    private static let margin = TimeSpan.seconds(5)

    package init(after draft: Draft, _ profile: Profile) {
        self.init(after: draft.moves, profile)
    }

    init(after storm: [Move], _ profile: Profile) {
        var moves: [Move] = []
        func add(
            _ actor: Actor,
            _ verb: String,
            _ values: [(name: String, value: ArgumentValue)] = [],
            clients: [ClientID] = []
        ) {
            guard let move = Move(actor, verb, values, clients: clients) else { return }
            moves.append(move)
        }
        func has(_ actor: Actor, _ verbs: String...) -> Bool {
            storm.contains { move in verbs.contains { move.is(actor, $0) } }
        }
        if storm.contains(where: { $0.action?.entry.labelKind == .fault }) { add(.network, "heal_all") }
        if has(.server, "stop", "crash", "restart", "drain") { add(.server, "start") }
        for host in Self.values(of: "host", .server, "down", in: storm) { add(.server, "up", [("host", host)]) }
        if has(.server, "swallow", "duplicate", "delay", "slow", "hold", "reject", "rule", "fail") {
            add(.server, "clear")
        }
        var released: [String] = []
        for (label, kind) in storm.flatMap(\.defined) where kind == .hold && !released.contains(label) {
            released.append(label)
            add(.server, "release", [("label", .text(label))])
        }
        if has(.server, "auth") {
            add(.server, "auth", [("accept", .flag(true))])
            if !Self.values(of: "key", .server, "auth", in: storm).isEmpty {
                add(.server, "auth", [("key", .text(profile.server.auth.key))])
            }
        }
        if has(.server, "limit") { add(.server, "limit", [("count", .integer(0)), ("per", .duration(.zero))]) }
        if has(.server, "pong") { add(.server, "pong", [("on", .flag(true))]) }
        if has(.server, "heartbeat") {
            let pings = profile.server.heartbeat.interval > .zero && profile.wire.has(.ping, by: .server)
            add(.server, "heartbeat", [("on", .flag(pings))])
        }
        if has(.device, "kill", "reboot") || has(.user, "tap", "reply") { add(.device, "start") }
        if has(.device, "network") { add(.device, "network", [("state", .text("on"))]) }
        if has(.device, "disk") { add(.device, "disk", [("state", .text("free"))]) }
        if has(.device, "lock") { add(.device, "unlock") }
        if has(.device, "background", "kill", "reboot") || has(.user, "reply") { add(.device, "foreground") }
        if has(.network, "captive_portal") { add(.user, "portal_login") }
        healing = moves
        quiet = max(Self.shortestQuiet, Scenario(file: "", name: "", profile: profile).recoveryLimit + Self.margin)
    }

    /// The different values of one parameter in all moves of an action.
    private static func values(of name: String, _ actor: Actor, _ verb: String, in storm: [Move]) -> [ArgumentValue] {
        var found: [ArgumentValue] = []
        for move in storm where move.is(actor, verb) {
            guard let value = move.action?.arguments[name], !found.contains(value) else { continue }
            found.append(value)
        }
        return found
    }
}

extension Scenario {
    /// How long a client may take to recover: the bound of the invariant, and of what it has under way.
    fileprivate var recoveryLimit: TimeSpan {
        let client = profile.client
        let bound = invariantSettings.liveness ?? .zero
        return max(bound, client.sync.timeout, client.send.pendingLimit, client.upload.retry)
    }
}
