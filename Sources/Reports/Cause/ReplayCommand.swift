import ScenarioModel
import SquallCore
import Trace

/// Makes the command that replays a run.
enum ReplayCommand {
    static func of(_ run: CaseResult, command: String) -> String {
        if let replay = run.replay { return replay }
        var words = [command, quoted(run.file), "--world", run.world.rawValue, "--seed", String(run.seed.value)]
        if let variant = run.variant { words += ["--case", quoted(variant)] }
        if run.isProfileForced { words += ["--profile", quoted(run.profile)] }
        words += run.clientOptions.map(quoted)
        for defect in run.recording.header.defects { words += ["--defect", quoted(defect)] }
        return words.joined(separator: " ")
    }

    /// Quotes a word for the shell, when necessary.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_-./,:@%+=".utf8.contains(byte)
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
