package import Exploration
import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
package import Trace

/// Writes scenarios that Squall creates, such as recordings, to the user's files.
package enum RecordedFile {
    /// Checks that a new scenario file can be written, before the work whose result it will hold.
    ///
    /// - Throws: ``SquallError`` if the name is not a scenario's, the file exists, or its folder cannot be written.
    package static func check(_ path: String) throws(SquallError) {
        guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
            throw .usage("'\(path)': the name of a scenario file ends in .yaml")
        }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw .usage("'\(path)' exists and is not overwritten; choose another name")
        }
        try ReportFolder.check(path)
    }

    /// Converts what was done and observed in a run to a scenario, and writes it.
    ///
    /// - Parameters:
    ///   - head: The profile, the clients and the settings of the run.
    ///   - origin: The command that made the recording: `squall serve`.
    /// - Returns: A sentence for the user that says what was written.
    /// - Throws: ``SquallError`` if there is nothing to record, or the file cannot be written; `CancellationError`.
    package static func write(
        _ recording: Recording,
        head: Draft,
        origin: String,
        to path: String
    ) async throws -> String {
        try check(path)
        let outcome = try await scenario(of: recording, head: head, origin: origin, file: path)
        // Playing takes seconds, in which another program may have created the file.
        try check(path)
        try WholeFile.write(outcome.text, to: path)
        return outcome.summary(path)
    }

    /// Converts what was done and observed in a run to a scenario, for a file with this path.
    package static func scenario(
        of recording: Recording,
        head: Draft,
        origin: String,
        file: String
    ) async throws -> SessionRecorder.Outcome {
        var head = head
        head.profile = profile(head.profile, for: file)
        var recorder = try SessionRecorder(recording, head: head, origin: origin, file: file)
        return try await recorder.record()
    }

    /// The name of a profile as a file writes it: a path is relative to the file's folder.
    private static func profile(_ name: String, for file: String) -> String {
        guard ProfileFiles.isPath(name) else { return name }
        func parts(_ path: String) -> [String] {
            URL(fileURLWithPath: path).standardized.pathComponents
        }
        let (profile, folder) = (parts(name), parts(file).dropLast())
        let shared = zip(profile, folder).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folder.count - shared)
        let path = (up + profile.dropFirst(shared)).joined(separator: "/")
        return up.isEmpty ? "./\(path)" : path
    }
}

extension SessionRecorder.Outcome {
    /// What was written to a file, for the user.
    package func summary(_ path: String) -> String {
        let steps = "\(actions) step\(actions == 1 ? "" : "s")"
        var lines = ["\(path): \(steps), \(expectations) expectation\(expectations == 1 ? "" : "s")"]
        if !leftOut.isEmpty { lines.append("left out, as the file says: \(leftOut.count)") }
        if let flaw {
            lines.append("played with Squall's own client it does not pass: \(flaw)")
        } else {
            lines.append("play it with: squall run \(ShellWord.quoted(path))")
        }
        return lines.joined(separator: "\n")
    }
}

extension TraceFiles {
    /// Makes a scenario of a saved trace and writes it to a file; returns what was written.
    ///
    /// Settings and groups of clients are read from the scenario that the trace names, if its file is still there.
    ///
    /// - Throws: ``SquallError`` if a file cannot be read or written, or the trace has no actions; `CancellationError`.
    package static func record(_ file: String, to path: String) async throws -> String {
        let recording = try read(file)
        guard !recording.actions.isEmpty || recording.header.client != nil else {
            throw SquallError.usage(
                "'\(file)' has no actions: nothing was done in its run, or an older squall saved it"
            )
        }
        return try await RecordedFile.write(recording, head: head(of: recording), origin: file, to: path)
    }

    private static func head(of recording: Recording) -> Draft {
        let header = recording.header
        var head = Draft(profile: header.profile, ending: .none)
        if let data = FileManager.default.contents(atPath: header.scenario),
            let text = String(bytes: data, encoding: .utf8),
            let draft = ScenarioReader.draft(SourceText(file: header.scenario, text: text), variant: header.variant)
        {
            head = draft
            head.profile = header.profile
            return head
        }
        var clients: [ClientID] = []
        for client in recording.events.compactMap(\.client) where !clients.contains(client) { clients.append(client) }
        if !clients.isEmpty { head.clients = clients }
        return head
    }
}
