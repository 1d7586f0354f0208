import ScenarioModel
import SquallCore
import TemporalLogic

/// The clients of a scenario, and the groups that they form.
struct ClientRoster {
    struct Group {
        var name: String
        var members: [ClientID]
    }

    /// In the order of the file.
    private(set) var clients: [ClientID]
    private(set) var groups: [Group]

    /// The one client of a file that names none.
    static let alone = ClientRoster(clients: [.only], groups: [])

    /// A run with more is of no use on one machine.
    static let most = 1000

    /// The clients that a prefix stands for; nil where it stands for nobody.
    func members(of name: String) -> [ClientID]? {
        if let group = groups.first(where: { $0.name == name }) { return group.members }
        return clients.first { $0.name == name }.map { [$0] }
    }

    var isSingle: Bool { clients.count == 1 }

    /// What may stand as a prefix.
    var names: [String] {
        groups.map(\.name) + clients.map(\.name)
    }

    /// For a prefix that stands for nobody.
    func help(for name: String) -> String? {
        isSingle && clients == [.only] ? "'clients: [\(name), …]' names them" : Suggestion.help(for: name, among: names)
    }

    /// `clients:` of a file: a list of names, or a mapping of groups to how many they are.
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
                    "'clients' names nobody",
                    help: "clients: [anna, ben], or leave it out for one client",
                    in: values.source
                )
            )
            return .alone
        }
        if roster.clients.count > most {
            log.add(
                node.mistake("there are \(roster.clients.count) clients; at most \(most) may be", in: values.source)
            )
        }
        return roster
    }

    private mutating func add(_ node: SourceNode, count: Int?, _ source: SourceText, _ log: MistakeLog) {
        guard let name = node.scalar, Self.isName(name) else {
            log.add(
                node.mistake(
                    "\(node.inWords) cannot be a client's name",
                    help: "a name has small letters, digits, '-' and '_', a letter first",
                    in: source
                )
            )
            return
        }
        if Self.reserved.contains(name) {
            log.add(
                node.mistake("no client can be named '\(name)': names of events and observables begin so", in: source)
            )
            // It is one of the cast all the same: what the file says of it is no mistake of its own.
        }
        var added: [ClientID] = []
        if let count, count > 1 {
            added = (1...count).map { ClientID("\(name)-\($0)") }
        } else {
            added = [ClientID(name)]
        }
        guard members(of: name) == nil, !added.contains(where: clients.contains) else {
            log.add(node.mistake("'\(name)' is named twice", in: source))
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

    /// The first words of all names, and the actors.
    static let reserved: Set<String> = Set(
        (Registry.observables + Registry.events).map { entry in
            String(entry.name.prefix { $0 != "." })
        } + Actor.allCases.map(\.rawValue) + ["wait"]
    )
}
