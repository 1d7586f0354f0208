/// A compression or decompression error.
package enum DeflateError: Error, Hashable, Sendable {
    /// The bytes are not raw DEFLATE data (RFC 1951), or they refer back beyond the window.
    case malformed
    /// The decompressed data exceeds the limit. Decompression stopped at the limit.
    case tooLong(limit: Int)
    /// zlib is out of memory, or does not support the requested window size.
    case unavailable
}

extension DeflateError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed: "malformed compressed data"
        case .tooLong(let limit): "decompresses to more than \(limit) bytes"
        case .unavailable: "zlib has no memory for it"
        }
    }
}
