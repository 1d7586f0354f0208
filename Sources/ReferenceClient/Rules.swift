import ChatWire
import SquallCore

/// The constants of a client: its name, profile, policy, wire profile and seed.
///
/// All components share one instance, so this is a class.
final class Rules: Sendable {
    let id: ClientID
    let profile: ClientProfile
    let policy: Policy
    let wire: WireProfile
    private let seed: Seed
    /// The number of this launch of the app, counted from 1 in the store.
    let launch: Int64

    init(id: ClientID, profile: ClientProfile, policy: Policy, wire: WireProfile, seed: Seed, launch: Int64) {
        self.id = id
        self.profile = profile
        self.policy = policy
        self.wire = wire
        self.seed = seed
        self.launch = launch
    }

    /// Returns the random generator for the purpose `use`.
    ///
    /// Each launch of the app has a different sequence, so that no message ID is ever used twice.
    func stream(_ use: String) -> SeededGenerator {
        seed.stream(launch == 1 ? use : "\(use)#\(launch)", for: id)
    }

    private var clockJumpsAt: Instant { .zero + profile.device.clockJumpsAt }

    /// Returns the actual duration of a wait of `delay` that begins now.
    ///
    /// With a planted defect, the wait is measured by the phone's clock, which may jump in the meantime.
    func duration(ofWait delay: TimeSpan, from now: Instant) -> TimeSpan {
        let jump = clockJumpsAt
        guard policy.reconnect.waiting == .endsByPhoneClock, now < jump, jump < now + delay else { return delay }
        return max(jump - now, delay - profile.device.clockJump)
    }

    /// Returns the time on the phone's clock in milliseconds since 1970.
    func deviceTime(at now: Instant) -> Int64 {
        let jump = now < clockJumpsAt ? TimeSpan.zero : profile.device.clockJump
        let run = (now + profile.device.clockSkew + jump).nanoseconds / 1_000_000
        return run.addingReportingOverflow(profile.device.epoch).partialValue
    }
}
