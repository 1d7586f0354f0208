import ChatWire
import FakeServer
import ReferenceClient
package import ScenarioModel
package import SquallCore
import TemporalLogic

/// The final, fault-free phase of a draft (a generated scenario): all faults are healed, and then no user or device
/// acts for a while.
///
/// No user acts because a client must detect on its own what has happened; an action by a user could hide its failure
/// to do so.
package struct Calm: Sendable {
    /// The moves (steps) that heal the faults and restore the devices; empty if there is nothing to heal.
    package let healing: [Move]
    /// The duration of the pause after the healing moves.
    package let quiet: TimeSpan

    package var moves: [Move] { healing + [.rest(quiet)] }

    private static let shortestQuiet = TimeSpan.seconds(75)
    /// The extra time, beyond the invariants' bounds, that a client needs for a ping timeout and a round trip.
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
        if has(.server, "swallow", "duplicate", "delay", "slow", "hold", "reject", "rule", "respond", "fail") {
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

    /// Returns the distinct values of the parameter `name` in those moves of `storm` in which `actor` performs `verb`.
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
    /// The maximum time that a client may take to recover: the liveness bound, or the longest timeout of an operation
    /// in progress.
    fileprivate var recoveryLimit: TimeSpan {
        let client = profile.client
        let bound = invariantSettings.liveness ?? .zero
        return max(bound, client.sync.timeout, client.send.pendingLimit, client.upload.retry)
    }
}
