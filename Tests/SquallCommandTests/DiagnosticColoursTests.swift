import Foundation
import TestSupport
import Testing

@testable import SquallCommand

@Suite struct DiagnosticColoursTests {
    private static let text = """
        a.yaml:5:13: error: unknown user action 'opn'
         5 |   - user: { opn: stukov }
           |             ^^^
           = help: did you mean 'open'?

        2 mistakes
        """

    @Test("Colouring diagnostics adds escape sequences without changing their text")
    func partsHaveColours() {
        let coloured = DiagnosticColours.coloured(Self.text)
        #expect(coloured.contains("\u{1B}[1ma.yaml:5:13\u{1B}[0m: \u{1B}[31merror\u{1B}[0m: "))
        #expect(coloured.contains("   |\u{1B}[31m             ^^^\u{1B}[0m\n"))
        #expect(coloured.contains("\u{1B}[36m   = help: did you mean 'open'?\u{1B}[0m\n"))
        #expect(coloured.replacing(/\u{1B}\[[0-9]+m/, with: "") == Self.text)
    }

    @Test("FORCE_COLOR enables colours on a pipe, and NO_COLOR takes precedence", .ownThread)
    func theEnvironmentDecides() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write("squall: 1\nname: x\nscript:\n  - user: { opn: stukov }\n", to: "bad.yaml")
        for (environment, isColoured) in [
            (["FORCE_COLOR": "1"], true), (["FORCE_COLOR": "0"], false), ([:], false),
            (["FORCE_COLOR": "1", "NO_COLOR": "1"], false),
        ] {
            // `swift test` itself sets NO_COLOR; an empty variable counts as unset.
            let all = ["NO_COLOR": ""].merging(environment) { $1 }
            let ending = try Command(["check", file], environment: all).ending()
            #expect(ending.status == 65)
            #expect(ending.errors.contains("\u{1B}[31merror") == isColoured, "\(environment): \(ending.errors)")
        }
    }
}
