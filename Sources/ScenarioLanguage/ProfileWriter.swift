import ChatWire
import ScenarioModel
import SquallCore

/// Sets profile values from the `name: value` mappings in profile files and under a scenario's `set:` and `server:`.
struct ProfileWriter {
    private(set) var profile: Profile
    let source: SourceText
    let log: MistakeLog
    /// The line on which each value was set. Setting a value twice is an error, because the second line would otherwise
    /// silently take precedence.
    private var lines: [String: Int] = [:]

    init(profile: Profile, source: SourceText, log: MistakeLog) {
        self.profile = profile
        self.source = source
        self.log = log
    }

    /// Sets the values of a mapping in order, so a `$name` can refer only to values set before it. Names may be nested,
    /// as in `heartbeat: { interval: 10s }`.
    mutating func set(_ node: SourceNode, prefix: String = "") {
        guard let members = node.members else {
            if !node.isEmpty {
                log.add(node.mistake("expected profile values in the form 'name: value'", in: source))
            }
            return
        }
        for member in members where !log.isFull { set(member, called: prefix + member.name) }
    }

    private mutating func set(_ member: SourceNode.Member, called name: String) {
        let reader = ValueReader(source: source, profile: profile)
        if name == ProfileReader.framesName {
            guard isFirst(name, member) else { return }
            if let frames = FrameMapReader(values: reader, log: log).read(member.value) { profile.wire.frames = frames }
        } else if let field = Profile.field(named: name) {
            guard isFirst(name, member) else { return }
            let value = log.attempt { () throws(Diagnostic) in
                try reader.argument(member.value, field.kind, called: name)
            }
            if let value { field.set(&profile, value) }
        } else if member.value.members != nil, Profile.fields.contains(where: { $0.name.hasPrefix("\(name).") }) {
            set(member.value, prefix: "\(name).")
        } else {
            log.add(
                member.key.mistake(
                    "unknown profile value '\(name)'",
                    help: Suggestion.help(for: name, among: Profile.fields.map(\.name) + [ProfileReader.framesName])
                        ?? "'squall explain profile' lists them all",
                    in: source
                )
            )
        }
    }

    private mutating func isFirst(_ name: String, _ member: SourceNode.Member) -> Bool {
        if let line = lines[name] {
            log.add(
                member.key.mistake(
                    "duplicate '\(name)', already set in line \(line)",
                    help: "remove one of the two",
                    in: source
                )
            )
            return false
        }
        lines[name] = member.key.line
        return true
    }
}
