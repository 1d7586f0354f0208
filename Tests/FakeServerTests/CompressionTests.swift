import ChatWire
import FakeServer
import SquallCore
import Testing
import WebSocketWire

/// Tests that permessage-deflate compresses large messages if both endpoints support it, and never small ones.
@Suite struct CompressionTests {
    private func bytes(of text: String, to stage: inout Stage, offers: [DeflateOffer]) -> Int {
        let anna = stage.open("anna", deflate: offers)
        stage.say(.connect(.init(key: "key-1")), on: anna)
        let before = stage.written.count
        stage.act(.post(.init(to: "stukov", text: text)))
        #expect(stage.frames(anna).messages.map(\.text) == [text], "whatever the way, the text is the same")
        return stage.written.count - before
    }

    @Test(
        "A large message is compressed if both client and server allow compression",
        arguments: [
            (above: Int64(1024), offers: [DeflateOffer()], isSmall: true), (0, [DeflateOffer()], false),
            (1024, [], false),
        ]
    )
    func aLargeMessageIsCompressedWhereBothWantIt(_ setting: (above: Int64, offers: [DeflateOffer], isSmall: Bool)) {
        var stage = Stage { $0.compressAbove = setting.above }
        let text = String(repeating: "The same again. ", count: 200)
        let count = bytes(of: text, to: &stage, offers: setting.offers)
        #expect(setting.isSmall ? count < 400 : count > text.utf8.count)
    }

    @Test("Only a message of at least the configured size is compressed") func theLimitItselfIsNotCompressed() {
        for (length, isCompressed) in [(1, false), (700, false), (1024, true)] {
            var stage = Stage { $0.compressAbove = 1024 }
            let text = String(repeating: "x", count: length)
            let count = bytes(of: text, to: &stage, offers: [DeflateOffer()])
            #expect((count < length) == isCompressed, "\(length) bytes of text")
        }
    }
}
