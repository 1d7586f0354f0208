import ScenarioModel
import SquallCore
import Trace

/// Builds the command that replays a run.
enum ReplayCommand {
    static func of(_ run: CaseResult, command: String) -> String {
        if let replay = run.replay { return replay }
        var words = [
            command, ShellWord.quoted(run.file), "--world", run.world.rawValue, "--seed", String(run.seed.value),
        ]
        if let variant = run.variant { words += ["--case", ShellWord.quoted(variant)] }
        if run.isProfileForced { words += ["--profile", ShellWord.quoted(run.profile)] }
        words += run.clientOptions.map(ShellWord.quoted)
        for defect in run.recording.header.defects { words += ["--defect", ShellWord.quoted(defect)] }
        return words.joined(separator: " ")
    }
}
