import Faults
import Foundation
import SquallCore
import TestSupport
import Testing

@Suite("The catalogue of faults") struct FaultCatalogueTests {
    @Test("Every file in the folder Kinds is a fault of the catalogue")
    func everyFileIsListed() throws {
        let folder = Tool.package.appendingPathComponent("Sources/Faults/Kinds")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let names = files.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }
        #expect(names.sorted() == FaultCatalogue.typeNames.sorted())
    }

    private func unfit(_ verb: String, _ values: [(name: String, value: ArgumentValue)]) -> InvalidArgument? {
        do {
            _ = try Fault(verb: verb, Arguments(values))
            return nil
        } catch {
            return error
        }
    }

    @Test("An invalid argument is reported with its value and its range")
    func unfitArgument() {
        let late = unfit("latency", [("delay", .duration(.milliseconds(-1)))])
        #expect(late?.name == "delay" && late?.value == .duration(.milliseconds(-1)) && late?.range == "0s or more")
        let missing = unfit("cut", [("how", .text("fin"))])
        #expect(missing?.name == "at_byte" && missing?.value == nil)
        let word = unfit("cut", [("at_byte", .integer(1)), ("how", .text("fun"))])
        #expect(word?.name == "how" && word?.range == "one of fin, rst")
        let code = unfit("frames", [("action", .text("close")), ("code", .integer(1005))])
        #expect(code?.range == "one that a close frame may carry (RFC 6455 section 7.4)")
        #expect(
            unfit("latency", [("delay", .duration(.seconds(1))), ("toxicity", .integer(101))])?.range == "0 to 100"
        )
        #expect(unfit("flap", [("up", .duration(.zero)), ("down", .duration(.seconds(1)))])?.name == "up")
    }

    @Test("The documentation of a parameter states its default exactly once, as the fault defines it")
    func defaults() throws {
        for action in Fault.actions.filter(\.takesLabel) {
            let own = try #require(FaultCatalogue.parameters(of: action.verb))
            for parameter in own {
                #expect(!parameter.meaning.contains("default") && parameter.meaning.hasSuffix("."))
                let entry = try #require(action.parameters.first { $0.name == parameter.name })
                #expect(entry.required == parameter.isRequired)
                if parameter.isRequired { #expect(parameter.initial == nil && entry.meaning == parameter.meaning) }
            }
        }
        let cut = try #require(FaultCatalogue.parameters(of: "cut")?.first { $0.name == "how" })
        #expect(cut.entry.meaning == "How the connection is closed: with a FIN or an RST; default: fin.")
    }

    @Test("Two faults are equal if their kind and attributes are equal")
    func equality() {
        #expect(Fault(.cut(.init(atByte: 1))) == Fault(.cut(.init(atByte: 1))))
        #expect(Fault(.cut(.init(atByte: 1))) != Fault(.cut(.init(atByte: 2))))
        #expect(Fault(.refuse(.init())) != Fault(.blackhole(.init())))
        #expect(Set([Fault(.refuse(.init())), Fault(.refuse(.init())), Fault(.stall(.init()))]).count == 2)
    }
}
