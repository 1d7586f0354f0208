package import ScenarioModel
import SquallCore

/// The folder of a report in which one run's trace lies.
package enum RunFolder {
    /// Bytes of a path's part or a case's name: twice this, two digests, a seed and a world are below the 255 that a file
    /// system takes.
    private static let longest = 90

    /// `sending/dropped-between-send-and-confirm.seed1.sim`, with the case's name where there are several.
    ///
    /// No two runs of a suite share one: a path or a case that cannot be a folder's name as it is has a digest of it behind
    /// what remains of it.
    package static func name(of run: CaseResult) -> String {
        var name = file(run.file)
        if let variant = run.variant { name += ".\(plain(variant))" }
        return "\(name).seed\(run.seed.value).\(run.world.rawValue)"
    }

    private static func file(_ path: String) -> String {
        var whole = path[...]
        while whole.hasPrefix("./") { whole = whole.dropFirst(2) }
        let stem = whole.hasSuffix(".yaml") ? whole.dropLast(5) : whole
        let parts = stem.split(separator: "/", omittingEmptySubsequences: false)
        let inside = parts.filter { !$0.isEmpty && $0 != ".." && $0 != "." }.map(shortened)
        let name = inside.joined(separator: "/")
        // A dot is what the case's name is behind.
        let isAsItWas = name == stem && stem != whole && !(parts.last ?? "").contains(".")
        return isAsItWas ? name : "\(name)-\(digest(of: String(whole)))"
    }

    /// Upper case is a change, too: there are file systems that do not tell it from lower.
    private static func plain(_ text: String) -> String {
        let kept = shortened(text)
        return kept == text && !text.isEmpty && text.allSatisfy(isPlain) ? text : "\(kept)-\(digest(of: text))"
    }

    /// What of a text a file system takes in a name.
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

    /// Eight hexadecimal digits.
    private static func digest(of text: String) -> String {
        var hash = FNV1a()
        for byte in text.utf8 { hash.combine(byte) }
        let digits = String((hash.value ^ (hash.value >> 32)) & 0xFFFF_FFFF, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
