import ChatWire
import SquallCore
import Testing

@testable import FakeServer

/// Tests the payloads of push notifications and the push service's size limit.
@Suite struct PushPayloadTests {
    private static let texts = [
        "plain letters, digits 0123456789 and more", "grüße aus köln", "漢字仮名交じり文", "🎈🎉🎈🎉🎈🎉",
        "👩‍🚀👨‍👩‍👧‍👦🇩🇪🇫🇷👍🏽", "e\u{301}a\u{308}\u{323}o\u{302}", "\"quoted\"\n\u{1}\\ and escaped", "",
    ]

    private static func push(_ text: String) -> Push {
        Push(for: "anna", conversation: "stukov", message: "m1", sender: "stukov", text: text)
    }

    private static func policy(_ defect: String) throws -> ServerPolicy.Push {
        var policy = ServerPolicy()
        try #require(ServerDefect.named(defect)).change(&policy)
        return policy.push
    }

    @Test("A payload decodes to the push that was encoded", arguments: texts) func roundTrip(text: String) {
        var push = Self.push(text)
        #expect(Push(payload: push.payload) == push)
        push.isCut = true
        #expect(Push(payload: push.payload) == push)
    }

    @Test("A payload without one of its keys does not decode, and unknown keys are ignored") func keys() throws {
        let push = Self.push("hello")
        let payload = try JSON.decode(push.payload)
        for name in ["aps", "user", "conversation", "message"] {
            var incomplete = payload
            incomplete.remove(name)
            #expect(Push(payload: incomplete.encode()) == nil, "\(name)")
        }
        var larger = payload
        larger.set("thread", to: ["id": 7])
        #expect(Push(payload: larger.encode()) == push)
        #expect(Push(payload: Array("{".utf8)) == nil)
    }

    @Test("A cut text is the longest beginning of whole characters whose payload fits", arguments: texts)
    func cutting(text: String) throws {
        let whole = Self.push(text).payload.count
        let empty = Self.push("").payload.count
        for limit in empty...(whole + 1) {
            let payload = PushPayload(Self.push(text), limit: Int64(limit), ServerPolicy.Push())
            #expect(payload.bytes == payload.push.payload)
            guard limit < whole else {
                #expect(payload.push == Self.push(text))
                continue
            }
            let shown = payload.push.text
            #expect(payload.push.isCut && shown.last == "…")
            let kept = shown.dropLast()
            #expect(Array(text).starts(with: Array(kept)))
            var longer = payload.push
            longer.text = String(text.prefix(kept.count + 1)) + "…"
            #expect(longer.payload.count > limit)
            // Below this limit, not even the ellipsis fits.
            let least = payload.push.payload.count - kept.utf8.count
            if limit >= least || !kept.isEmpty { #expect(payload.bytes.count <= limit) }
        }
    }

    @Test("A limit of 0 allows any payload") func noLimit() {
        let push = Self.push(String(repeating: "a", count: 10_000))
        let payload = PushPayload(push, limit: 0, ServerPolicy.Push())
        #expect(payload.push == push)
        #expect(PushService.refusal(of: payload.bytes, limit: 0) == nil)
    }

    @Test("The push service accepts 4096 bytes and refuses 4097") func theLimitOfTheService() {
        let limit = ServerProfile().push.limit
        #expect(PushService.refusal(of: Array(repeating: 0, count: 4096), limit: limit) == nil)
        let refusal = PushService.refusal(of: Array(repeating: 0, count: 4097), limit: limit)
        #expect(refusal == PushService.Refusal(status: 413, reason: "PayloadTooLarge"))
    }

    @Test("A refused notification reaches no device, and the event says why") func refused() throws {
        var profile = ServerProfile()
        profile.push.limit = 100
        var stage = Stage(profile: profile)
        let body = PushRegistration(token: "t1").encode(stage.wire)
        #expect(try stage.fetch(.pushToken, body: body).status == 200)
        stage.act(.post(.init(to: "stukov")))
        #expect(stage.pushed.isEmpty)
        let answer = try #require(stage.notes.last { $0.name == "server.push_refused" })
        #expect(answer.fields == ["status": 413, "reason": "PayloadTooLarge"])
    }

    // MARK: Effects of defects

    @Test("pushUncut: a payload above the limit stays above it") func pushUncut() throws {
        let push = Self.push("a long text")
        let payload = PushPayload(push, limit: 100, try Self.policy("pushUncut"))
        #expect(payload.bytes == push.payload && payload.bytes.count > 100)
    }

    @Test("pushCutByLength: letters of two bytes exceed the limit, letters of one byte do not")
    func pushCutByLength() throws {
        let policy = try Self.policy("pushCutByLength")
        let (narrow, wide) = (String(repeating: "a", count: 300), String(repeating: "ß", count: 300))
        #expect(PushPayload(Self.push(narrow), limit: 300, policy).bytes.count == 300)
        #expect(PushPayload(Self.push(wide), limit: 300, policy).bytes.count > 300)
    }

    @Test("pushCutInBytes: some limit cuts a character of UTF-8") func pushCutInBytes() throws {
        let policy = try Self.policy("pushCutInBytes")
        let text = String(repeating: "🎈", count: 60)
        let broken = (200..<204).filter {
            PushPayload(Self.push(text), limit: $0, policy).push.text.contains("\u{FFFD}")
        }
        #expect(!broken.isEmpty && broken.count < 4)
    }

    @Test("pushCutInEmoji: some limit cuts between the code points of an emoji") func pushCutInEmoji() throws {
        let policy = try Self.policy("pushCutInEmoji")
        let emoji: Character = "👩‍🚀"
        let text = String(repeating: emoji, count: 60)
        let broken = (200..<211).filter {
            PushPayload(Self.push(text), limit: $0, policy).push.text.dropLast().contains { $0 != emoji }
        }
        #expect(!broken.isEmpty)
    }
}
