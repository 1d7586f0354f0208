package import SquallCore

/// A hash of a run: equal for two runs with the same events, in the same order, at the same times.
///
/// It is computed from a canonical binary encoding in which each part is preceded by its kind and length, so that
/// different traces have different encodings. The header is excluded, because the version of the tool does not affect
/// the events.
package struct TraceDigest: Hashable, Sendable {
    private var hasher = FNV1a()
    private var count: UInt64 = 0

    package init() {}

    package mutating func add(_ event: TraceEvent) {
        count += 1
        hasher.combine(UInt64(bitPattern: event.time.nanoseconds))
        add(event.client?.name)
        hasher.combine(event.observation.name)
        add(event.observation.key)
        add(event.observation.change)
        hasher.combine(Self.number(of: event.observation.provenance))
        hasher.combine(UInt64(bitPattern: Int64(event.cause ?? -1)))
    }

    /// Returns the digest of a run that ends at `end`, as 16 hexadecimal digits.
    package func text(endingAt end: Instant) -> String {
        var closed = hasher
        closed.combine(count)
        closed.combine(UInt64(bitPattern: end.nanoseconds))
        let digits = String(closed.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private mutating func add(_ text: String?) {
        guard let text else { return hasher.combine(UInt64.max) }
        hasher.combine(text)
    }

    private mutating func add(_ change: Change) {
        switch change {
        case .happened(let fields):
            hasher.combine(1 as UInt64)
            fields.combine(into: &hasher)
        case .set(let value):
            hasher.combine(2 as UInt64)
            value.combine(into: &hasher)
        case .inserted(let index, let item):
            hasher.combine(3 as UInt64)
            hasher.combine(UInt64(bitPattern: Int64(index)))
            item.combine(into: &hasher)
        case .removed(let index):
            hasher.combine(4 as UInt64)
            hasher.combine(UInt64(bitPattern: Int64(index)))
        case .replaced(let index, let item):
            hasher.combine(5 as UInt64)
            hasher.combine(UInt64(bitPattern: Int64(index)))
            item.combine(into: &hasher)
        }
    }

    private static func number(of provenance: Provenance) -> UInt64 {
        switch provenance {
        case .observed: 1
        case .reported: 2
        case .injected: 3
        }
    }
}

extension Recording {
    /// The digest of the run, as 16 hexadecimal digits.
    package var digest: String {
        var digest = TraceDigest()
        for event in events { digest.add(event) }
        return digest.text(endingAt: end)
    }
}
