import ChatWire
import FakeServer
import ReferenceClient
import ScenarioModel
import SquallCore

/// The small sets of values from which arguments are drawn. A parameter's set depends on its kind and, for texts and
/// numbers, also on its name.
///
/// If a parameter's name is not listed here, its value is drawn according to its kind alone, so that new actions are
/// explored without changes here.
struct ValueSets: Sendable {
    /// The names of the conversations, each named after the conversation partner.
    static let conversations = ["stukov", "kerrigan", "tychus"]

    /// The conversations that drafts can use: only the first one if the protocol's messages have no conversation id, as
    /// in `discord-gateway`.
    let conversations: [String]

    private let profile: Profile
    /// The durations in the profile after which a client or server acts, and the values 1 ms below and above them.
    private let boundaries: [TimeSpan]
    private let messageTypes: [String]
    /// The names of the clients' users; empty if there is only one client.
    private let people: [String]
    /// The seed that determines this run's preferred value for each parameter. Actions that use the same values
    /// interact more often.
    private let favourites: Seed

    init(_ profile: Profile, roster: Roster = Roster(), favourites: Seed = Seed(1)) {
        self.profile = profile
        let namesConversations = profile.wire.hasField(.conversationID, in: .message, by: .server)
        conversations = namesConversations ? Self.conversations : Array(Self.conversations.prefix(1))
        self.favourites = favourites
        people = roster.people
        var spans: Set<TimeSpan> = []
        for field in Profile.fields where field.kind == .duration && !field.name.hasPrefix("clock.") {
            guard case .duration(let span) = field.get(profile), span > .zero, span <= Self.longestBoundary else {
                continue
            }
            spans.formUnion([span - .milliseconds(1), span, span + .milliseconds(1)])
        }
        boundaries = spans.filter { $0 > .zero }.sorted()
        messageTypes = Set(Scenario(file: "", name: "", profile: profile).messageTypes).sorted()
    }

    /// The longest duration taken from the profile. Longer ones are hours or days, more than any run lasts.
    private static let longestBoundary = TimeSpan.seconds(120)

    static let spans: [TimeSpan] = [
        .milliseconds(50), .milliseconds(300), .seconds(1), .seconds(3), .seconds(8), .seconds(20), .seconds(45),
    ]

    static let pauses: [TimeSpan] = [
        .milliseconds(1), .milliseconds(20), .milliseconds(250), .seconds(1), .seconds(1), .seconds(3), .seconds(10),
        .seconds(35),
    ]

    /// Draws the duration of a pause between two moves.
    func pause(_ generator: inout SeededGenerator) -> TimeSpan {
        generator.below(8) == 0 ? span(&generator) : generator.pick(Self.pauses) ?? .seconds(1)
    }

    func span(_ generator: inout SeededGenerator) -> TimeSpan {
        if generator.below(4) == 0, let boundary = generator.pick(boundaries) { return boundary }
        return generator.pick(Self.spans) ?? .seconds(1)
    }

    /// Draws a value for a parameter; nil if none is available, for example if the parameter needs a label and none is
    /// defined.
    func value(
        of parameter: Parameter,
        in entry: ActionEntry,
        _ situation: Situation,
        _ generator: inout SeededGenerator
    ) -> ArgumentValue? {
        if let kind = entry.labelKind(referredToBy: parameter) {
            if entry.verb == "scroll", generator.below(2) == 0 {
                return generator.pick(["start", "end"]).map { .text($0) }
            }
            return generator.pick(situation.labels(kind)).map { .text($0) }
        }
        switch parameter.kind {
        case .flag: return .flag(generator.below(2) == 0)
        case .word(let words): return pick(words, parameter.name, &generator).map { .text($0) }
        case .duration:
            if parameter.name.hasSuffix("skew") {
                return .duration(generator.pick([.seconds(-90), .seconds(90), .seconds(4000)]) ?? .zero)
            }
            return .duration(span(&generator))
        case .integer(let range): return .integer(number(parameter.name, in: range, &generator))
        case .text: return text(parameter.name, of: entry, &generator).map { .text($0) }
        case .json: return json(parameter.name, &generator)
        case .label, .list: return nil
        }
    }

    // MARK: - Numbers

