package import SquallCore

/// Replaces secrets with placeholders, such as `secret:key-1` and `secret:key-2`. Each secret has its own placeholder.
package struct Redactor: Hashable, Sendable {
    /// The minimum length, in bytes, at which a secret is replaced even inside a longer string.
    ///
    /// A shorter secret is replaced only if it is the entire string, because it might also occur inside ordinary words.
    package static let shortestPart = 6

    private struct Secret: Hashable, Sendable {
        var bytes: [UInt8]
        var placeholder: [UInt8]
    }

    /// The secrets, longest first, so that a secret containing another one is replaced as a whole.
    private var secrets: [Secret] = []
    private var counts: [String: Int] = [:]

    package init() {}

    package var isEmpty: Bool { secrets.isEmpty }

    /// Adds a secret. Its placeholder contains the next number for secrets of its kind, such as `secret:key-1` for the
    /// first secret of kind `key`.
    package mutating func conceal(_ secret: String, as kind: String) {
        let bytes = Array(secret.utf8)
        guard !bytes.isEmpty, !secrets.contains(where: { $0.bytes == bytes }) else { return }
        let number = (counts[kind] ?? 0) + 1
        counts[kind] = number
        let place = secrets.firstIndex { $0.bytes.count < bytes.count } ?? secrets.endIndex
        secrets.insert(Secret(bytes: bytes, placeholder: Array("secret:\(kind)-\(number)".utf8)), at: place)
    }

    /// Replaces the secrets in a string.
    package func redact(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count {
            guard let secret = secrets.first(where: { hides($0, bytes, at: index) }) else {
                index += 1
                continue
            }
            output += bytes[copied..<index]
            output += secret.placeholder
            index += secret.bytes.count
            copied = index
        }
        guard copied > 0 else { return text }
        return String(decoding: output + bytes[copied...], as: UTF8.self)
    }

    private func hides(_ secret: Secret, _ bytes: [UInt8], at index: Int) -> Bool {
        guard bytes[index] == secret.bytes[0], bytes.count - index >= secret.bytes.count else { return false }
        guard secret.bytes.count >= Redactor.shortestPart || bytes.count == secret.bytes.count else { return false }
        return bytes[index..<index + secret.bytes.count].elementsEqual(secret.bytes)
    }

    /// Replaces the secrets in all strings of a JSON value. Member names are not changed, because they are part of the
    /// protocol.
    package func redact(_ value: JSON) -> JSON {
        switch value {
        case .null, .bool, .integer, .number: value
        case .string(let text): .string(redact(text))
        case .array(let items): .array(items.map(redact))
        case .object(let members): .object(members.map { JSONMember($0.name, redact($0.value)) })
        }
    }

    /// Replaces the secrets in an observation's key and change.
    package func redact(_ observation: Observation) -> Observation {
        var observation = observation
        observation.key = observation.key.map(redact)
        observation.change =
            switch observation.change {
            case .happened(let fields): .happened(redact(fields))
            case .set(let value): .set(redact(value))
            case .inserted(let index, let item): .inserted(at: index, redact(item))
            case .removed(let index): .removed(at: index)
            case .replaced(let index, let item): .replaced(at: index, redact(item))
            }
        return observation
    }

    /// Redacts a recording whose secrets became known only after it was made.
    package func redact(_ recording: Recording) -> Recording {
        var recording = recording
        guard !isEmpty else { return recording }
        for index in recording.events.indices {
            recording.events[index].observation = redact(recording.events[index].observation)
        }
        return recording
    }
}
