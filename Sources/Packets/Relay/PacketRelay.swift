#if os(Linux)
    import CPolling
    package import SquallCore
    import Glibc

    /// Forwards packets between the two TUN devices of a link, through one ``PacketLine`` per direction.
    ///
    /// The relay must be used only on the thread that runs it.
    package final class PacketRelay {
        /// How a run of the relay ended.
        package enum Ending: Hashable, Sendable {
            /// ``Handle/stop()`` was called.
            case stopped
            case exited(Int32)
            case killed(signal: Int32)
            /// The namespace process was killed, and with it the command.
            case lost
        }

        /// Controls a relay and its command from other threads.
        package struct Handle: Sendable {
            fileprivate let waker: Waker
            fileprivate let namespaceProcess: NamespaceProcess

            package func stop() { waker.wake() }

            /// Forwards a signal to the command, unless the command has already received it as a member of the process
            /// group.
            ///
            /// If the command has already exited, the relay is stopped instead, because there is nothing left to wait
            /// for.
            package func pass(signal: Int32) {
                if !namespaceProcess.pass(signal: signal) { stop() }
            }
        }

        /// Wakes the relay's thread through a file descriptor, which stays open as long as any handle exists.
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

        /// The maximum number of packets read from one end before the other end is served.
        private static let turns = 64
        /// How often to check whether all data has arrived.
        private static let pause = TimeSpan.milliseconds(5)

        package private(set) var lines: [PacketLine]
        package var onPacket: ((PacketEvent) -> Void)?
        /// The closure that receives packets for the capture, with the time since 1970. Packets sent by the command are
        /// captured before faults are applied; packets received by it are captured afterwards.
        package var onCapture: (([UInt8], Instant) -> Void)?

        private let link: PacketLink
        private let poller: Int32
        private let waker = Waker()
        private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
        private let ready = UnsafeMutableBufferPointer<squall_ready>.allocate(capacity: 256)
        private let beginning = PacketRelay.time(CLOCK_MONOTONIC)
        private let date = PacketRelay.time(CLOCK_REALTIME)
        /// Whether the source of each direction may have unread packets.
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
                (link.near, .near), (link.far, .far), (link.namespaceProcess.pidfd, .namespaceProcess),
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

        /// Starts the link's command. Returns 0 on success, otherwise the error number.
        package func startCommand() -> Int32 { link.namespaceProcess.run() }

        package subscript(direction: PacketDirection) -> PacketLine { lines[direction.index] }

        // MARK: - Running

        private static func time(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }

        /// The time since the relay was created.
        package var now: Instant { Instant(nanoseconds: Self.time(CLOCK_MONOTONIC) - beginning) }

        /// Relays packets until the relay is stopped or the command exits.
        package func run() -> Ending {
            while true {
                if let ending = wait() { return ending }
                for direction in PacketDirection.allCases {
                    if hasPackets[direction.index] { take(direction) }
                    deliver(direction, at: now)
                }
            }
        }

        /// Continues to relay packets after the command has exited, until all data that the command sent has arrived.
        ///
        /// `isPassedOn` returns whether the services have received all data. This method returns false if that takes
        /// longer than `timeout` or the relay is stopped.
        package func settle(within timeout: TimeSpan, _ isPassedOn: () -> Bool) -> Bool {
            let limit = now + timeout
            // Packets that arrived together with the command's exit have not been read yet.
            hasPackets = [true, true]
            while hasPackets[PacketDirection.up.index], now < limit { take(.up) }
            // All datagrams have arrived once the last delay has elapsed. TCP retransmits lost packets, so the kernel's
            // connection table is checked as well.
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
                for direction in PacketDirection.allCases {
                    if hasPackets[direction.index] { take(direction) }
                    deliver(direction, at: now)
                }
            }
            return false
        }

        /// Waits until a packet arrives or is due, but not beyond `end`. Returns how the run ended, or nil if it is
        /// still in progress.
        private func wait(until end: Instant? = nil) -> Ending? {
            var limit: Int64 = -1
            if hasPackets.contains(true) {
                limit = 0
            } else if let next = (lines.map(\.nextDeadline) + [end]).compactMap(\.self).min() {
                limit = max(0, (next - now).nanoseconds)
            }
            let count = squall_wait(poller, ready.baseAddress, limit)
            guard count > 0 else { return nil }
            // Writability events are ignored: TUN devices can always be written to.
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

        /// Reads a limited number of packets from the source of one direction.
        private func take(_ direction: PacketDirection) {
            let source = direction == .up ? link.near : link.far
            for _ in 0..<Self.turns {
                let count = read(source, scratch.baseAddress, scratch.count)
                guard count > 0 else {
                    guard errno != EINTR else { continue }
                    hasPackets[direction.index] = false
                    return
                }
                // The kernel sends packets with link-local addresses at unpredictable times. If they were counted, the
                // numbers of the command's packets would vary from run to run.
                guard !PacketSummary.isLinkLocal(UnsafeRawBufferPointer(rebasing: scratch[..<count])) else { continue }
                let now = self.now
                let packet = [UInt8](scratch[..<count])
                if direction == .up { capture(packet, at: now) }
                let fate = lines[direction.index].arrive(packet, at: now)
                if let onPacket {
                    events += 1
                    onPacket(PacketEvent(number: events, at: now, direction: direction, fate: fate, packet: packet))
                }
                deliver(direction, at: now)
            }
        }

        private func capture(_ packet: [UInt8], at now: Instant) {
            onCapture?(packet, now + TimeSpan(nanoseconds: date))
        }

        /// Writes the packets of one direction that are due at `now` to their destination.
        private func deliver(_ direction: PacketDirection, at now: Instant) {
            let target = direction == .up ? link.far : link.near
            while let packet = lines[direction.index].depart(at: now) {
                if direction == .down { capture(packet, at: now) }
                var count: Int
                repeat {
                    count = packet.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                } while count < 0 && errno == EINTR
                if count < 0 { lines[direction.index].countRejected() }
            }
        }
    }
#endif
