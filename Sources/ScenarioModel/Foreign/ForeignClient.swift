import Adapter
import ChatWire
import SquallCore

/// Communicates with a foreign client's adapter, and translates its messages into Squall's observations.
struct ForeignClient: Sendable {
    /// An action that the run performs in response to the adapter.
    enum Step: Sendable {
        /// The client has discarded the state of the previous run. The run now sends `init`.
        case reset
        /// The client has answered `init`. The run now starts the client.
        case ready
        case observe(Observation)
        /// The client has not answered in time. The run now closes its standard input, so that the client can report
        /// the reason before it exits.
        case closeInput
        case failed(AdapterFailure)
    }

    let id: ClientID
    let plan: ForeignPlan
    var session: AdapterSession
    private(set) var offer: AdapterCapabilities
    /// The length of each conversation's message list, as reported by the client.
    private var listed: [String: Int] = [:]
    /// The conversations whose message lists were reported by the previous process but not yet by the current one.
    private var stale: [String] = []
    private var hasBegun = false
    /// The client's message ids, by the labels in the script.
    private var messageIDs: [String: String] = [:]
    /// The message ids that the client's answers contained, and those that it reported while no answer was pending.
    private var known: Set<String> = []
    private var openConversation: String?
    /// The last reported connection state, as a value of Squall's `connection.state`.
    private var stateWord: String?
    /// The labels of the `send` commands that have not been answered yet; nil for a command without a label.
    private var openSends: [String?] = []
    /// Whether a `sync` command is still unanswered.
    private(set) var isSyncing = false
    /// The labels of the messages for which the client's `ok` contained no message id.
    private var nameless: [String] = []
    /// The events that are held back until the client answers its pending `send` commands, because the answers may
    /// contain the ids of the events' messages.
    private var held: [AdapterEvent] = []
    /// Whether the client has failed. Its later messages are ignored.
    private var hasFailed = false

    init(_ id: ClientID, _ plan: ForeignPlan) {
        self.id = id
        self.plan = plan
        offer = plan.offer
        session = AdapterSession(limits: plan.limits)
    }

    /// Prepares for a new process, which has none of the state that the previous process reported or kept in memory.
    mutating func begin(isReused: Bool = false) {
        session = AdapterSession(limits: plan.limits, isReused: isReused)
        forget()
    }

    /// Discards all state that belongs to the client's process, which was killed or restarted.
    mutating func forget() {
        for conversation in listed.keys.sorted() where !stale.contains(conversation) { stale.append(conversation) }
        listed.removeAll()
        held.removeAll()
        openSends.removeAll()
        isSyncing = false
        openConversation = nil
        stateWord = nil
        session.invalidatePendingCommands()
    }

    /// Stops waiting for answers to `send` commands, because they will never arrive.
    mutating func abandonPendingSends() { openSends.removeAll() }

    /// Returns the observations that clear the values reported by the previous process. The run records them when a new
    /// process starts.
    mutating func blank() -> [Observation] {
        defer {
            stale.removeAll()
            hasBegun = true
        }
        var blank = stale.map { Observation.set("conversation.messages", key: $0, to: [], by: .observed) }
        if hasBegun, offer.shows("connection.state") {
            blank.append(.set("connection.state", to: "idle", by: .observed))
        }
        return blank
    }

    // MARK: - Messages to the client

    /// Returns the line to send to the adapter for a script command; nil if the client does not support the command or
    /// has no adapter.
    mutating func emit(_ command: ClientCommand, at now: Instant) -> [UInt8]? {
        if case .open(let conversation) = command { openConversation = conversation }
        guard let wanted = adapterCommand(command), wanted.type == "start" || offer.takes(wanted.type) else {
            return nil
        }
        if wanted.type == "send" { openSends.append(wanted.text("label")) }
        return session.ask(wanted, at: now)
    }

    /// Whether the client supports `sync`, a command that makes it report all pending observations.
    var canSync: Bool { session.isReady && offer.takes("sync") }

    /// Returns the line to send to the adapter for a `sync` command; nil if the client does not support it.
    mutating func emitSync(at now: Instant) -> [UInt8]? {
        guard canSync else { return nil }
        isSyncing = true
        return session.ask(AdapterCommand("sync"), at: now)
    }

