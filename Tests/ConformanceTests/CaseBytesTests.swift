import Conformance
import Testing

@Suite struct CaseBytesTests {
    private func lines(_ id: String) -> [String] {
        ConformanceCatalogue.cases().first { $0.id.description == id }.map(CaseBytes.lines) ?? []
    }

    @Test("A frame is shown as its bytes on the wire") func aFrameIsShownAsBytes() {
        #expect(lines("1.1.1") == ["81 80 37 fa 21 3d"])
        // RFC 6455 section 5.7: "Hello", masked.
        #expect(lines("L.1") == ["81 fe 00 05 37 fa 21 3d 1d d0 0b 17 1d"])
        #expect(lines("M.1") == ["81 05 48 65 6c 6c 6f"])
        // In a case that tests clients, the frames are those sent by the server.
        #expect(lines("M.5") == ["81 85 37 fa 21 3d 7f 9f 4d 51 58"])
        #expect(lines("7.3.2").last == "88 81 37 fa 21 3d 56")
    }

    @Test("Long frames are abbreviated, and waits, repetitions and compression offers are shown") func longCases() {
        #expect(lines("1.1.8").first?.hasSuffix(" and 65502 more, 997 bytes per write") == true)
        #expect(lines("T.4").first == "(2s)")
        #expect(lines("T.5").first?.hasPrefix("999 times 89 fd ") == true)
        #expect(lines("9.7.1") == ["1000 times text of 0 bytes, each after the echo of the previous one"])
        #expect(lines("12.1.1").contains { $0.hasPrefix("offers permessage-deflate") })
    }

    @Test("A handshake is shown line by line") func aHandshakeIsShown() {
        #expect(lines("H.1").first == "GET /PATH HTTP/1.1")
        #expect(lines("I.1").first == "HTTP/1.1 101 Switching Protocols")
    }

    @Test("The bytes of every case are shown as printable ASCII") func everyCaseSendsSomethingThatATerminalCanShow() {
        for testCase in ConformanceCatalogue.cases() {
            let lines = CaseBytes.lines(testCase)
            #expect(!lines.isEmpty, "\(testCase.id)")
            #expect(
                lines.allSatisfy { $0.unicodeScalars.allSatisfy { 0x20...0x7E ~= $0.value } },
                "\(testCase.id): \(lines)"
            )
        }
    }
}
