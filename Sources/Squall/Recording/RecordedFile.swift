package import Exploration
import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
package import Trace

/// Writes scenarios that Squall generates, such as recordings, to new files.
package enum RecordedFile {
    /// Checks that a scenario file can be created, before any work is spent on its contents.
    ///
    /// - Throws: ``SquallError`` if the file name does not end in `.yaml` or `.yml`, or if the file already exists or
    ///   cannot be written.
    package static func check(_ path: String) throws(SquallError) {
        guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
            throw .usage("'\(path)': the name of a scenario file ends in .yaml")
        }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw .usage("'\(path)' exists and is not overwritten; choose another name")
        }
        try ReportFolder.check(path)
    }

    /// Converts the actions and events of a run to a scenario, and writes it to a file.
    ///
    /// - Parameters:
    ///   - head: A draft scenario with the profile, the clients and the settings of the run.
    ///   - origin: The command that made the recording, such as `squall serve`.
    ///   - isAtEnd: Whether the session is over, so that a refusal would lose it. If the file exists, the scenario is
    ///     then written to another one beside it, such as `monday-2.yaml` for `monday.yaml`.
    /// - Returns: A sentence for the user that summarises the file.
    /// - Throws: ``SquallError`` if there is nothing to record or the file cannot be written; `CancellationError` if
    ///   the task is cancelled.
    package static func write(
        _ recording: Recording,
        head: Draft,
        origin: String,
        to path: String,
        isAtEnd: Bool = false
    ) async throws -> String {
        if !isAtEnd { try check(path) }
        let outcome = try await scenario(of: recording, head: head, origin: origin, file: path)
        // Running the scenario takes seconds, during which another program may have created the file.
        let free = isAtEnd ? firstFree(path) : path
        try check(free)
        try WholeFile.write(outcome.text, to: free)
        let note = free == path ? "" : "'\(path)' exists by now and is not overwritten\n"
        return note + outcome.summary(free)
    }

    /// Returns the path, or the first path with a number before the extension that does not exist.
    private static func firstFree(_ path: String) -> String {
        guard FileManager.default.fileExists(atPath: path), let dot = path.lastIndex(of: ".") else { return path }
        var number = 2
        var numbered: String { "\(path[..<dot])-\(number)\(path[dot...])" }
        while FileManager.default.fileExists(atPath: numbered) { number += 1 }
        return numbered
    }

    /// Converts the actions and events of a run to a scenario for the file at this path.
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

    /// Returns a profile's name as it must appear in the file: a path is made relative to the file's folder.
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
    /// Describes the file that was written, for the user.
    package func summary(_ path: String) -> String {
        let steps = "\(actions) step\(actions == 1 ? "" : "s")"
        var lines = ["\(path): \(steps), \(expectations) expectation\(expectations == 1 ? "" : "s")"]
        if !leftOut.isEmpty { lines.append("left out, as the file says: \(leftOut.count)") }
        if let mistake {
            lines.append("the file has a mistake, so it was not played; correct it by hand: \(mistake)")
        } else if let failure {
            lines.append("played with Squall's own client it does not pass: \(failure)")
        } else {
            lines.append("play it with: squall run \(ShellWord.quoted(path))")
        }
        return lines.joined(separator: "\n")
    }
}

extension TraceFiles {
    /// Converts a saved trace to a scenario and writes it to a file; returns a description of the file.
    ///
    /// Settings and client groups are read from the scenario file that the trace names, if it still exists.
    ///
    /// - Throws: ``SquallError`` if a file cannot be read or written, or if the trace has no actions;
    ///   `CancellationError` if the task is cancelled.
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
