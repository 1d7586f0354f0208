import ChatWire
import SquallCore

/// What a client goes by: its name, numbers, texts and decisions.
///
/// One for all concerns, never changed.
final class Rules: Sendable {
    let id: ClientID
    let profile: ClientProfile
    let policy: Policy
    let wire: WireProfile
    private let seed: Seed
    /// Which start of the app this is on this store, from 1.
    let launch: Int64

    init(id: ClientID, profile: ClientProfile, policy: Policy, wire: WireProfile, seed: Seed, launch: Int64) {
        self.id = id
        self.profile = profile
        self.policy = policy
        self.wire = wire
        self.seed = seed
        self.launch = launch
    }

    /// The draws for one named use.
    ///
    /// A later start has others, so that no message id is ever given twice.
    func stream(_ use: String) -> SeededGenerator {
        seed.stream(launch == 1 ? use : "\(use)#\(launch)", for: id)
    }

    /// The phone's clock, milliseconds since 1970.
    func deviceTime(at now: Instant) -> Int64 {
        let run = (now + profile.device.clockSkew).nanoseconds / 1_000_000
        return run.addingReportingOverflow(profile.device.epoch).partialValue
    }
}
