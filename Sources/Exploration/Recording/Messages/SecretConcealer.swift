import ChatWire
import SquallCore

/// Replaces values that look like credentials with placeholders. A given value gets the same placeholder in every
/// message.
///
/// An object's member is recognised as a secret by its name (`token`, `password`), a word in plain text by its form (a
/// JSON Web Token).
struct SecretConcealer: Sendable {
    private var placeholders: [(secret: String, placeholder: String)] = []

    /// The number of distinct secrets found.
    var count: Int { placeholders.count }

    private static let names = [
        "token", "secret", "password", "passwd", "passphrase", "authorization", "apikey", "api_key", "accesskey",
        "access_key", "cookie", "jwt", "credential", "bearer", "signature",
    ]
    private static let wholeNames: Set = ["auth", "key", "ticket", "pin", "otp", "sig", "code_verifier"]
    /// The minimum length of a secret in bytes: a shorter value is likely to be a protocol word, as in `auth: none`.
    private static let shortest = 6

    /// Finds the secrets in a message, or in a message's member called `name`, and assigns placeholders to them.
    mutating func learn(_ value: JSON, called name: String = "") {
        switch value {
        case .string(let text):
            if Self.isSecret(name), text.utf8.count >= Self.shortest {
                add(text, as: name)
            } else {
                for word in text.split(whereSeparator: { " \"',;=&?".contains($0) }) where Self.isToken(word) {
                    add(String(word), as: "token")
                }
            }
        case .array(let elements): for element in elements { learn(element, called: name) }
        case .object(let members): for member in members { learn(member.value, called: member.name) }
        case .null, .bool, .integer, .number: break
        }
    }

    /// Finds the secrets among `name=value` pairs, such as those in a query, a fragment or a form.
    mutating func learn(itemsOf text: String) {
        for item in text.split(whereSeparator: { "?&#;,<> \"".contains($0) }) {
            let name = item.prefix { $0 != "=" }
            learn(encoded: item.dropFirst(name.count + 1), called: String(name))
        }
    }

    /// Finds the secrets in a percent-encoded value. Another message may contain the same secret without the encoding.
    mutating func learn(encoded value: Substring, called name: String) {
        learn(.string(String(value)), called: name)
        if value.contains("%"), let plain = PercentCoding.decode(value.utf8, in: .query) {
            learn(.string(plain), called: name)
        }
    }

    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return wholeNames.contains(name) || names.contains { name.contains($0) }
    }

    /// Returns whether a word is a JSON Web Token (RFC 7519): the Base64 of its header starts with `eyJ`, which decodes
    /// to `{"`.
    static func isToken(_ word: Substring) -> Bool {
        word.hasPrefix("eyJ") && word.utf8.count >= 20 && word.contains(".")
    }

    private mutating func add(_ secret: String, as name: String) {
        guard !placeholders.contains(where: { $0.secret == secret }) else { return }
        let kind = String(name.lowercased().filter { $0.isLetter && $0.isASCII })
        let prefix = "secret:\(kind.isEmpty ? "value" : kind)-"
        let number = placeholders.count { $0.placeholder.hasPrefix(prefix) } + 1
        placeholders.append((secret, "\(prefix)\(number)"))
        // Longer secrets come first, because they may contain shorter ones.
        placeholders.sort { $0.secret.utf8.count > $1.secret.utf8.count }
    }

    /// Returns the message with placeholders in place of the secrets.
    func conceal(_ value: JSON) -> JSON {
        guard !placeholders.isEmpty else { return value }
        switch value {
        case .string(var text):
            for (secret, placeholder) in placeholders { text = text.replacing(secret, with: placeholder) }
            return .string(text)
        case .array(let elements): return .array(elements.map(conceal))
        case .object(let members): return .object(members.map { JSONMember($0.name, conceal($0.value)) })
        case .null, .bool, .integer, .number: return value
        }
    }
}
