import NIOCore
package import SquallCore

extension Instant {
    /// The current time of the monotonic clock that event loops use for scheduling.
    package static var uptime: Instant { Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds)) }
}
