import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing

@Suite struct PresenceTests {
    private func announcing(_ policy: ServerPolicy = ServerPolicy(), silence: TimeSpan = .zero) -> Stage {
        var profile = ServerProfile()
        profile.presence.announced = true
        profile.heartbeat.silenceLimit = silence
        return Stage(profile: profile, policy: policy)
    }

    private func presences(_ frames: [ServerFrame]) -> [String] {
        frames.compactMap {
            if case .presence(let user, let status, _, _, _) = $0 { "\(user) \(status.rawValue)" } else { nil }
        }
    }

    @Test("Connecting and disconnecting are announced to the other clients")
    func comingAndGoingIsAnnouncedToTheOthers() {
        var stage = announcing()
        let anna = stage.join("anna")
        let ben = stage.connect("ben")
        #expect(presences(stage.frames(anna)) == ["ben online"])
        #expect(presences(stage.frames(ben)) == ["anna online"])
        stage.advance(.seconds(2))
        stage.hangUp(ben)
        let moment: Int64 = 1_767_225_602_000
        #expect(
            stage.frames(anna) == [.presence(user: "ben", status: .offline, lastSeen: moment, since: moment)]
        )
    }

    @Test("Presence is not announced by default") func nothingIsAnnouncedUnlessTheProfileSaysSo() {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        stage.hangUp(ben)
        #expect(stage.frames(anna).isEmpty)
    }

    @Test("A user stays online until the last device disconnects") func aUserIsOnlineWithOneDevice() throws {
        var stage = announcing()
        for device in ["phone", "tablet"] {
            try stage.act("identify", [("client", .text(device)), ("user", .text("anna"))])
        }
        let ben = stage.join("ben")
        let phone = stage.join("phone")
        let tablet = stage.join("tablet")
        #expect(presences(stage.frames(ben)) == ["anna online"])
        stage.say(.send("c1"), on: phone)
        #expect(stage.frames(ben).messages.map(\.sender) == ["anna"])
        #expect(stage.frames(tablet).messages.map(\.sender) == ["anna"])
        stage.hangUp(phone)
        #expect(presences(stage.frames(ben)).isEmpty)
        stage.hangUp(tablet)
        #expect(presences(stage.frames(ben)) == ["anna offline"])
    }

    @Test("A client with a second connection stays online when the first connection ends")
    func aSecondConnectionOfAClientKeepsItThere() throws {
        var stage = announcing()
        let ben = stage.join("ben")
        let first = stage.join("anna")
        _ = stage.join("anna")
        _ = stage.frames(ben)
        stage.hangUp(first)
        #expect(presences(stage.frames(ben)).isEmpty)
    }

    @Test("A client that sends nothing for the time limit is disconnected and announced as offline")
    func aSilentClientIsClosed() {
        var stage = announcing(silence: .seconds(60))
        let ben = stage.join("ben")
        let anna = stage.join("anna")
        _ = stage.frames(ben)
        stage.advance(.seconds(40))
        stage.say(.ping(id: nil), on: ben)
        stage.advance(.milliseconds(19_999))
        #expect(stage.end(anna) == nil)
        stage.advance(.milliseconds(1))
        #expect(stage.end(anna) == .fin)
        #expect(stage.end(ben) == nil)
        #expect(presences(stage.frames(ben)) == ["anna offline"])
        stage.advance(.seconds(40))
        #expect(stage.end(ben) == .fin)
    }

    // MARK: Server pings

    @Test("The server pings each connected client at the configured interval") func theServerPingsEveryInterval() {
        var stage = Stage { $0.heartbeat.interval = .seconds(30) }
        let stranger = stage.open("eve")
        stage.advance(.seconds(10))
        let anna = stage.join("anna")
        stage.advance(.seconds(60))
        #expect(stage.frames(anna) == [.ping(id: "h1"), .ping(id: "h2")])
        #expect(stage.frames(stranger).roles == [.hello])
        #expect(stage.named("server.sent.ping").map(\.time) == [.zero + .seconds(40), .zero + .seconds(70)])
    }

    @Test("The action 'heartbeat' starts and stops the server's pings") func heartbeatsCanBeStartedAndStopped() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.advance(.seconds(100))
        #expect(stage.frames(anna).isEmpty)
        try stage.act("heartbeat", [("on", .flag(true))])
        try stage.act("heartbeat", [("on", .flag(true)), ("every", .duration(.seconds(5)))])
        stage.advance(.seconds(11))
        #expect(stage.frames(anna).roles == [.ping, .ping])
        try stage.act("heartbeat", [("on", .flag(false))])
        stage.advance(.seconds(100))
        #expect(stage.frames(anna).isEmpty)
        #expect(stage.server.nextDeadline == nil)
        try stage.act("heartbeat", [("on", .flag(true))])
        stage.advance(.seconds(30))
        #expect(stage.frames(anna).roles == [.ping])
    }
}
