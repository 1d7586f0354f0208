import CZlib

/// One of zlib's streams, at an address that stays: zlib keeps a pointer back to it.
///
/// The memory is zlib's own and goes with the last holder.
final class DeflateStream: Sendable {
    enum Direction: Sendable {
        case compressing, decompressing
    }

    /// Unsafe, because the compiler cannot see behind a pointer: only `Deflater` and `Inflater` hold this object, and each copies it before
    /// a change unless nobody else does, so that what two threads share is never changed. A lock would show the compiler all of that but the copy, which takes two streams at once.
    nonisolated(unsafe) let stream: UnsafeMutablePointer<z_stream>
    private let direction: Direction

    private init(_ direction: Direction) {
        self.direction = direction
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    /// Raw DEFLATE (RFC 1951), without zlib's header; nil where zlib has no memory or no such window.
    convenience init?(_ direction: Direction, windowBits: Int, level: Int = Int(Z_DEFAULT_COMPRESSION)) {
        self.init(direction)
        let (bits, size) = (-Int32(clamping: windowBits), Int32(MemoryLayout<z_stream>.size))
        let status =
            switch direction {
            case .compressing:
                deflateInit2_(
                    stream,
                    Int32(clamping: level),
                    Z_DEFLATED,
                    bits,
                    8,
                    Z_DEFAULT_STRATEGY,
                    ZLIB_VERSION,
                    size
                )
            case .decompressing: inflateInit2_(stream, bits, ZLIB_VERSION, size)
            }
        guard status == Z_OK else { return nil }
    }

    deinit {
        switch direction {
        case .compressing: deflateEnd(stream)
        case .decompressing: inflateEnd(stream)
        }
        stream.deallocate()
    }

    /// The same state in memory of its own; nil where zlib has no memory.
    func copy() -> DeflateStream? {
        let other = DeflateStream(direction)
        let status =
            switch direction {
            case .compressing: deflateCopy(other.stream, stream)
            case .decompressing: inflateCopy(other.stream, stream)
            }
        return status == Z_OK ? other : nil
    }
}
