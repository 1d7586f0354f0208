import Live
import ReferenceClient
import ScenarioModel

/// Runs the reference client as a process of its own, behind the adapter protocol.
package enum StandaloneClients {
    /// Reads commands until `nextLine` returns nil; `fail` is called with the reason when the client cannot go on.
    ///
    /// - Throws: ``SquallError`` when there is no such profile or defect.
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
