package import SquallCore

/// A UDP datagram that passes through the faults in its direction.
///
/// Datagrams are neither ordered nor part of a connection. Whether a fault affects a datagram is decided at random for
/// each datagram, so a blackhole with a toxicity of 10 % loses 10 % of the datagrams. Faults that shape or hold
/// streams, or end connections, do not affect datagrams.
package struct Datagram: Sendable {
    /// The time at which the datagram leaves.
    package internal(set) var due: Instant
    package internal(set) var bytes: [UInt8]
    var isLost = false

    /// Applies the faults in order; returns nil if a fault drops the datagram.
    ///
    /// `number` is the datagram's number within the proxy. All random values are derived from it and from the fault's
    /// seed.
    package init?(
        _ bytes: [UInt8],
        number: UInt64,
        _ direction: Direction,
        under faults: [AppliedFault],
        at now: Instant
    ) {
        (due, self.bytes) = (now, bytes)
        for applied in faults where applied.fault.behaviour.stream.includes(direction) {
            var generator = applied.seed.stream(
                "\(applied.randomStreamPrefix).datagram.\(direction.rawValue).\(number)"
            )
            guard generator.chance(applied.fault.toxicity) else { continue }
            applied.fault.behaviour.alter(&self, drawing: &generator)
            if isLost { return nil }
        }
    }
}
