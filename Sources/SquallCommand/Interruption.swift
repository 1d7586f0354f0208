import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the user's ctrl-C asks for: the first ends the suite in order, the second at once.
final class Interruption: Sendable {
    private let count = Atomic(0)

    var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

    /// Takes SIGINT and SIGTERM over for the rest of the process.
    static func install() -> Interruption {
        let interruption = Interruption()
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // The source is kept alive by its own handler.
                _ = source
                if interruption.count.add(1, ordering: .relaxed).oldValue > 0 { _exit(130) }
                Terminal.complain("\ninterrupted: ending what is under way (once more to stop at once)")
            }
            source.resume()
        }
        return interruption
    }
}
