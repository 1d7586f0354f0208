import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore
import Testing

@testable import Simulation

/// Tests that the simulated transport delivers data, orders events and ends connections as kernel sockets do.
@Suite struct SimulatedNetworkTests {
    private static let anna = ClientID("anna")
    private static let connection = ConnectionID(anna, 1)
    private static let link = LinkID(anna, 1)

    /// A network with one client, driven by the test.
    private struct Bench {
        var network = SimulatedNetwork(stores: [anna: StoreImage()], shifts: .none)
        var now = Instant.zero

        mutating func perform(_ outputs: TransportOutput...) {
            for output in outputs { network.perform(output, at: now) }
        }

        /// Delivers everything in flight and returns a brief description of each resulting input.
        mutating func settle() -> [String] {
            var seen: [String] = []
            while let (time, inputs) = network.advance() {
                now = time
                seen += inputs.map(word)
            }
            return seen
        }

        private func word(_ input: TransportInput) -> String {
            switch input {
            case .client(_, .opened): "client opened"
            case .client(_, .connectFailed(_, let failure)): "client failed \(failure.rawValue)"
            case .client(_, .received(_, let bytes)): "client got \(String(decoding: bytes.prefix(20), as: UTF8.self))"
            case .client(_, .ended(_, let failure)): "client ended \(failure.rawValue)"
            case .client(_, .persisted(let number)): "stored \(number)"
            case .relay(.accepted): "relay accepted"
            case .relay(.received(_, _, let bytes)): "relay got \(String(decoding: bytes.prefix(20), as: UTF8.self))"
            case .relay(.ended(_, _, let how)): "relay ended \(how.rawValue)"
            case .relay(.upstreamOpened): "upstream opened"
            case .relay(.upstreamFailed(_, let failure)): "upstream failed \(failure.rawValue)"
            case .server(.accepted): "server accepted"
            case .server(.received(_, let bytes)): "server got \(String(decoding: bytes.prefix(20), as: UTF8.self))"
            case .server(.ended(_, let how)): "server ended \(how.rawValue)"
            default: "something else"
            }
        }
    }

    private func connected() -> Bench {
        var bench = Bench()
        bench.perform(.client(Self.anna, .connect(Self.connection)))
        #expect(bench.settle() == ["relay accepted", "client opened"])
        return bench
    }

    private func write(_ text: String) -> TransportOutput {
        .client(Self.anna, .write(Self.connection, Array(text.utf8)))
    }

    @Test("Opening a connection takes one round trip")
    func aConnectionTakesOneRoundTrip() {
        let bench = connected()
        #expect(bench.now == Instant.zero + SimulatedNetwork.hopLatency * 2)
    }

    @Test("Bytes and the FIN after them arrive in order")
    func bytesAndTheFinBehindThemArriveInOrder() {
        var bench = connected()
        bench.perform(write("one"), write("two"), .client(Self.anna, .end(Self.connection, .fin)))
        #expect(bench.settle() == ["relay got one", "relay got two", "relay ended fin"])
    }

    @Test("A reset is reported as a reset")
    func aResetIsNotTakenForAnOrderlyEnd() {
        var bench = connected()
        bench.perform(.relay(.end(Self.link, side: .client, .rst)))
        #expect(bench.settle() == ["client ended reset"])
    }

    @Test("Bytes that arrive at a killed process are answered with a reset")
    func bytesForAKilledProcessAreReset() {
        var bench = connected()
        bench.perform(.kill(Self.anna))
        #expect(bench.settle() == ["relay ended fin"])
        bench.perform(.relay(.write(Self.link, to: .client, Array("late".utf8))))
        #expect(bench.settle() == ["relay ended rst"])
    }

    @Test("A refusing listener rejects a connection attempt, and a dropping listener does not answer")
    func aRefusingListenerAnswersAndADroppingOneDoesNot() {
        var bench = Bench()
        bench.perform(.relay(.acceptMode(Self.anna, .refusing)), .client(Self.anna, .connect(Self.connection)))
        #expect(bench.settle() == ["client failed refused"])
        bench.perform(
            .relay(.acceptMode(Self.anna, .dropping)),
            .client(Self.anna, .connect(ConnectionID(Self.anna, 2)))
        )
        #expect(bench.settle() == [])
        bench.perform(.relay(.acceptMode(Self.anna, .open)))
        #expect(bench.settle() == [], "a connect begun in a blackhole stays lost after the heal")
    }

