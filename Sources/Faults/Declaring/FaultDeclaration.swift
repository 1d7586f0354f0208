import SquallCore

/// The declaration of a kind of fault: its verb, its parameters and its meaning.
struct FaultDeclaration<Kind: Sendable>: Sendable {
    let verb: String
    private let initial: Kind
    /// The name of the parameter that a value without a name sets: `latency: 50ms`.
    private let main: String?
    private let fields: [FaultField<Kind>]
    /// Parameters of ``Fault`` that this kind also takes.
    private let common: [FaultField<Fault>]
    private let meaning: String

    /// Creates a declaration. `initial` holds the defaults; its values for required parameters are never used.
    init(
        _ verb: String,
        _ initial: Kind,
        main: String? = nil,
        _ fields: [FaultField<Kind>] = [],
        common: [FaultField<Fault>] = .lasting,
        _ meaning: String
    ) {
        assert(main == nil || fields.contains { $0.name == main } || main == "for", "\(verb) has no '\(main ?? "")'")
        (self.verb, self.initial, self.main) = (verb, initial, main)
        (self.fields, self.common, self.meaning) = (fields, common, meaning)
    }

    /// The parameters that only this kind of fault has.
    var parameters: [FaultParameter] { fields.map { $0.parameter(in: initial) } }

    /// Returns the fault as an action of the network, with its own and the common parameters.
    func action(_ make: (Kind) -> Fault) -> ActionEntry {
        let all = parameters + common.map { $0.parameter(in: make(initial)) }
        return ActionEntry(.network, verb, main: main, takesLabel: true, all.map(\.entry), meaning)
    }

    /// Creates a fault from its own and the common parameters in `arguments`.
    ///
    /// - Throws: ``UnfitArgument`` if an argument is missing, of the wrong kind or out of range.
    func read(_ arguments: Arguments, as make: (Kind) -> Fault) throws(UnfitArgument) -> Fault {
        var kind = initial
        for field in fields { try field.read(arguments, into: &kind) }
        var fault = make(kind)
        for field in common { try field.read(arguments, into: &fault) }
        return fault
    }
}

extension [FaultField<Fault>] {
    /// The common parameters of a fault that has a duration.
    static var lasting: Self { [.lifetime, .clients] }
    /// The common parameters of a fault that acts on the bytes of connections and can affect only a share of them.
    static var lastingOnShare: Self { [.toxicity, .lifetime, .clients] }
}
