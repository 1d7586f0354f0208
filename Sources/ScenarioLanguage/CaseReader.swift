import ChatWire
import FakeServer
import ScenarioModel
import SquallCore
import TemporalLogic

/// Builds one case of a scenario from the root mapping of its YAML file. The values of the `with:` table must already
/// be substituted.
struct CaseReader {
    let source: SourceText
    let log: MistakeLog
    /// The audit catalogue that must contain every row named by `covers`; nil to accept any row id.
    let catalogue: Catalogue?
    let profiles: ProfileFiles

    /// Reads the case named `variant` (nil for a file without a `with:` table) from the root of the file. Returns nil
    /// if the case has errors; they are added to ``log``.
    ///
    /// `override` replaces the profile that the file names.
    func read(_ root: SourceNode, variant: String?, profile override: String?) -> Scenario? {
        checkKeys(root)
        var profile = profile(root, override)
        set(root, in: &profile)
        let hasUpstream = checkUpstream(root, profile)
        let values = ValueReader(source: source, profile: profile)
        let name = text("name", root, values)
        if root["name"] == nil {
            log.add(root.mistake("a scenario needs a name", help: "name: what happens, in a sentence", in: source))
        }
        let roster = root["clients"].map { ClientRoster.read($0, values, log) } ?? .alone
        let within = duration("within", root, values, positive: true) ?? profile.expectWithin
        let labels = LabelTable(source, log)
        let steps = StepReader(values: values, roster: roster, labels: labels, log: log, within: within)
        let mistakesBefore = log.diagnostics.count
        let script = root["script"].map(steps.read) ?? []
        let isScriptWhole = log.diagnostics.count == mistakesBefore
        let names = NameReader(values: values, roster: roster, labels: labels, step: nil)
        let expectations = ExpectationReader(names: names, log: log, within: within, catalogue: catalogue)
        let expected = root["expect"].map(expectations.read) ?? []
        labels.check()
        if !hasUpstream { ReferencedNames(root, roster, source).check(labels.others, log) }
        var scenario = Scenario(
            file: source.file,
            name: name ?? "",
            variant: variant,
            profile: profile,
            tags: tags(root, values),
            clients: roster.clients,
            script: script,
            expectations: expected,
            waivers: waivers(root, values),
            playOn: duration("play_on", root, values, positive: false) ?? .zero,
            worlds: worlds(root, values, hasUpstream: hasUpstream)
        )
        scenario.isProfileForced = override != nil
        for location in scenario.handshakesWithoutTLS {
            let message = "this needs TLS, but the clients of this scenario connect without it"
            log.add(Diagnostic(at: location, message, help: "server: { tls: true }"))
        }
        for fault in hasUpstream ? [] : scenario.faultsOfUnknownTypes {
            let near = Suggestion.nearest(to: fault.type, among: scenario.messageTypes)
            let known = Set(scenario.messageTypes).sorted().joined(separator: ", ")
            let help = near.map { "did you mean '\($0)'?" } ?? "one of: \(known)"
            let message = "unknown message type '\(fault.type.shortened)'"
            log.add(Diagnostic(at: fault.location, message, help: help))
        }
        // A script with an invalid step is not checked for messages without an open conversation, because the invalid
        // step may be intended to open the conversation.
        for location in isScriptWhole ? scenario.sendsWithoutOpenConversation : [] {
            let help = "open one first, user: { open: stukov }, or name it here, to: stukov"
            log.add(Diagnostic(at: location, "the user types, but no conversation is open", help: help))
        }
        if override == nil {
            for unsupportedFrames in scenario.unsupportedFrames {
                log.add(Diagnostic(at: unsupportedFrames.location, unsupportedFrames.message))
            }
        }
        return log.diagnostics.isEmpty ? scenario : nil
    }

    // MARK: - Top-level keys

