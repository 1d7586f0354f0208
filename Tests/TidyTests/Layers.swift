import Foundation
import TestSupport

/// The modules of Package.swift with their layers, and the rules that follow from the layers.
struct Layers {
    struct Module {
        var layer: Int
        /// The modules in this package that the module depends on.
        var uses: [String]
    }

    let modules: [String: Module]
    /// The layer of each module, in the order in which Package.swift lists the modules.
    let order: [Int]

    /// Parses the calls to `module(…)` in the text of a Package.swift.
    init(manifest: String) throws {
        let call = try Regex(#"module\(\s*"(\w+)",\s*layer: (\d+)(?:,\s*uses: \[([^\]]*)\])?"#)
        var (modules, order): ([String: Module], [Int]) = ([:], [])
        for match in manifest.matches(of: call) {
            guard let name = match.output[1].substring, let layer = match.output[2].substring.flatMap({ Int($0) })
            else { continue }
            let uses = (match.output[3].substring ?? "").split(separator: ",").compactMap { item -> String? in
                let item = item.trimmingCharacters(in: .whitespacesAndNewlines)
                return item.hasPrefix("\"") ? item.trimmingCharacters(in: ["\""]) : nil
            }
            modules[String(name)] = Module(layer: layer, uses: uses)
            order.append(layer)
        }
        (self.modules, self.order) = (modules, order)
    }

    init() throws {
        let manifest = Tool.package.appendingPathComponent("Package.swift")
        try self.init(manifest: String(contentsOf: manifest, encoding: .utf8))
    }

    /// The dependencies in Package.swift that do not point to a lower layer.
    var wrongDependencies: [String] {
        modules.sorted { $0.key < $1.key }.flatMap { name, module in
            module.uses.compactMap { used in
                guard let other = modules[used], other.layer >= module.layer else { return nil }
                return "\(name) (layer \(module.layer)) uses \(used) (layer \(other.layer))"
            }
        }
    }

    /// Returns imports of modules that are not in a lower layer or are not listed in Package.swift.
    func wrongImports(in file: SourceFile) -> [String] {
        guard let module = modules[file.target] else { return [] }
        return file.imports.compactMap { line, used in
            guard let other = modules[used] else { return nil }
            if other.layer >= module.layer { return "\(file.path):\(line): imports \(used), which is not below" }
            if !module.uses.contains(used) { return "\(file.path):\(line): Package.swift does not list \(used)" }
            return nil
        }
    }

    /// Returns the places where pure modules use a clock, randomness or I/O.
    func impurities(in file: SourceFile) -> [String] {
        guard isPure(file.target) else { return [] }
        let imports = file.imports.filter { Self.impureModules.contains($0.module) }
            .filter { file.target != Self.yamlReader || $0.module != "Foundation" }
            .map { "\(file.path):\($0.line): imports \($0.module)" }
        let words = file.lines.flatMap { line in
            Self.impureWords.filter { Self.contains($0, in: line.code) }.map {
                "\(file.path):\(line.number): uses \($0)"
            }
        }
        return imports + words
    }

    /// Returns whether a module must be pure: the simulation and everything below the worlds, except sockets and TLS.
    private func isPure(_ target: String) -> Bool {
        guard let module = modules[target], let worlds = modules["Live"]?.layer else { return false }
        return (module.layer < worlds || target == "Simulation") && !Self.transports.contains(target)
    }

    private static let transports: Set<String> = ["TLSLink", "Sockets", "Processes"]

    /// The only pure module that may import Foundation, because Yams returns text as Foundation types.
    private static let yamlReader = "ScenarioLanguage"

    /// Modules that provide a clock, randomness, threads or I/O.
    private static let impureModules: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Dispatch", "NIOCore", "NIOPosix", "NIOHTTP1",
        "NIOFoundationCompat", "GRDB", "CLibcurl", "CLibpcap", "CPolling", "CNamespaces",
    ]

    /// Expressions that use a clock, randomness or another thread without an import.
    private static let impureWords = [
        "SystemRandomNumberGenerator", "ContinuousClock", "SuspendingClock", "Date()", "UUID()", "Task {", "Task.",
        "async ", ".randomElement()", ".shuffled()", ".random(in", "Bool.random(", "print(", "readLine(", "CommandLine",
        ".continuous",
    ]

    /// Returns whether the code contains the word, ignoring matches at the end of a longer identifier.
    private static func contains(_ word: String, in code: String) -> Bool {
        code.ranges(of: word).contains { range in
            guard range.lowerBound > code.startIndex, word.first?.isLetter == true else { return true }
            let before = code[code.index(before: range.lowerBound)]
            return !before.isLetter && !before.isNumber && before != "_"
        }
    }
}