    private func number(
        _ name: String,
        in range: ClosedRange<Int64>,
        _ generator: inout SeededGenerator
    ) -> Int64 {
        let candidates: [Int64] =
            switch name {
            case "status": [200, 204, 301, 302, 304, 400, 401, 403, 404, 408, 413, 425, 429, 500, 502, 503, 504]
            case "code": [1000, 1001, 1002, 1003, 1008, 1009, 1011, 1012, 1013, 4000, 4001, 4008, 4999]
            case "bytes", "at_byte", "one_in", "rate", "headers", "body":
                [0, 1, 60, 200, 1_000, 5_000, 40_000, 200_000]
            case "width", "height": [1, 100, 1_200, 4_000]
            case "average_size", "size_variation": [3, 20, 200]
            case "toxicity": [0, 30, 50, 100]
            default: [0, 1, 1, 2, 3, 5, 12, 60]
            }
        let fitting = candidates.filter(range.contains)
        return pick(fitting, name, &generator) ?? range.lowerBound
    }

    /// Draws an element. Half of the time, this is the run's preferred element for the parameter `name`.
    private func pick<Element>(
        _ elements: [Element],
        _ name: String,
        _ generator: inout SeededGenerator
    ) -> Element? {
        guard generator.below(2) == 0 else { return generator.pick(elements) }
        var own = favourites.stream(name)
        return own.pick(elements)
    }

    // MARK: - Texts

    /// The users with keys of their own, in the same order as ``userKeys``.
    static let users = ["anna", "ben"]
    static let userKeys = ["key-3", "key-4"]

    private func text(_ name: String, of entry: ActionEntry, _ generator: inout SeededGenerator) -> String? {
        let isPlace = ["to", "conversation"].contains(name)
        return pick(texts(name, of: entry), isPlace ? "conversation" : name, &generator)
    }

    private func texts(_ name: String, of entry: ActionEntry) -> [String] {
        switch name {
        case "to" where entry.verb == "restrict", "members": ["stukov kerrigan", "client kerrigan"]
        case "user" where entry.fullName == "server.account": Self.users
        // A conversation is named after the other user, never after a client's own user.
        case "to", "conversation": conversations
        case "sender", "of", "for", "user", "id": Self.conversations + people
        case "host": profile.server.hosts.split(separator: " ").map(String.init) + [profile.client.connect.host]
        // A key permanently identifies one user, so the default key, which all clients share, cannot be used for an
        // account.
        case "key" where entry.fullName == "server.account": Self.userKeys
        case "key" where entry.actor == .user: [profile.server.auth.key, profile.server.auth.key, "key-2", "key-3"]
        case "key": [profile.server.auth.key, profile.server.auth.key, "key-2"]
        case "token": ["phone-1", "phone-1", "phone-2"]
        case "code": ErrorCode.known.map(\.code.word) + ["unheard_of"]
        case "file": ["notes.txt", "photo.jpg"]
        case "media": ["image", "hologram"]
        case "bytes": ["00", "ff fe", "7b 7d"]
        case "type": messageTypes
        case "contains": Self.conversations + ["text", "message"]
        case "location": ["http://login.test/", "/elsewhere"]
        // The protocol's own requests are left out because the invariants rely on the server's real responses to them.
        case "request": ["GET /prices", "POST /orders"]
        default: ["hello", "a longer text that says a little more", "", "text 🎈", "<b>\"&amp;\\n"]
        }
    }

    private func json(_ name: String, _ generator: inout SeededGenerator) -> ArgumentValue? {
        switch name {
        case "order": return .json(.string(generator.below(2) == 0 ? "kept" : "reversed"))
        case "headers": return .json(["ETag": "v1"])
        default:
            let type = generator.pick(messageTypes) ?? "unheard_of"
            let frames: [JSON] = [
                .object([JSONMember("type", .string(type))]),
                .object([JSONMember("type", .string("unheard_of")), JSONMember("n", .integer(1))]),
                .object([]), .array([]), .string("text"),
            ]
            return generator.pick(frames).map { .json($0) }
        }
    }
}

extension SeededGenerator {
    /// Returns a random element. If the array is empty, returns nil and draws no random number.
    package mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(below(UInt64(elements.count)))]
    }
}
