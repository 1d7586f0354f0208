import Foundation
import TestSupport
import Testing

/// The typed methods and names of the library are generated from the registry.
///
/// With `RECORD=1` in the environment, the files are written first.
@Suite("The generated part of SquallTesting")
struct GeneratedSurfaceTests {
    @Test("Each generated source file matches the registry", arguments: SurfaceWriter.files.map(\.path))
    func isCurrent(_ path: String) throws {
        let text = try #require(SurfaceWriter.files.first { $0.path == path }?.text)
        let file = Tool.package.appendingPathComponent("Sources/SquallTesting").appendingPathComponent(path)
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let written = try String(contentsOf: file, encoding: .utf8)
        #expect(written == text, "run the tests with RECORD=1")
    }
}
