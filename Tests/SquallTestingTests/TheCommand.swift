import Foundation
import TestSupport

/// Runs the `squall` executable that was built along with the tests.
enum TheCommand {
    static func prints(_ file: String, defect: String) async throws -> String {
        let squall = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("squall").path
        return Tool.run([
            "sh", "-c", "cd \"$0\" && exec \"$@\"", Tool.package.path, squall, "run", file, "--world", "sim",
            "--defect",
            defect,
        ]).output
    }
}