    /// Returns a command in the form of the adapter protocol; nil for commands that Squall performs itself.
    private func adapterCommand(_ command: ClientCommand) -> AdapterCommand? {
        guard plan.hasAdapter, session.isReady else { return nil }
        return switch command {
        case .send(nil, let text, let label):
            AdapterCommand(.send(conversation: openConversation, text: text, label: label))
        case .retry(let label): AdapterCommand(command, clientMessageID: messageIDs[label])
        default: AdapterCommand(command)
        }
    }

    // MARK: - Messages from the client

    /// Translates the session's signals into steps. `isStored` returns whether the server has stored the message with
    /// the given id.
    mutating func take(_ signals: [AdapterSignal], isStored: (String) -> Bool = { _ in false }) -> [Step] {
        var steps: [Step] = []
        for signal in signals where !hasFailed {
            switch signal {
            case .reset: steps.append(.reset)
            case .ready(let offer):
                guard offer == plan.offer else {
                    fail(.offerChanged, into: &steps)
                    continue
                }
                self.offer = offer
                steps.append(.ready)
            case .done(let command, let completion):
                done(command, completion, into: &steps)
                emitHeld(into: &steps, isStored)
            case .refused(let command, let refusal):
                refused(command, refusal, into: &steps)
                emitHeld(into: &steps, isStored)
            case .event(let event): take(event, into: &steps, isStored)
            case .ignored(let word):
                steps.append(.observe(.happened("client.log", ["text": .string("ignored: \(word)")], by: .reported)))
            case .closeInput:
                // The pending answers will never arrive.
                abandonPendingSends()
                emitHeld(into: &steps, isStored)
                steps.append(.closeInput)
            case .failed(let failure):
                openSends.removeAll()
                emitHeld(into: &steps, isStored)
                if !hasFailed { steps.append(.failed(failure)) }
                hasFailed = true
            }
        }
        return steps
    }

    private mutating func fail(_ kind: AdapterFailure.Kind, into steps: inout [Step]) {
        hasFailed = true
        if case .failed(let failure) = session.fail(kind) { steps.append(.failed(failure)) }
    }

    private mutating func done(
        _ command: AdapterCommand,
        _ completion: AdapterMessage.Completion,
        into steps: inout [Step]
    ) {
        if command.type == "sync" { isSyncing = false }
        guard command.type == "send" else { return }
        let label = command.field("label")
        sendEnded(label?.stringValue)
        if let key = completion.clientMessageID {
            known.insert(key)
            if let label = label?.stringValue { messageIDs[label] = key }
            var fields: JSON = ["conversation": command.field("conversation") ?? .null]
            if let label, !label.isNull { fields.set("label", to: label) }
            steps.append(.observe(.happened("client.accepted", key: key, fields, by: .reported)))
        } else if let label = label?.stringValue {
            nameless.append(label)
        }
    }

    private mutating func refused(_ command: AdapterCommand, _ refusal: AdapterRefusal, into steps: inout [Step]) {
        let fields: JSON = [
            "command": .string(command.type), "code": .string(refusal.code), "definite": .bool(refusal.isDefinite),
            "text": .string(refusal.text),
        ]
        if command.type == "sync" { isSyncing = false }
        let key = command.field("label")?.stringValue
        steps.append(.observe(.happened("client.refused", key: key, fields, by: .reported)))
        if command.type == "send" { sendEnded(key) }
    }

    private mutating func sendEnded(_ label: String?) {
        if let index = openSends.firstIndex(of: label) { openSends.remove(at: index) }
    }

    /// Whether any `send` command is still unanswered.
    var hasPendingSend: Bool { !openSends.isEmpty }

    /// Returns the reasons why messages with these labels may not have been observed: a `send` command that the client
    /// has not answered yet, or an answer that contained no message id.
    func reasonsForMissingIDs(among labels: [String]) -> [String] {
        let name = id == .only ? "the client" : id.name
        let unanswered = openSends.map { $0.map { "send[\($0)]" } ?? "send" }
        return (unanswered.isEmpty ? [] : ["\(name) has not answered \(unanswered.joined(separator: ", "))"])
            + nameless.filter(labels.contains).map { "\(name)'s ok to send[\($0)] named no client_message_id" }
    }

    private mutating func take(_ event: AdapterEvent, into steps: inout [Step], _ isStored: (String) -> Bool) {
        guard !hasFailed else { return }
        if waits(event, isStored) {
            held.append(event)
            return
        }
        known.formUnion(event.messages)
        do throws(AdapterFailure.Kind) {
            if let observation = try observation(of: event) { steps.append(.observe(observation)) }
        } catch {
            fail(error, into: &steps)
        }
    }

