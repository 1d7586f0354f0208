import Live
import ReferenceClient
import ScenarioModel

/// Runs the reference client in this process, under the control of a program that speaks the adapter protocol.
package enum StandaloneClients {
    /// Reads commands until `nextLine` returns nil; calls `fail` with the reason if the client cannot continue.
    ///
    /// - Throws: ``SquallError`` if the profile or a defect does not exist.
    package static func run(
        profile name: String,
        defects: [String],
        nextLine: () -> String?,
        emit: @escaping @Sendable ([UInt8]) -> Void,
        fail: @escaping @Sendable (String) -> Void
    ) throws {
        var profile = try WireProfiles.profile(named: name)
        var policy = Policy.reference
        for name in defects {
            guard let defect = Defect.named(name) else {
                throw SquallError.usage(
                    "the client has no defect '\(name)'; squall explain defects lists them"
                )
            }
            defect.apply(to: &policy, &profile.client)
        }
        try StandaloneClient.run(profile, policy, nextLine: nextLine, emit: emit, fail: fail)
    }
}
