#if os(Linux)
    import CPolling
    package import SquallCore
    import Glibc

    /// Carries packets from one end of a link to the other, as its two lines say.
    ///
    /// Confined to the thread that runs it.
    package final class PacketRelay {
        package enum Ending: Hashable, Sendable {
            /// Somebody said so.
            case stopped
            case exited(Int32)
            case killed(signal: Int32)
            /// Whatever held the command together was killed, and the command with it.
            case lost
        }

        /// How other threads reach a relay, and the command beyond it.
        package struct Handle: Sendable {
            fileprivate let waker: Waker
            fileprivate let namespaceProcess: NamespaceProcess

            package func stop() { waker.wake() }

            /// Sends the command a signal, unless it, being of the same process group, has had it already; where it has gone,
            /// nobody is waited for any more.
            package func pass(signal: Int32) {
                if !namespaceProcess.pass(signal: signal) { stop() }
            }
        }

        /// Open as long as somebody may use it.
        fileprivate final class Waker: Sendable {
            let descriptor = squall_waker()

            deinit { if descriptor >= 0 { close(descriptor) } }

            func wake() {
                var one: UInt64 = 1
                _ = write(descriptor, &one, 8)
            }
        }

        private enum Token: UInt64 {
            case near, far, namespaceProcess, waker
        }

        /// Packets that one end gives before the other has its turn.
        private static let turns = 64
        /// Between two looks at whether all has arrived.
        private static let pause = TimeSpan.milliseconds(5)

        package private(set) var lines: [PacketLine]
        package var onPacket: ((PacketEvent) -> Void)?
        /// What the command's end sends, before its faults, and gets, behind them, with the time since 1970.
        package var onCapture: (([UInt8], Instant) -> Void)?

        private let link: PacketLink
        private let poller: Int32
        private let waker = Waker()
        private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
        private let ready = UnsafeMutableBufferPointer<squall_ready>.allocate(capacity: 256)
        private let beginning = PacketRelay.time(CLOCK_MONOTONIC)
        private let date = PacketRelay.time(CLOCK_REALTIME)
        /// By way: whether the end that it comes from may have packets.
        private var hasPackets = [true, true]
        private var events = 0

        package init(_ link: PacketLink, up: PacketFaults, down: PacketFaults, seed: Seed) throws(PacketLinkError) {
            self.link = link
            lines = [
                PacketLine(up, seed: seed, name: PacketDirection.up.rawValue),
                PacketLine(down, seed: seed, name: PacketDirection.down.rawValue),
            ]
            poller = squall_poller()
            squall_be_punctual()
            let watched: [(Int32, Token)] = [
                (link.near, .near), (link.far, .far), (link.namespaceProcess.watch, .namespaceProcess),
                (waker.descriptor, .waker),
            ]
            for (descriptor, token) in watched where squall_watch(poller, descriptor, token.rawValue) != 0 {
                throw PacketLinkError("cannot wait for packets: \(String(cString: strerror(errno)).lowercased())")
            }
        }

        deinit {
            if poller >= 0 { close(poller) }
            scratch.deallocate()
            ready.deallocate()
        }

        package var handle: Handle { Handle(waker: waker, namespaceProcess: link.namespaceProcess) }

        /// Runs the command of the link; 0 once it runs, else the error number of what kept it from running.
        package func startCommand() -> Int32 { link.namespaceProcess.run() }

        package subscript(way: PacketDirection) -> PacketLine { lines[way.index] }

        // MARK: - Running

        private static func time(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }

        /// Since the relay was made.
        package var now: Instant { Instant(nanoseconds: Self.time(CLOCK_MONOTONIC) - beginning) }

        /// Turns until it is stopped, or the command has ended.
        package func run() -> Ending {
            while true {
                if let ending = wait() { return ending }
                for way in PacketDirection.allCases {
                    if hasPackets[way.index] { take(way) }
                    deliver(way, at: now)
                }
            }
        }

        /// Goes on behind the command's end, as the machine of a program that has ended would: until what the command sent has
        /// arrived, and `isPassedOn` says that those it was sent to have it. False where that took longer than `patience`, or
        /// somebody stopped it.
        package func settle(within patience: TimeSpan, _ isPassedOn: () -> Bool) -> Bool {
            let limit = now + patience
            // What else was told with the command's end has not been heard.
            hasPackets = [true, true]
            while hasPackets[PacketDirection.up.index], now < limit { take(.up) }
            // Datagrams are known by their time alone; what TCP has lost, and sends again, is known to it.
            let due = self[.up].lastDue
            var nextLook = now
            while now < limit {
                if now >= max(due, nextLook) {
                    if !link.connections.areSending, isPassedOn() { return true }
                    nextLook = now + Self.pause
                }
                if let ending = wait(until: min(limit, nextLook)) {
                    guard ending != .stopped else { return false }
                    hasPackets = [true, true]
                }
                for way in PacketDirection.allCases {
                    if hasPackets[way.index] { take(way) }
                    deliver(way, at: now)
                }
            }
            return false
        }

        /// Until something comes or is due, `end` at the latest.
        private func wait(until end: Instant? = nil) -> Ending? {
            var limit: Int64 = -1
            if hasPackets.contains(true) {
                limit = 0
            } else if let next = (lines.map(\.nextDeadline) + [end]).compactMap(\.self).min() {
                limit = max(0, (next - now).nanoseconds)
            }
            let count = squall_wait(poller, ready.baseAddress, limit)
            guard count > 0 else { return nil }
            // All can be written to, which is told once too.
            for event in ready.prefix(Int(count)) where event.events & squall_readable != 0 {
                switch Token(rawValue: event.token) {
                case .near: hasPackets[PacketDirection.up.index] = true
                case .far: hasPackets[PacketDirection.down.index] = true
                case .waker: return .stopped
                case .namespaceProcess:
                    switch link.namespaceProcess.end() {
                    case .exited(let code): return .exited(code)
                    case .killed(let signal): return .killed(signal: signal)
                    case .lost: return .lost
                    }
                case nil: break
                }
            }
            return nil
        }

        /// Reads what one end has, for a while.
        private func take(_ way: PacketDirection) {
            let source = way == .up ? link.near : link.far
            for _ in 0..<Self.turns {
                let count = read(source, scratch.baseAddress, scratch.count)
                guard count > 0 else {
                    guard errno != EINTR else { continue }
                    hasPackets[way.index] = false
                    return
                }
                // Of no use to anybody here, and at moments of its own choice: it would move the numbers of the user's packets.
                guard !PacketSummary.isLinkLocal(UnsafeRawBufferPointer(rebasing: scratch[..<count])) else { continue }
                let now = self.now
                let packet = [UInt8](scratch[..<count])
                if way == .up { capture(packet, at: now) }
                let fate = lines[way.index].arrive(packet, at: now)
                if let onPacket {
                    events += 1
                    onPacket(PacketEvent(number: events, at: now, way: way, fate: fate, packet: packet))
                }
                deliver(way, at: now)
            }
        }

        private func capture(_ packet: [UInt8], at now: Instant) {
            onCapture?(packet, now + TimeSpan(nanoseconds: date))
        }

        private func deliver(_ way: PacketDirection, at now: Instant) {
            let target = way == .up ? link.far : link.near
            while let packet = lines[way.index].depart(at: now) {
                if way == .down { capture(packet, at: now) }
                var count: Int
                repeat {
                    count = packet.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                } while count < 0 && errno == EINTR
                if count < 0 { lines[way.index].refuse() }
            }
        }
    }
#endif
