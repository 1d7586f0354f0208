import ScenarioModel
import SquallCore
import TemporalLogic

/// The clients of a scenario and their groups.
struct ClientRoster {
    struct Group {
        var name: String
        var members: [ClientID]
    }

    /// The clients, in file order.
    private(set) var clients: [ClientID]
    private(set) var groups: [Group]

    /// The roster of a file without `clients:`, which has a single unnamed client.
    static let alone = ClientRoster(clients: [.only], groups: [])

    /// The maximum number of clients in a scenario. One machine can still run this many concurrently.
    static let most = 1000

    /// Returns the clients that a prefix (the name of a client or group) refers to; nil for an unknown prefix.
    func members(of name: String) -> [ClientID]? {
        if let group = groups.first(where: { $0.name == name }) { return group.members }
        return clients.first { $0.name == name }.map { [$0] }
    }

    var isSingle: Bool { clients.count == 1 }

    /// The valid prefixes: the names of all groups and clients.
    var names: [String] {
        groups.map(\.name) + clients.map(\.name)
    }

    /// Returns the help text for an unknown prefix.
    func help(for name: String) -> String? {
        isSingle && clients == [.only]
            ? "declare it with 'clients: [\(name), …]'" : Suggestion.help(for: name, among: names)
    }

    /// Reads `clients:`, a list of names or a mapping of names to group sizes.
    static func read(_ node: SourceNode, _ values: ValueReader, _ log: MistakeLog) -> ClientRoster {
        var roster = ClientRoster(clients: [], groups: [])
        let mistakes = log.diagnostics.count
        if let members = node.members {
            for member in members {
                let count = log.attempt { () throws(Diagnostic) in
                    try values.integer(member.value, in: 1...Int64(most), called: member.name)
                }
                roster.add(member.key, count: Int(count ?? 1), values.source, log)
            }
        } else {
            for item in node.list ?? [node] { roster.add(item, count: nil, values.source, log) }
        }
        guard !roster.clients.isEmpty else {
            guard log.diagnostics.count == mistakes else { return .alone }
            log.add(
                node.mistake(
                    "'clients' is empty",
                    help: "write clients: [anna, ben], or remove it for one client",
                    in: values.source
                )
            )
            return .alone
        }
        if roster.clients.count > most {
            log.add(
                node.mistake("\(roster.clients.count) clients are too many; the limit is \(most)", in: values.source)
            )
        }
        return roster
    }

    private mutating func add(_ node: SourceNode, count: Int?, _ source: SourceText, _ log: MistakeLog) {
        guard let name = node.scalar, Self.isName(name) else {
            log.add(
                node.mistake(
                    node.scalar?.isEmpty == true ? "a client's name is missing" : "invalid client name \(node.inWords)",
                    help: "a name has lower-case letters, digits, '-' and '_', and begins with a letter",
                    in: source
                )
            )
            return
        }
        if Self.reserved.contains(name) {
            log.add(
                node.mistake("'\(name)' is reserved: names of events and observables begin with it", in: source)
            )
            // The client is added anyway, so that references to it are not reported as unknown.
        }
        var added: [ClientID] = []
        if let count, count > 1 {
            added = (1...count).map { ClientID("\(name)-\($0)") }
        } else {
            added = [ClientID(name)]
        }
        guard members(of: name) == nil, !added.contains(where: clients.contains) else {
            log.add(node.mistake("duplicate client '\(name)'", in: source))
            return
        }
        clients += added
        if added.count > 1 { groups.append(Group(name: name, members: added)) }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.count <= 40
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    /// The names that clients must not have: the actors, and the first component of every name in the registry.
    static let reserved: Set<String> = Set(
        (Registry.observables + Registry.events).map { entry in
            String(entry.name.prefix { $0 != "." })
        } + Actor.allCases.map(\.rawValue) + ["wait"]
    )
}
