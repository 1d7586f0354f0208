import SquallCore
import Testing
import WebSocketWire

/// Tests the negotiation of permessage-deflate (RFC 7692 section 7.1).
@Suite struct DeflateNegotiationTests {
    private func extensions(_ text: String) -> [WebSocketExtension] {
        WebSocketExtension.list([text]) ?? []
    }

    @Test("Lists of WebSocket extensions are parsed, and a malformed list gives nil")
    func lists() {
        #expect(
            WebSocketExtension.list(["a; b=1; c, d", "e;f=\"g\\h\""]) == [
                WebSocketExtension("a", [.init("b", "1"), .init("c")]), WebSocketExtension("d"),
                WebSocketExtension("e", [.init("f", "gh")]),
            ]
        )
        for broken in [
            "", ",", "a,", "a;", "a; b=", "a; =b", "a b", "a; b=\"c", "a; b=\"c d\"", "a; b=\"\"", "a\u{7F}",
        ] {
            #expect(WebSocketExtension.list([broken]) == nil, "\(broken)")
        }
    }

    @Test(
        "A server answers the first acceptable compression offer",
        arguments: [
            ("permessage-deflate", "permessage-deflate"),
            ("permessage-deflate; client_max_window_bits", "permessage-deflate"),
            ("PERMESSAGE-DEFLATE; server_no_context_takeover", "permessage-deflate; server_no_context_takeover"),
            ("permessage-deflate; server_max_window_bits=10", "permessage-deflate; server_max_window_bits=10"),
            ("permessage-deflate; server_max_window_bits=\"9\"", "permessage-deflate; server_max_window_bits=9"),
            ("permessage-deflate; client_no_context_takeover", "permessage-deflate; client_no_context_takeover"),
            ("x-other, permessage-deflate; y, permessage-deflate", "permessage-deflate"),
            ("permessage-deflate; server_max_window_bits=8, permessage-deflate", "permessage-deflate"),
        ]
    )
    func answers(offer: String, answer: String) throws {
        let chosen = try #require(DeflateAgreement.choose(among: extensions(offer)))
        #expect(chosen.answer.text == answer)
    }

    @Test(
        "A server declines unacceptable compression offers",
        arguments: [
            "x-other", "permessage-deflate; unknown", "permessage-deflate; server_max_window_bits",
            "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits=16",
            "permessage-deflate; server_max_window_bits=09", "permessage-deflate; server_max_window_bits=+9",
            "permessage-deflate; client_max_window_bits=x", "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
            "permessage-deflate; server_max_window_bits=8",
        ]
    )
    func declined(offer: String) {
        #expect(DeflateAgreement.choose(among: extensions(offer)) == nil)
    }

    @Test("A server requests its preferred parameter only from a client that supports it")
    func preferences() throws {
        let preference = DeflateAgreement.Preference(clientResetsContext: true, clientBits: 12)
        let able = try #require(
            DeflateAgreement.choose(
                among: extensions("permessage-deflate; client_max_window_bits=10"),
                preference: preference
            )
        )
        #expect(able.answer.text == "permessage-deflate; client_no_context_takeover; client_max_window_bits=10")
        #expect(able.agreement == DeflateAgreement(clientResetsContext: true, clientBits: 10))
        let unable = try #require(
            DeflateAgreement.choose(among: extensions("permessage-deflate"), preference: preference)
        )
        #expect(unable.answer.text == "permessage-deflate; client_no_context_takeover")
    }

    @Test(
        "A client accepts an answer that matches one of its compression offers",
        arguments: [
            ([DeflateOffer()], "permessage-deflate", DeflateAgreement()),
            (
                [DeflateOffer()], "permessage-deflate; server_max_window_bits=8; client_max_window_bits=9",
                DeflateAgreement(serverBits: 8, clientBits: 9)
            ),
            ([DeflateOffer()], "permessage-deflate; client_max_window_bits=8", DeflateAgreement(clientBits: 8)),
            (
                [DeflateOffer(serverResetsContext: true)],
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
                DeflateAgreement(serverResetsContext: true, clientResetsContext: true)
            ),
            (
                [DeflateOffer(serverWindow: .bits(9)), DeflateOffer(clientWindow: .unspecified)],
                "permessage-deflate; server_max_window_bits=12", DeflateAgreement(serverBits: 12)
            ),
            ([DeflateOffer(clientWindow: .bits(10))], "permessage-deflate", DeflateAgreement(clientBits: 10)),
            (
                [DeflateOffer(clientWindow: .bits(10))], "permessage-deflate; client_max_window_bits=12",
                DeflateAgreement(clientBits: 10)
            ),
            (
                [
                    DeflateOffer(serverResetsContext: true, clientWindow: .bits(9)),
                    DeflateOffer(clientWindow: .bits(11)),
                ],
                "permessage-deflate", DeflateAgreement(clientBits: 11)
            ),
        ]
    )
    func accepted(offers: [DeflateOffer], answer: String, agreement: DeflateAgreement) throws {
        #expect(DeflateAgreement(extensions(answer)[0], to: offers) == agreement)
    }

    @Test(
        "A client refuses a compression answer that it did not offer",
        arguments: [
            ([], "permessage-deflate"),
            ([DeflateOffer()], "permessage-deflate; client_max_window_bits"),
            ([DeflateOffer()], "permessage-deflate; client_max_window_bits=16"),
            ([DeflateOffer()], "permessage-deflate; mode=fast"),
            ([DeflateOffer()], "permessage-bzip2"),
            ([DeflateOffer(clientWindow: .unspecified)], "permessage-deflate; client_max_window_bits=10"),
            ([DeflateOffer(serverResetsContext: true)], "permessage-deflate"),
            ([DeflateOffer(serverWindow: .bits(9))], "permessage-deflate; server_max_window_bits=10"),
            ([DeflateOffer(serverWindow: .bits(9))], "permessage-deflate"),
        ]
    )
    func refused(offers: [DeflateOffer], answer: String) {
        var head = goodResponse
        head.headers.append("Sec-WebSocket-Extensions", answer)
        #expect(throws: HandshakeError.wrong(.extensions, value: answer)) {
            try WebSocketHandshake.validate(head, key: sampleKey, deflate: offers)
        }
    }

    @Test("Both ends exchange compressed messages after negotiation, with or without context takeover")
    func conversation() throws {
        for (resetsContext, shrinks) in [(false, true), (true, false)] {
            let offers = [DeflateOffer(serverResetsContext: resetsContext, clientResetsContext: resetsContext)]
            var client = WebSocketConnection.client(
                host: "a",
                path: "/",
                key: sampleKey,
                masks: Seed(1).stream("masks"),
                deflate: offers
            )
            _ = client.takeOutput()
            var server = try WebSocketConnection.server(
                accepting: WebSocketHandshake.request(host: "a", path: "/", key: sampleKey, deflate: offers),
                deflate: .init()
            )
            #expect(client.receive(server.takeOutput()).count == 1)
            #expect(client.deflate == server.deflate)
            let text = "a text that says the same thing twice"
            var sizes: [Int] = []
            for _ in 0..<2 {
                client.sendText(text)
                let bytes = client.takeOutput()
                sizes.append(bytes.count)
                #expect(bytes[0] == 0xC1)
                #expect(server.receive(bytes) == [.received(.text(text))])
                server.sendBinary(Array(text.utf8))
                #expect(client.receive(server.takeOutput()) == [.received(.binary(Array(text.utf8)))])
            }
            #expect((sizes[1] < sizes[0]) == shrinks)
        }
    }

    @Test("A client whose window size zlib does not support sends uncompressed and reads compressed messages")
    func smallestWindow() throws {
        let agreement = DeflateAgreement(clientBits: 8)
        #expect(agreement.deflater(for: .client) == nil && agreement.deflater(for: .server) != nil)
        var client = WebSocketConnection.client(
            host: "a",
            path: "/",
            key: sampleKey,
            masks: Seed(1).stream("masks"),
            deflate: [DeflateOffer()]
        )
        _ = client.takeOutput()
        var head = goodResponse
        head.headers.append("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits=8")
        #expect(client.receive(head.encode()).count == 1)
        client.sendText("Hello")
        #expect(client.takeOutput().first == 0x81)
        let compressed: [UInt8] = [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        #expect(client.receive(compressed) == [.received(.text("Hello"))])
    }

    @Test("RSV1 on a continuation or control frame is a violation even with compression (RFC 7692 section 6)")
    func reservedBit() {
        for opcode in [Opcode.continuation, .ping, .close] {
            var decoder = FrameDecoder(role: .client, maxPayload: 100)
            decoder.allowsCompression = true
            decoder.append(
                WebSocketFrame(header: FrameHeader(rsv1: true, opcode: opcode, length: 0), payload: []).encode()
            )
            #expect(throws: ProtocolViolation.reservedBits) { try decoder.next() }
        }
        var strict = FrameDecoder(role: .client, maxPayload: 100)
        strict.append([0xC1, 0x00])
        #expect(throws: ProtocolViolation.reservedBits) { try strict.next() }
    }
}