    private func checkKeys(_ root: SourceNode) {
        let known = LanguageWord.names(LanguageWord.head)
        for member in root.members ?? [] where !known.contains(member.name) {
            var help = Suggestion.nearest(to: member.name, among: known).map { "did you mean '\($0)'?" }
            if help == nil, OperatorSpec.named(member.name) != nil {
                help = "move '\(member.name)' into the list under 'expect'"
            }
            if help == nil, LanguageWord.names(LanguageWord.steps).contains(member.name) {
                help = "move '\(member.name)' into the list under 'script'"
            }
            log.add(
                member.key.mistake(
                    "unknown key '\(member.name.shortened)' of a scenario",
                    help: help ?? LanguageWord.synonyms[member.name]
                        ?? "one of: \(known.joined(separator: ", "))",
                    in: source
                )
            )
        }
    }

    private func text(_ name: String, _ root: SourceNode, _ values: ValueReader) -> String? {
        guard let node = root[name] else { return nil }
        return log.attempt { () throws(Diagnostic) in
            let text = try values.text(node, called: name)
            guard !text.allSatisfy(\.isWhitespace) else { throw node.mistake("'\(name)' is empty", in: source) }
            return text
        }
    }

    private func duration(
        _ name: String,
        _ root: SourceNode,
        _ values: ValueReader,
        positive: Bool
    ) -> TimeSpan? {
        guard let node = root[name] else { return nil }
        return log.attempt { () throws(Diagnostic) in
            positive ? try values.positiveDuration(node, called: name) : try values.length(node, called: name)
        }
    }

    private func profile(_ root: SourceNode, _ override: String?) -> Profile {
        var name = override ?? "default"
        let node = root["profile"]
        if override == nil, let node, let written = node.scalar, ProfileFiles.isPath(written) {
            return profile(inFile: ProfileFiles.path(written, from: source.file), node)
        } else if let override, ProfileFiles.isPath(override) {
            return profile(inFile: override, root)
        } else if let node, let written = node.scalar, ProfileReader.names.contains(written) {
            if override == nil { name = written }
        } else if let node, override == nil || node.scalar.map(ProfileFiles.isPath) != true {
            log.add(
                node.mistake(
                    "there is no profile \(node.inWords)",
                    help: Suggestion.help(for: node.scalar ?? "", among: ProfileReader.names),
                    in: source
                )
            )
        }
        let found = log.attempt { () throws(Diagnostic) in try ProfileReader.profile(named: name) }
        guard let found else { return Profile() }
        guard let profile = found else {
            log.add(
                root.mistake(
                    "there is no profile '\(name)'",
                    help: Suggestion.help(for: name, among: ProfileReader.names),
                    in: source
                )
            )
            return Profile()
        }
        return profile
    }

    private func profile(inFile path: String, _ node: SourceNode) -> Profile {
        switch profiles.load(path) {
        case .profile(let profile): return profile
        case .wrong: log.add(node.mistake("the profile '\(path)' has errors", in: source))
        case .unreadable(let why): log.add(node.mistake("the profile '\(path)' cannot be read: \(why)", in: source))
        }
        return Profile()
    }

    private func set(_ root: SourceNode, in profile: inout Profile) {
        var writer = ProfileWriter(profile: profile, source: source, log: log)
        if let node = root["set"] { writer.set(node) }
        if let node = root["server"] { writer.set(node, prefix: "server.") }
        profile = writer.profile
        if let wire = root["set"]?.members?.last(where: { $0.name.hasPrefix("wire") }),
            let problem = profile.wire.problems.first
        {
            log.add(wire.key.mistake("invalid wire names: \(problem)", in: source))
        }
    }

    /// Checks the address in `server.upstream`; returns whether the scenario runs against an external server.
    private func checkUpstream(_ root: SourceNode, _ profile: Profile) -> Bool {
        guard !profile.server.upstream.isEmpty else { return false }
        do throws(UpstreamAddress.Problem) {
            _ = try UpstreamAddress(parsing: profile.server.upstream)
        } catch {
            let node = root["server"]?["upstream"] ?? root["server"] ?? root["set"] ?? root
            log.add(node.mistake(error.message, help: error.help, in: source))
        }
        return true
    }

