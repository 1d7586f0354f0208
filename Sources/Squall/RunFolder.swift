package import ScenarioModel
import SquallCore

/// Derives the name of the report subfolder in which a run's trace is stored.
package enum RunFolder {
    /// The maximum length in bytes of a path component or a case name. Two such names, two digests, a seed and a world
    /// together do not exceed 255 bytes, the limit of most file systems.
    private static let longest = 90

    /// Returns the folder's name, such as `sending/dropped-between-send-and-confirm.seed1.sim`. It includes the case
    /// name if there is one.
    ///
    /// The name is unique within a suite: if a path or a case name had to be changed for the file system, a digest of
    /// the original is appended.
    package static func name(of run: CaseResult) -> String {
        var name = file(run.file)
        if let variant = run.variant { name += ".\(plain(variant))" }
        return "\(name).seed\(run.seed.value).\(run.world.rawValue)"
    }

    /// Returns whether a path in a report denotes a run's folder.
    static func isName(_ path: String) -> Bool {
        let parts = path.split(separator: ".").suffix(2)
        guard parts.count == 2, let seed = parts.first, let world = parts.last else { return false }
        return World(rawValue: String(world)) != nil && seed.hasPrefix("seed") && UInt64(seed.dropFirst(4)) != nil
    }

    private static func file(_ path: String) -> String {
        var whole = path[...]
        while whole.hasPrefix("./") { whole = whole.dropFirst(2) }
        let stem = whole.hasSuffix(".yaml") ? whole.dropLast(5) : whole
        let parts = stem.split(separator: "/", omittingEmptySubsequences: false)
        let inside = parts.filter { !$0.isEmpty && $0 != ".." && $0 != "." }.map(shortened)
        let name = inside.joined(separator: "/")
        // A dot in the file name would be mistaken for the separator before the case name, so such a name gets a
        // digest.
        let isAsItWas = name == stem && stem != whole && !(parts.last ?? "").contains(".")
        return isAsItWas ? name : "\(name)-\(digest(of: String(whole)))"
    }

    /// Converts a case name for use as a file name. A digest is also appended to a name with upper-case letters,
    /// because some file systems ignore case.
    private static func plain(_ text: String) -> String {
        let kept = shortened(text)
        return kept == text && !text.isEmpty && text.allSatisfy(isPlain) ? text : "\(kept)-\(digest(of: text))"
    }

    /// Replaces all characters except letters, digits, `-`, `_` and `.` with `-`, and truncates the text to about
    /// ``longest`` bytes.
    private static func shortened(_ text: some StringProtocol) -> String {
        var kept = ""
        for character in text {
            let isKept =
                isPlain(character) || character.unicodeScalars.count == 1 && (character.isLetter || character.isNumber)
            kept.append(isKept ? character : "-")
            if kept.utf8.count >= longest { break }
        }
        return kept
    }

    private static func isPlain(_ character: Character) -> Bool {
        switch character {
        case "a"..."z", "0"..."9", "-", "_", ".": character.isASCII
        default: false
        }
    }

    /// Returns a digest of a text as eight hexadecimal digits.
    private static func digest(of text: String) -> String {
        var hash = FNV1a()
        for byte in text.utf8 { hash.combine(byte) }
        let digits = String((hash.value ^ (hash.value >> 32)) & 0xFFFF_FFFF, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
