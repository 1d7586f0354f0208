import CZlib

/// A zlib stream, kept at a fixed address because zlib stores a pointer to it.
///
/// zlib allocates the stream's memory, which is freed when the last reference to this object is released.
final class DeflateStream: Sendable {
    enum Direction: Sendable {
        case compressing, decompressing
    }

    /// `nonisolated(unsafe)` is needed because the compiler cannot check pointers. Only `Deflater` and `Inflater` hold
    /// references to this object, and each copies it before mutating it unless its reference is unique. A stream shared
    /// between threads is therefore never mutated.
    nonisolated(unsafe) let stream: UnsafeMutablePointer<z_stream>
    private let direction: Direction

    private init(_ direction: Direction) {
        self.direction = direction
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    /// Creates a raw DEFLATE stream (RFC 1951), without a zlib header. Returns nil if zlib is out of memory or does not
    /// support the window size.
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

    /// Returns a copy of the stream, or nil if zlib is out of memory.
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
