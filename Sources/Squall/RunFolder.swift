package import ScenarioModel
import SquallCore

/// Names the folder of a report that holds one run's trace.
package enum RunFolder {
    /// The largest number of bytes of a path's part or a case's name. Twice this, two digests, a seed and a world stay
    /// below the 255 bytes that file systems allow.
    private static let longest = 90

    /// The folder's name, such as `sending/dropped-between-send-and-confirm.seed1.sim`, with the case's name if it has
    /// one.
    ///
    /// The name is unique within a suite: where a path or a case name had to be changed for the file system, a digest
    /// of the original follows.
    package static func name(of run: CaseResult) -> String {
        var name = file(run.file)
        if let variant = run.variant { name += ".\(plain(variant))" }
        return "\(name).seed\(run.seed.value).\(run.world.rawValue)"
    }

    /// Whether a path within a report is that of a run's folder.
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
        // A dot in the file name would be mistaken for the separator before the case name.
        let isAsItWas = name == stem && stem != whole && !(parts.last ?? "").contains(".")
        return isAsItWas ? name : "\(name)-\(digest(of: String(whole)))"
    }

    /// A case name for the file system; upper case gets a digest, too, since some file systems ignore case.
    private static func plain(_ text: String) -> String {
        let kept = shortened(text)
        return kept == text && !text.isEmpty && text.allSatisfy(isPlain) ? text : "\(kept)-\(digest(of: text))"
    }

    /// Replaces all but letters, digits, `-`, `_` and `.` by `-` and cuts the text at ``longest`` bytes.
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

    /// A digest of a text in eight hexadecimal digits.
    private static func digest(of text: String) -> String {
        var hash = FNV1a()
        for byte in text.utf8 { hash.combine(byte) }
        let digits = String((hash.value ^ (hash.value >> 32)) & 0xFFFF_FFFF, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
