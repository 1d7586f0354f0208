import NIOCore
package import SquallCore

extension Instant {
    /// The time now on the monotonic clock that event loops schedule by.
    package static var uptime: Instant { Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds)) }
}
