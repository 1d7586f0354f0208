import Faults
import SquallCore
import Testing

@testable import ScenarioModel

/// Tests input that is held until the client has reported the actions that caused it.
@Suite struct HeldInputTests {
    private static func input(_ number: UInt8) -> RelayInput { .received(LinkID(.only, 1), from: .client, [number]) }

    @Test("Held input is released only by a sync that began after the input arrived")
    func oneSync() {
        var held = HeldInput()
        held.hold(Self.input(1))
        #expect(held.needsSync)
        held.syncBegan()
        #expect(!held.needsSync)
        held.hold(Self.input(2))
        #expect(held.needsSync)
        #expect(held.releaseSynced() == [])
        held.syncEnded()
        #expect(held.releaseSynced() == [Self.input(1)])
        #expect([held.passes(), held.passes()] == [true, false])
        #expect(held.needsSync && !held.isEmpty)
    }

    /// The test records, for each input, how many syncs had begun when it arrived.
    @Test(
        "In any sequence of events, all held input is released once, in order and after a later sync",
        arguments: UInt64(1)...100
    )
    func anyOrder(_ seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        var held = HeldInput()
        var (arrived, released): ([Int], [RelayInput]) = ([], [])
        var (begun, ended) = (0, 0)
        for _ in 0..<200 {
            switch generator.below(4) {
            case 0 where arrived.count < 250:
                held.hold(Self.input(UInt8(arrived.count)))
                arrived.append(begun)
            case 1 where begun == ended && held.needsSync:
                held.syncBegan()
                begun += 1
            case 2 where begun > ended:
                held.syncEnded()
                ended += 1
            case 3:
                for input in held.releaseSynced() {
                    #expect(arrived[released.count] < ended, "released before a sync that began after it")
                    released.append(input)
                    let passes = held.passes()
                    #expect(passes)
                }
                let passes = held.passes()
                #expect(!passes, "only what was released passes")
            default: break
            }
        }
        released += held.releaseAll()
        #expect(released == (0..<arrived.count).map { Self.input(UInt8($0)) })
        #expect(held.isEmpty)
    }
}
