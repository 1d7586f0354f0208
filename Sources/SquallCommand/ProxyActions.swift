import Panel
import Proxy
import SquallCore

/// The HTTP API requests that the proxy's web panel offers as buttons.
struct ProxyActions {
    /// A request to the HTTP API.
    struct Call: Hashable {
        var method: String
        var path: String
        var body: JSON?

        /// Returns the request as a `curl` command line.
        func curl(at address: String) -> String {
            let url = "http://\(address)\(path)"
            let data = body.map { " -d \(Self.quoted(String(decoding: $0.encode(), as: UTF8.self)))" } ?? ""
            return "curl -X \(method) \(Self.quoted(url))\(data)"
        }

        /// Returns the text quoted for a POSIX shell.
        private static func quoted(_ text: String) -> String {
            let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/:._-%[]".contains($0)) }
            if isPlain, !text.contains("[") { return text }
            return "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
        }
    }

    let catalogue: PanelCatalogue

    /// The names of the toxics (network faults) whose buttons are shown by default.
    private static let common: Set<String> = [
        "latency", "bandwidth", "timeout", "reset_peer", "slicer", "limit_data", "slow_close", "drop", "stall",
        "blackhole", "half_open", "refuse", "flap", "corrupt",
    ]

    /// Initial form values for toxics whose API defaults would have no visible effect.
    private static let presets: [String: [String: String]] = [
        "latency": ["latency": "200"], "bandwidth": ["rate": "10"], "slow_close": ["delay": "1000"],
        "slicer": ["average_size": "20", "delay": "1000"], "limit_data": ["bytes": "1000"],
        "flap": ["up": "5000", "down": "2000"],
    ]

    init() {
        catalogue = PanelCatalogue(ToxicEntry.all.map(Self.toxic) + Self.ofProxies)
    }

    private static func toxic(_ entry: ToxicEntry) -> PanelAction {
        let fields =
            entry.attributes + [
                Parameter(
                    "stream",
                    .word(entry.streams),
                    initial: .text(entry.streams[0]),
                    "The direction: downstream is from the upstream to the client."
                ),
                Parameter(
                    "toxicity",
                    .text,
                    initial: .text("1"),
                    "The fraction of connections that are affected, 0 to 1."
                ),
                Parameter("name", .text, "The toxic's name; by default, its type and stream."),
                Parameter("only", .json, #"The connections to which it applies, such as {"path": "/ws"}."#),
            ]
        var action = PanelAction(
            id: "toxic.add.\(entry.name)",
            group: "Toxics",
            verb: entry.name,
            meaning: entry.meaning,
            fields: fields
        )
        action.choosesClient = true
        action.isCommon = common.contains(entry.name)
        action.preset = presets[entry.name] ?? [:]
        return action
    }

    private static let ofProxies: [PanelAction] = [
        action(
            "toxic.remove",
            "remove toxic",
            "Removes a toxic.",
            [
                Parameter("toxic", .text, required: true, "The toxic's name.")
            ]
        ),
        action("proxy.disable", "disable", "The proxy stops listening and ends its connections."),
        action("proxy.enable", "enable", "The proxy listens again."),
        action("proxy.delete", "delete", "Removes the proxy."),
        action(
            "proxy.create",
            "create",
            "Adds a proxy.",
            [
                Parameter("name", .text, required: true, "The proxy's name."),
                Parameter("upstream", .text, required: true, "The host and port that it connects to."),
                Parameter(
                    "listen",
                    .text,
                    "The address and port that it listens on; default: a free port of 127.0.0.1."
                ),
            ],
            preset: ["name": "chat", "upstream": "127.0.0.1:8080"],
            ofProxy: false
        ),
        action("proxy.reset", "reset all", "Enables every proxy and removes every toxic.", ofProxy: false),
    ]

    private static func action(
        _ id: String,
        _ title: String,
        _ meaning: String,
        _ fields: [Parameter] = [],
        preset: [String: String] = [:],
        ofProxy: Bool = true
    ) -> PanelAction {
        var action = PanelAction(id: id, group: "Proxies", verb: title, meaning: meaning, fields: fields)
        action.preset = preset
        action.choosesClient = ofProxy ? true : nil
        action.isCommon = true
        action.keyPrefix = "p"
        return action
    }

    /// Returns the API request for a submitted form.
    func call(for form: PanelForm) -> Call {
        let proxy = "/proxies/\(Self.escaped(form.client ?? ""))"
        switch form.action.id {
        case "toxic.remove":
            return Call(method: "DELETE", path: "\(proxy)/toxics/\(Self.escaped(form.fields["toxic"] ?? ""))")
        case "proxy.disable": return Call(method: "PATCH", path: proxy, body: ["enabled": false])
        case "proxy.enable": return Call(method: "PATCH", path: proxy, body: ["enabled": true])
        case "proxy.delete": return Call(method: "DELETE", path: proxy)
        case "proxy.reset": return Call(method: "POST", path: "/reset")
        case "proxy.create":
            let body: JSON = [
                "name": .string(form.fields["name"] ?? ""), "listen": .string(form.fields["listen"] ?? "127.0.0.1:0"),
                "upstream": .string(form.fields["upstream"] ?? ""),
            ]
            return Call(method: "POST", path: "/proxies", body: body)
        default: return Call(method: "POST", path: "\(proxy)/toxics", body: Self.toxic(form))
        }
    }

    /// Returns the request body that adds a toxic.
    ///
    /// A value that is not valid for its field is passed on unchanged, so that the API reports the error.
    private static func toxic(_ form: PanelForm) -> JSON {
        var body: JSON = ["type": .string(String(form.action.id.dropFirst("toxic.add.".count)))]
        var attributes: JSON = [:]
        for field in form.action.fields {
            guard let text = form.fields[field.name] else { continue }
            switch field.name {
            case "name", "stream": body.set(field.name, to: .string(text))
            case "toxicity", "only": body.set(field.name, to: (try? JSON.decode(text)) ?? .string(text))
            default:
                let number = if case .integer = field.kind { Int64(text) } else { Int64?.none }
                attributes.set(field.name, to: number.map { .integer($0) } ?? .string(text))
            }
        }
        if attributes.members?.isEmpty == false { body.set("attributes", to: attributes) }
        return body
    }

    /// Percent-encodes a path component (RFC 3986 section 2.1).
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(character) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
