import SquallCore

/// The declaration of a kind of fault: its verb, its parameters and its meaning.
struct FaultDeclaration<Kind: Sendable>: Sendable {
    let verb: String
    private let initial: Kind
    /// The name of the parameter that an unnamed value sets, as in `latency: 50ms`; nil if the fault takes no unnamed
    /// value.
    private let main: String?
    private let fields: [FaultField<Kind>]
    /// The common parameters of ``Fault``, such as the duration, that this kind also accepts.
    private let common: [FaultField<Fault>]
    private let meaning: String

    /// Creates a declaration that takes its defaults from the properties of `initial`. The initial values of required
    /// parameters are never used.
    init(
        _ verb: String,
        _ initial: Kind,
        main: String? = nil,
        _ fields: [FaultField<Kind>] = [],
        common: [FaultField<Fault>] = .durationAndClients,
        _ meaning: String
    ) {
        assert(main == nil || fields.contains { $0.name == main } || main == "for", "\(verb) has no '\(main ?? "")'")
        (self.verb, self.initial, self.main) = (verb, initial, main)
        (self.fields, self.common, self.meaning) = (fields, common, meaning)
    }

    /// The parameters that only this kind of fault has.
    var parameters: [FaultParameter] { fields.map { $0.parameter(in: initial) } }

    /// Returns the registry entry for the scenario action that begins the fault. The entry lists the parameters of this
    /// kind and the common parameters.
    func action(_ make: (Kind) -> Fault) -> ActionEntry {
        let all = parameters + common.map { $0.parameter(in: make(initial)) }
        return ActionEntry(.network, verb, main: main, takesLabel: true, all.map(\.entry), meaning)
    }

    /// Creates a fault from the `arguments` for the parameters of this kind and for the common parameters.
    ///
    /// - Throws: ``InvalidArgument`` if an argument is missing, of the wrong kind or out of range.
    func read(_ arguments: Arguments, as make: (Kind) -> Fault) throws(InvalidArgument) -> Fault {
        var kind = initial
        for field in fields { try field.read(arguments, into: &kind) }
        var fault = make(kind)
        for field in common { try field.read(arguments, into: &fault) }
        return fault
    }
}

extension [FaultField<Fault>] {
    /// The common parameters of a fault that has a duration.
    static var durationAndClients: Self { [.lifetime, .clients] }
    /// The common parameters of a fault that acts on the bytes of all connections, or of a random fraction of them.
    static var toxicityDurationAndClients: Self { [.toxicity, .lifetime, .clients] }
}
