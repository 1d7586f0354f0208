import Foundation
import SquallCore
import Testing

@Suite("Words quoted for a shell")
struct ShellWordTests {
    /// Returns what a shell makes of a word.
    private static func read(_ word: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "printf %s \(word)"]
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "a shell reads the word that was quoted",
        arguments: [
            "plain", "a b.yaml", "it's", "*?[a] #;&|<>(){}~!", "$HOME `x` \\ \"y\"", "a\nb", "\u{1}2 'c' \\n \t\u{7F}",
            "ü\r\n",
        ]
    )
    func roundTrip(word: String) throws {
        let quoted = ShellWord.quoted(word)
        #expect(try Self.read(quoted) == word, "\(quoted)")
        #expect(!quoted.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }

    @Test("a plain word is not quoted; an empty one is")
    func plain() {
        #expect(ShellWord.quoted("Scenarios/a-b_c.yaml") == "Scenarios/a-b_c.yaml")
        #expect(ShellWord.quoted("") == "''")
        #expect(ShellWord.quoted("a b") == "'a b'")
    }
}
