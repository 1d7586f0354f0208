import ChatWire
import SquallCore
import Testing

@Suite struct FrameRoundTripTests {
    @Test("The sample frames contain every frame and object") func everyFrameHasASample() {
        #expect(Samples.clientFrames.map(\.role) == FrameRole.fromClient)
        #expect(Samples.serverFrames.map(\.role) == FrameRole.fromServer)
        #expect(Set(FrameRole.fromClient + FrameRole.fromServer) == Set(FrameRole.allCases))
        #expect(Samples.objects.map { type(of: $0).shape } == ObjectShape.all)
    }

    @Test("A client frame survives encoding and decoding", arguments: Spelling.allCases)
    func clientFramesComeBack(_ spelling: Spelling) {
        let wire = spelling.wire
        for frame in Samples.clientFrames + Samples.bareClientFrames {
            #expect(ClientFrame.decode(frame.encode(wire), wire) == .frame(frame))
            #expect(ClientFrame.decode(String(decoding: frame.encode(wire), as: UTF8.self), wire) == .frame(frame))
        }
    }

    @Test("A server frame survives encoding and decoding", arguments: Spelling.allCases)
    func serverFramesComeBack(_ spelling: Spelling) {
        let wire = spelling.wire
        for frame in Samples.serverFrames + Samples.bareServerFrames {
            #expect(ServerFrame.decode(frame.encode(wire), wire) == .frame(frame))
            #expect(ServerFrame.decode(String(decoding: frame.encode(wire), as: UTF8.self), wire) == .frame(frame))
        }
    }

    @Test("An object survives encoding and decoding", arguments: Spelling.allCases)
    func objectsComeBack(_ spelling: Spelling) throws {
        func check(_ object: some WireObject) throws {
            #expect(try reread(object, spelling.wire) == object)
        }
        for object in Samples.objects + Samples.bareObjects { try check(object) }
    }

    @Test("An encoded frame begins with its type") func theTypeComesFirst() {
        let wire = WireProfile()
        #expect(text(ClientFrame.ping(id: nil).encode(wire)) == #"{"type":"ping"}"#)
        #expect(
            text(ClientFrame.sync(lastSequence: .max).encode(wire))
                == #"{"type":"sync","last_seq_seen":9223372036854775807}"#
        )
        #expect(
            text(ServerFrame.confirm(Samples.confirmation).encode(wire))
                == #"{"type":"confirm","client_message_id":"c-12","message_id":"m-41","seq":41,"#
                + #""timestamp":"2026-03-01T12:30:45.250Z","duplicate":true}"#
        )
    }

    @Test("A profile that renames all types and fields neither encodes nor decodes the default names")
    func aRenamedFrameHasNoDefaultName() throws {
        let wire = Spelling.renamed.wire
        let json = try JSON.decode(ServerFrame.message(Samples.message).encode(wire))
        #expect(json.members?.allSatisfy { $0.name.hasPrefix("ü &=") } == true)
        #expect(json["ü &=type\\"]?.stringValue == "\"MESSAGE")
        let plain = ServerFrame.ping(id: nil).encode(WireProfile())
        #expect(ServerFrame.decode(plain, wire) == .untyped("ü &=type\\ is missing"))
    }

    @Test("A retry delay is rounded up to milliseconds and is never negative")
    func waitsAreRoundedUpToMilliseconds() throws {
        let wire = WireProfile()
        func written(_ span: TimeSpan) throws -> Int64? {
            let frame = ServerFrame.draining(message: "", retryAfter: span)
            return try JSON.decode(frame.encode(wire))["retry_after_ms"]?.intValue
        }
        #expect(try written(.microseconds(1_500)) == 2)
        #expect(try written(TimeSpan(nanoseconds: 1)) == 1)
        #expect(try written(.milliseconds(7)) == 7)
        #expect(try written(.milliseconds(-7)) == 0)
        #expect(try written(.forever) == 9_223_372_036_855)
    }

    @Test("A time outside the years 0 to 9999 is encoded as the nearest time inside")
    func momentsBeyondTheCalendarAreWrittenAsItsEnds() throws {
        for (moment, end) in [(Int64.max, WireTimestamp.range.upperBound), (.min, WireTimestamp.range.lowerBound)] {
            for spelling in Spelling.allCases {
                let wire = spelling.wire
                let frame = ServerFrame.presence(user: "anna", status: .idle, lastSeen: moment)
                let expected = ServerFrame.presence(user: "anna", status: .idle, lastSeen: end)
                #expect(ServerFrame.decode(frame.encode(wire), wire) == .frame(expected))
            }
        }
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