    private func tags(_ root: SourceNode, _ values: ValueReader) -> [String] {
        guard let node = root["tags"] else { return [] }
        var tags: [String] = []
        if let text = node.plain, text.contains(",") {
            let words = text.split(separator: ",").map { $0.drop { $0 == " " } }.joined(separator: ", ")
            let message = "'tags' must be a list of words, not \(node.inWords)"
            log.add(node.mistake(message, help: "tags: [\(words.shortened)]", in: source))
            return []
        }
        for item in node.list ?? [node] {
            let tag = log.attempt { () throws(Diagnostic) in
                try values.label(item, called: "tags", kind: "a word", with: ":")
            }
            if let tag, !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    private func waivers(_ root: SourceNode, _ values: ValueReader) -> [Scenario.Waiver] {
        guard let node = root["invariants"] else { return [] }
        for member in node.members ?? [] where member.name != "waive" {
            log.add(
                member.key.mistake(
                    "unknown key '\(member.name.shortened)' in 'invariants'",
                    help: "invariants: { waive: { NAME: the reason } }",
                    in: source
                )
            )
        }
        guard let members = node["waive"]?.members else {
            if node["waive"] != nil || node.members == nil {
                log.add(
                    values.wrong(
                        node["waive"] ?? node,
                        "waive",
                        "a mapping of invariants to reasons",
                        help: "invariants: { waive: { NAME: the reason } }"
                    )
                )
            }
            return []
        }
        return members.compactMap { member in
            log.attempt { () throws(Diagnostic) in
                let known = InvariantName.allCases.map(\.rawValue)
                guard known.contains(member.name) else {
                    throw member.key.mistake(
                        "unknown invariant '\(member.name.shortened)'",
                        help: Suggestion.help(for: member.name, among: known),
                        in: source
                    )
                }
                let reason = member.value.isEmpty ? "" : try values.text(member.value, called: member.name)
                guard !reason.allSatisfy(\.isWhitespace) else {
                    throw member.value.mistake("the waiver of '\(member.name)' needs a reason", in: source)
                }
                return Scenario.Waiver(invariant: member.name, reason: reason)
            }
        }
    }

    private func worlds(_ root: SourceNode, _ values: ValueReader, hasUpstream: Bool) -> Scenario.Worlds {
        let why = text("why", root, values)
        let whole: Scenario.Worlds = hasUpstream ? .liveOnly(why: "the scenario uses an external server") : .both
        guard let node = root["worlds"] else {
            if let why = root.members?.first(where: { $0.name == "why" }) {
                log.add(why.key.mistake("'why' needs 'worlds' next to it", in: source))
            }
            return whole
        }
        let items = node.list ?? [node]
        if items.isEmpty {
            log.add(node.mistake("'worlds' is empty", help: "write [sim] or [live], or remove it for both", in: source))
        }
        var worlds: [World] = []
        for item in items {
            let word = log.attempt { () throws(Diagnostic) in
                try values.word(item, among: World.allCases.map(\.rawValue), called: "worlds")
            }
            guard let world = word.flatMap(World.init(rawValue:)) else { continue }
            if world == .sim, hasUpstream {
                log.add(
                    item.mistake(
                        "a scenario with 'upstream' cannot run in sim",
                        help: "remove 'worlds'; the scenario runs live",
                        in: source
                    )
                )
            }
            worlds.append(world)
        }
        guard !hasUpstream, let first = worlds.first, Set(worlds).count < World.allCases.count else { return whole }
        guard let why else {
            if root["why"] == nil {
                log.add(
                    node.mistake(
                        "a scenario for one world needs a reason",
                        help: "add 'why: …' next to 'worlds'",
                        in: source
                    )
                )
            }
            return .both
        }
        return first == .sim ? .simOnly(why: why) : .liveOnly(why: why)
    }
}
