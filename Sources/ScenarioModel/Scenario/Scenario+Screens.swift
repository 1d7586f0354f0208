import ChatWire
package import SquallCore

extension Scenario {
    /// Steps at which a user types on a phone that shows no conversation, so that nothing would come of it.
    package var sendsWithoutScreen: [SourceLocation] {
        // A step with an `at:` comes when it comes.
        var showing = Set(script.filter { $0.anchor != nil }.flatMap(phonesOpened))
        var found: [SourceLocation] = []
        for step in script {
            showing.formUnion(phonesOpened(by: step))
            guard step.anchor == nil, case .act(let stimulus) = step.kind,
                case .client(.send(nil, _, _)) = stimulus.deed, !showing.isSuperset(of: phones(of: stimulus))
            else { continue }
            found.append(step.location)
        }
        return found
    }

    private func phonesOpened(by step: Step) -> [ClientID] {
        guard case .act(let stimulus) = step.kind, case .client(.open) = stimulus.deed else { return [] }
        return phones(of: stimulus)
    }

    private func phones(of stimulus: Stimulus) -> [ClientID] {
        stimulus.clients.isEmpty ? clients : stimulus.clients
    }
}
