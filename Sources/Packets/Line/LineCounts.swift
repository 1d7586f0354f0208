/// What a line has done, in packets; ``bytes`` in bytes.
package struct LineCounts: Hashable, Sendable {
    package var arrived: UInt64 = 0
    package var bytes: UInt64 = 0
    package var lost: UInt64 = 0
    /// By their numbers.
    package var dropped: UInt64 = 0
    /// Too many waited.
    package var overLimit: UInt64 = 0
    package var duplicated: UInt64 = 0
    package var reordered: UInt64 = 0
    package var corrupted: UInt64 = 0
    package var delivered: UInt64 = 0
    /// Delivered, and refused by the kernel: a corrupted header can be of no version of IP.
    package var refused: UInt64 = 0
    /// Neither delivered nor gone: what waits now, copies included.
    package var underWay: UInt64 { arrived + duplicated - delivered - lost - dropped - overLimit }

    package init() {}
}
