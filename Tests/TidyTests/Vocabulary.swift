/// Words that comments, messages and names of this package do not use.
///
/// Each was once used in place of a term from networking, testing or Swift, so that readers had to guess its meaning.
struct Vocabulary {
    /// Patterns that must not occur in comments and literals, with a suggestion for each.
    private static let prose: [(pattern: String, instead: String)] = [
        (#"\bwhoever\b"#, "name the thing"),
        (#"\bwhom\b"#, "name the thing"),
        (#"\bsomebody\b"#, "'a client', 'a user', 'another program'"),
        (#"\bnobody\b"#, "'no client', 'nothing'"),
        (#"\bso-manieth\b"#, "the attempt's number"),
        (#"\bnamesakes?\b"#, "'of the same name'"),
        (#"\bstands? (beside|behind|for itself)\b"#, "'is next to', 'follows'"),
        (#"\btells? of\b"#, "'reports'"),
        (#"\b(is|are|was|were|be|been) told of\b"#, "'is notified of', 'receives'"),
        (#"\bdoor(way|step)?s?\b"#, "'accept mode', 'listener'"),
        (#"\bcouriers?\b"#, "'bulk writer'"),
        (#"\bparcels?\b"#, "'write job'"),
        (#"\bcrew\b"#, "'worker pool'"),
        (#"\bconduits?\b"#, "'proxy connection'"),
        (#"\bhush(ed)?\b"#, "'read mode', 'paused'"),
        (#"\beavesdropp?ers?\b"#, "'login recorder'"),
        (#"\bafflict(s|ed|ion|ions)?\b"#, "'applied fault'"),
        (#"\brooms\b"#, "'modules'"),
    ]

    /// Words that must not occur in camel-case names.
    private static let names: Set<String> = [
        "Foundations", "Hush", "Door", "Doorstep", "Doorway", "Conduit", "Courier", "Parcel", "Crew", "Affliction",
        "Telling", "Complaints", "Eavesdropper", "Keeper", "Gaze", "Untold", "Unspoken", "Kinship", "tell", "hush",
        "knock", "whoever", "nobody", "somebody", "Opponent", "Farewell", "farewell", "Cue", "rouse", "sought",
        "utterance", "Deed", "forgiven", "funnel", "Funnel", "Strike", "Welcome", "Desk", "Spoken", "Hiding",
    ]

    /// Whole names that must not occur, because a term of the field has replaced them.
    private static let identifiers: Set<String> = [
        "standIns", "ShownText", "TextNumbers", "ClientOffer", "HandoverQueue", "ServerJudge", "AdapterJudge",
        "ClientJudge", "CasePlayer", "LoopbackClaim", "WriteLedger", "IdleClients", "GatheredMessage",
        "ClientVisibility", "UnfitArgument", "PanelPresent", "PanelRefusal", "lastingOnShare", "comesByTLS",
        "voidAsked", "lastWordsSpan", "holdsUpstream", "isSamePlace", "heardEnd", "farEnd", "staysAway",
        "Way", "Lane", "Sight", "Cast", "Reach", "Unseen", "SoleLink", "StoreRoom", "FirstWords",
    ]

    /// Places where a forbidden word is allowed, because it refers to people or is another project's term.
    private static let exceptions: [(path: String, text: String)] = [
        ("Tests/TidyTests/Vocabulary.swift", ""), ("Tests/TidyTests/TidyTests.swift", ""),
        // Matrix's term for conversations, used in its paths and JSON.
        ("Sources/ChatWire/Templates/MatrixSync.swift", "rooms"),
        ("Tests/FakeServerTests/MatrixSyncTests.swift", "rooms"),
    ]

    private let patterns: [(Regex<AnyRegexOutput>, String)]

    init() throws {
        patterns = try Self.prose.map { (try Regex($0.pattern).ignoresCase(), $0.instead) }
    }

    func wrongWords(in file: SourceFile) -> [String] {
        file.lines.flatMap { line in
            [line.comment, line.literal].filter { !$0.isEmpty && !Self.isExcepted(file, $0) }.flatMap { text in
                patterns.compactMap { pattern, instead in
                    text.firstMatch(of: pattern).map {
                        "\(file.path):\(line.number): '\(text[$0.range])'; write \(instead)"
                    }
                }
            }
        }
    }

    func wrongNames(in file: SourceFile) -> [String] {
        guard !Self.isExcepted(file, "") else { return [] }
        return file.lines.flatMap { line in
            line.code.split { !$0.isLetter && !$0.isNumber }.filter { name in
                Self.identifiers.contains(String(name)) || !Self.names.isDisjoint(with: Self.words(of: name))
            }.map {
                "\(file.path):\(line.number): the name '\($0)'"
            }
        }
    }

    private static func isExcepted(_ file: SourceFile, _ text: String) -> Bool {
        exceptions.contains { file.path.hasPrefix($0.path) && ($0.text.isEmpty || text.contains($0.text)) }
    }

    /// Returns the words of a camel-case name: `openDoorNow` consists of `open`, `Door` and `Now`.
    private static func words(of name: Substring) -> [String] {
        var words: [String] = []
        for character in name {
            if character.isUppercase || words.isEmpty {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words
    }
}