    /// Processes the held events again. Events that must still wait remain in ``held``.
    private mutating func emitHeld(into steps: inout [Step], _ isStored: (String) -> Bool) {
        let events = held
        held.removeAll()
        for event in events { take(event, into: &steps, isStored) }
    }

    /// Returns whether an event must wait for the answer to a `send`, because the answer may contain the id of the
    /// event's message. Later events about the same list wait as well, because their positions depend on earlier ones.
    private func waits(_ event: AdapterEvent, _ isStored: (String) -> Bool) -> Bool {
        guard !openSends.isEmpty else { return false }
        if event.messages.contains(where: { !known.contains($0) && !isStored($0) }) { return true }
        return event.list.map { list in held.contains { $0.list == list } } ?? false
    }

    private mutating func observation(of event: AdapterEvent) throws(AdapterFailure.Kind) -> Observation? {
        switch event {
        case .log(let text): return .happened("client.log", ["text": .string(text)], by: .reported)
        case .state(let native):
            guard let word = offer.state(native) else {
                throw .unknownState(word: native, known: offer.states.map(\.native))
            }
            // Ignore a repeated state, which is possible because several of the client's own states may map to one
            // Squall state.
            guard word != stateWord else { return nil }
            stateWord = word
            return try shown("connection.state", nil, .string(word))
        case .status(let key, let status): return try shown("message.status", key, .string(status))
        case .message(let conversation, let key, let at):
            guard offer.shows("conversation.messages") else { return nil }
            let count = listed[conversation, default: 0]
            let index = at ?? count
            guard index <= count else {
                throw .badObservation(name: "message", reason: "place \(index) in a list of \(count)")
            }
            listed[conversation] = count + 1
            return Observation(
                "conversation.messages",
                key: conversation,
                .inserted(at: index, .string(key)),
                by: .reported
            )
        case .show(let name, let key, let value):
            if name == "conversation.messages", let key { listed[key] = value.arrayValue?.count ?? 0 }
            return try shown(name, key, value)
        case .did(let name, let key, let fields):
            guard let entry = Registry.entry(named: name), entry.kind == .event else {
                throw .badObservation(name: name, reason: "unknown event")
            }
            // Ignore events that Squall itself observes on the wire, and events that the client did not list in its
            // answer to `init`.
            guard entry.provenance == .reported, offer.shows(name) else { return nil }
            for field in entry.fields {
                guard let value = fields[field.name], let problem = field.kind.problem(with: value) else { continue }
                throw .badObservation(name: name, reason: "\(field.name): \(problem)")
            }
            return .happened(name, key: key, fields, by: .reported)
        }
    }

    private func shown(
        _ name: String,
        _ key: String?,
        _ value: JSON
    ) throws(AdapterFailure.Kind) -> Observation? {
        guard let entry = Registry.observable(named: name) else {
            throw .badObservation(name: name, reason: "unknown observable")
        }
        guard entry.provenance == .reported, offer.shows(name) else { return nil }
        guard (entry.key == nil) == (key == nil) else {
            throw .badObservation(
                name: name,
                reason: entry.key.map { "its key, a \($0), is missing" } ?? "it has no key"
            )
        }
        if let problem = entry.value.problem(with: value) { throw .badObservation(name: name, reason: problem) }
        return .set(name, key: key, to: value)
    }
}

extension AdapterCommand {
    fileprivate func field(_ name: String) -> JSON? { fields.first { $0.name == name }?.value }
}

extension AdapterEvent {
    /// The list that this event changes, identified by its conversation or by the observable's name; nil for any other
    /// event.
    fileprivate var list: String? {
        switch self {
        case .message(let conversation, _, _): conversation
        case .show("conversation.messages", let key, _): key
        case .show("view.rows", _, _): "view.rows"
        case .state, .status, .show, .did, .log: nil
        }
    }

    /// The ids of the messages that this event is about.
    fileprivate var messages: [String] {
        switch self {
        case .message(_, let key, _), .status(let key, _): [key]
        case .show("conversation.messages", _, let value), .show("view.rows", _, let value):
            (value.arrayValue ?? []).compactMap(\.stringValue)
        case .show(let name, let key?, _): name.hasPrefix("message.") ? [key] : []
        case .state, .show, .did, .log: []
        }
    }
}
