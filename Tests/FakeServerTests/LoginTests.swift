import ChatWire
import FakeServer
import SquallCore
import Testing

/// Tests that a server requiring fresh logins rejects a replayed login frame.
@Suite struct LoginTests {
    private static let epoch = ServerProfile().clock.epoch

    private func stage() -> Stage {
        Stage { $0.auth.window = .seconds(300) }
    }

    private func login(_ nonce: String, at span: TimeSpan = .zero) -> ClientFrame {
        let timestamp = Self.epoch + span.nanoseconds / 1_000_000
        return .connect(.init(key: "key-1", freshness: .init(nonce: nonce, timestamp: timestamp)))
    }

    /// Sends a login on a new connection, and returns the role of the last frame in the server's answer.
    private func answer(to login: ClientFrame, in stage: inout Stage) -> FrameRole? {
        let link = stage.open()
        stage.say(login, on: link)
        return stage.frames(link).roles.last
    }

    private func reasons(_ stage: Stage) -> [String] {
        stage.named("server.login_refused").compactMap { $0.fields["reason"]?.stringValue }
    }

    @Test("A nonce is accepted for one login only") func aFreshLoginPassesAndItsRepeatDoesNot() {
        var stage = stage()
        #expect(answer(to: login("n1"), in: &stage) == .connected)
        #expect(answer(to: login("n1"), in: &stage) == .authError)
        #expect(answer(to: login("n2"), in: &stage) == .connected)
        #expect(reasons(stage) == ["reused"])
    }

    @Test("A login older than the window is refused as stale") func aLoginIsTooOldOnceItsNonceMayBeForgotten() {
        var stage = stage()
        #expect(answer(to: login("n1"), in: &stage) == .connected)
        stage.advance(.seconds(300))
        #expect(answer(to: login("n1"), in: &stage) == .authError)
        stage.advance(.milliseconds(1))
        #expect(answer(to: login("n1"), in: &stage) == .authError)
        #expect(reasons(stage) == ["reused", "stale"])
    }

    @Test("A login dated outside the freshness window and a login without a timestamp are refused")
    func aLoginFromTheFutureIsRefusedAndSoIsOneWithoutATime() {
        var stage = stage()
        #expect(answer(to: login("n1", at: .seconds(300)), in: &stage) == .connected)
        #expect(answer(to: login("n2", at: .milliseconds(300_001)), in: &stage) == .authError)
        #expect(answer(to: .connect(.init(key: "key-1")), in: &stage) == .authError)
        #expect(reasons(stage) == ["stale", "undated"])
    }

    @Test("A login with a wrong key does not use up the nonce") func aWrongKeyUsesNoNonceUp() {
        var stage = stage()
        let freshness = ClientFrame.Freshness(nonce: "n1", timestamp: Self.epoch)
        #expect(answer(to: .connect(.init(key: "key-2", freshness: freshness)), in: &stage) == .authError)
        #expect(answer(to: login("n1"), in: &stage) == .connected)
    }

    @Test("A server without a freshness window accepts a repeated nonce") func serverWithoutAWindow() {
        var stage = Stage()
        #expect(answer(to: login("n1"), in: &stage) == .connected)
        #expect(answer(to: login("n1"), in: &stage) == .connected)
    }
}
