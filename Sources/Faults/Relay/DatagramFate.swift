package import SquallCore

/// What becomes of one datagram under the faults of its direction.
///
/// Datagrams have no order and no connection: each draws by its own number whether a fault hits it, so that a blackhole
/// with a toxicity of a tenth loses a tenth of them. Faults that form or hold streams or end connections mean nothing to them.
package enum DatagramFate {
    /// When it leaves, and its bytes; nil where it is lost.
    package static func of(
        _ datagram: [UInt8],
        number: UInt64,
        _ direction: Direction,
        _ appliedFaults: [FaultedLink.AppliedFault],
        at now: Instant
    ) -> (due: Instant, bytes: [UInt8])? {
        var (due, bytes) = (now, datagram)
        for appliedFault in appliedFaults where appliedFault.fault.kind.behaviour.stream.includes(direction) {
            let use = "\(appliedFault.chance).datagram.\(direction.rawValue).\(number)"
            var chance = appliedFault.seed.stream(use)
            guard chance.chance(appliedFault.fault.toxicity) else { continue }
            switch appliedFault.fault.kind {
            case .latency(let latency):
                let jitter = max(latency.jitter, .zero)
                let deviation = chance.span(from: .zero - jitter, through: jitter)
                due = due + max(latency.delay + deviation, .zero)
            case .blackhole, .timeout: return nil
            case .corrupt(let corrupt):
                for place in bytes.indices where corrupt.hits(place, &chance) {
                    bytes[place] ^= UInt8(truncatingIfNeeded: chance.below(255) + 1)
                }
            case .stall, .bandwidth, .slicer, .slowClose, .limitData, .drop, .resetPeer, .refuse, .acceptThenClose,
                .cut,
                .halfOpen, .captivePortal, .upgradeStatus, .flap, .frames,
                .slowHTTP, .certificate, .brokenHandshake:
                continue
            }
        }
        return (due, bytes)
    }
}

extension Fault.Corrupt {
    /// Whether it changes the byte at this place of a datagram: each is drawn by itself, for no datagram knows of those before it.
    fileprivate func hits(_ place: Int, _ chance: inout SeededGenerator) -> Bool {
        let isDrawn = oneIn > 0 && chance.below(UInt64(oneIn)) == 0
        return isDrawn || atByte == Int64(place)
    }
}