    @Test("A mode other than open decides a connection attempt, even if the mode changes back at once")
    func theFirstModeOtherThanOpenDecides() {
        var bench = Bench()
        bench.perform(
            .relay(.acceptMode(Self.anna, .refusing)),
            .client(Self.anna, .connect(Self.connection)),
            .relay(.acceptMode(Self.anna, .open))
        )
        #expect(bench.settle() == ["client failed refused"], "refused before the heal")
        bench.perform(
            .client(Self.anna, .connect(ConnectionID(Self.anna, 2))),
            .relay(.acceptMode(Self.anna, .dropping)),
            .relay(.acceptMode(Self.anna, .open))
        )
        #expect(bench.settle() == [], "dropped on its way")
        bench.perform(
            .relay(.acceptMode(Self.anna, .refusing)),
            .client(Self.anna, .connect(ConnectionID(Self.anna, 3))),
            .relay(.acceptMode(Self.anna, .dropping)),
            .relay(.acceptMode(Self.anna, .open))
        )
        #expect(bench.settle() == ["client failed refused"], "refused before the blackhole")
        bench.perform(.client(Self.anna, .connect(ConnectionID(Self.anna, 4))))
        #expect(bench.settle() == ["relay accepted", "client opened"])
    }

    @Test("A server that stops and restarts listening within one instant refuses earlier attempts")
    func aServerThatListensAgainRefusesEarlierAttempts() {
        var bench = connected()
        bench.perform(.server(.listen(false)), .relay(.connectUpstream(Self.link)), .server(.listen(true)))
        #expect(bench.settle() == ["upstream failed refused"])
    }

    @Test("A server that is not listening refuses the relay's connection")
    func aServerThatDoesNotListenRefusesTheRelay() {
        var bench = connected()
        bench.perform(.server(.listen(false)), .relay(.connectUpstream(Self.link)))
        #expect(bench.settle() == ["upstream failed refused"])
        bench.perform(.server(.listen(true)), .relay(.connectUpstream(Self.link)))
        #expect(bench.settle() == ["server accepted", "upstream opened"])
    }

    @Test("A paused reader receives all bytes in order when it is resumed")
    func aPausedReaderGetsEverythingInOrder() {
        var bench = connected()
        bench.perform(.relay(.readMode(Self.link, side: .client, .unread)), write("one"), write("two"))
        #expect(bench.settle() == [])
        bench.perform(.relay(.readMode(Self.link, side: .client, .none)), write("three"))
        #expect(bench.settle() == ["relay got one", "relay got two", "relay got three"])
    }

    @Test("A reset reaches a paused reader, but not a reader that acknowledges nothing")
    func aPausedReaderSeesAReset() {
        for (readMode, expected) in [(ReadMode.unread, ["relay ended rst"]), (.unacknowledged, [])] {
            var bench = connected()
            bench.perform(.relay(.readMode(Self.link, side: .client, readMode)))
            bench.perform(.client(Self.anna, .end(Self.connection, .rst)))
            #expect(bench.settle() == expected)
        }
    }

    @Test("A write into a stalled connection succeeds until the buffer is full")
    func aWriteIntoADeadLinkSucceedsUntilTheBufferIsFull() {
        var bench = connected()
        let block = [UInt8](repeating: 0x61, count: 100_000)
        bench.perform(.relay(.readMode(Self.link, side: .client, .unread)))
        for _ in 0..<4 { bench.perform(.client(Self.anna, .write(Self.connection, block))) }
        #expect(bench.settle() == [])
        bench.perform(.relay(.readMode(Self.link, side: .client, .none)))
        // Three pieces, 262,144 bytes in total, were in flight; the others were sent as space became available.
        #expect(bench.settle().count == 6)
    }

    @Test("Disk writes that have not completed before a kill are lost")
    func writesThatAKillOvertakesAreLost() {
        var bench = Bench()
        bench.perform(.client(Self.anna, .persist(1, [StoreWrite(key: "a", value: 1)])))
        #expect(bench.settle() == ["stored 1"])
        bench.perform(.client(Self.anna, .persist(2, [StoreWrite(key: "b", value: 2)])), .kill(Self.anna))
        #expect(bench.settle() == [])
        bench.perform(.launch(Self.anna))
        guard case .launched(_, let image)? = bench.network.advance()?.inputs.first else {
            Issue.record("no launch")
            return
        }
        #expect(image == StoreImage([StoreImage.Entry(key: "a", value: 1)]))
    }
}
