/// The sources with all selected mutants planted in them; at run time, a number chooses the active mutant.
public struct Schemata: Sendable {
    /// The planted mutants, keyed by number.
    public var mutants: [Int: Mutant] { planted.mapValues(\.mutant) }
    private var planted: [Int: Candidate] = [:]
    /// The mutated sources, keyed by path.
    public private(set) var sources: [String: String] = [:]

    /// Selects mutants at random and plants them.
    ///
    /// - Parameters:
    ///   - sources: The original sources, keyed by path.
    ///   - count: The maximum number of mutants.
    ///   - seed: The seed for the random selection.
    ///   - heldOut: The maximum number of additional mutants, selected from the remaining ones. Their numbers follow
    ///     `count`.
    public init(_ sources: [String: String], count: Int, seed: UInt64, heldOut: Int = 0) {
        var candidates = Self.candidates(in: sources)
        // The sort key depends only on the mutant and the seed, so removing one mutant does not change which others are
        // selected.
        candidates.sort { Self.isBefore($0, $1, seed: seed) }
        for (place, candidate) in candidates.prefix(count).enumerated() { planted[place + 1] = candidate }
        let rest = candidates.dropFirst(count).sorted { Self.isBefore($0, $1, seed: ~seed) }
        for (place, candidate) in rest.prefix(heldOut).enumerated() { planted[count + place + 1] = candidate }
        plant(in: sources)
    }

    private static func isBefore(_ one: Candidate, _ two: Candidate, seed: UInt64) -> Bool {
        (hash(one.mutant.id, seed), one.mutant.id) < (hash(two.mutant.id, seed), two.mutant.id)
    }

    /// Returns a copy without the mutants in `numbers`. The remaining mutants keep their numbers.
    public func without(_ numbers: Set<Int>, sources: [String: String]) -> Schemata {
        var rest = self
        for number in numbers { rest.planted[number] = nil }
        rest.plant(in: sources)
        return rest
    }

    private mutating func plant(in originals: [String: String]) {
        var edits: [String: [Edit]] = [:]
        for (number, candidate) in planted.sorted(by: { $0.key < $1.key }) {
            edits[candidate.mutant.file, default: []].append(candidate.edit(number))
        }
        sources = [:]
        for (file, edits) in edits {
            sources[file] = Self.apply(edits, to: originals[file] ?? "")
        }
    }

    /// Returns the number of possible mutants in these sources.
    public static func total(in sources: [String: String]) -> Int { candidates(in: sources).count }

    /// Returns all possible mutants that can change something for a client and a server without planted defects.
    private static func candidates(in sources: [String: String]) -> [Candidate] {
        let defaults = PolicyDefaults(sources)
        return sources.keys.sorted().flatMap { file in
            Finder.candidates(in: sources[file] ?? "", file: file, defaults: defaults)
        }
    }

    /// Applies edits to a source text. An edit may be nested in another.
    static func apply(_ edits: [Edit], to source: String) -> String {
        // At the start of a range, the outer edit's text comes first; at the end of a range, the inner edit's.
        let outerFirst = edits.enumerated().sorted { one, two in
            (-(one.element.end - one.element.start), one.offset) < (-(two.element.end - two.element.start), two.offset)
        }.map(\.element)
        var opening: [Int: String] = [:]
        var closing: [Int: String] = [:]
        var replacements: [Int: (end: Int, text: String)] = [:]
        for edit in outerFirst {
            opening[edit.start, default: ""] += edit.prefix
            closing[edit.end] = edit.suffix + (closing[edit.end] ?? "")
            if let place = edit.replaced { replacements[place.lowerBound] = (place.upperBound, edit.replacement) }
        }
        let bytes = Array(source.utf8)
        var result: [UInt8] = []
        var place = 0
        while place <= bytes.count {
            result += (closing[place] ?? "").utf8
            result += (opening[place] ?? "").utf8
            if let (end, text) = replacements[place] {
                result += text.utf8
                place = end
                continue
            }
            if place < bytes.count { result.append(bytes[place]) }
            place += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The FNV-1a hash of the text and the seed, with a final mixing step.
    private static func hash(_ text: String, _ seed: UInt64) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (seed &* 0x9e37_79b9_7f4a_7c15)
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash ^= hash >> 31
        hash = hash &* 0x94d0_49bb_1331_11eb
        return hash ^ (hash >> 29)
    }
}

/// The source file with the helper functions that mutated sources call. Each mutated module has its own copy, so that
/// no module's interface changes and incremental builds recompile little.
public enum Runtime {
    public static func path(in module: String) -> String { "\(module)/Mutants.swift" }

    public static let source = """
        #if canImport(Glibc)
        import Glibc
        #else
        import Darwin
        #endif

        /// Selects the active mutant, and records which mutants' code the process has reached.
        enum Mutants {
            private static let chosen = getenv("SQUALL_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
            nonisolated(unsafe) private static let met = Met()

            static func isChosen(_ number: Int) -> Bool {
                met.note(number, isChanged: true)
                return number == chosen
            }

            /// Returns whether the mutant is chosen; `isChanged` states whether it changes the evaluated value.
            private static func isChosen(_ number: Int, isChanged: Bool) -> Bool {
                met.note(number, isChanged: isChanged)
                return number == chosen
            }

            static func negated(_ number: Int, _ value: Bool) -> Bool { isChosen(number) ? !value : value }
            static func always(_ number: Int, _ value: Bool) -> Bool {
                isChosen(number, isChanged: !value) ? true : value
            }
            static func never(_ number: Int, _ value: Bool) -> Bool {
                isChosen(number, isChanged: value) ? false : value
            }
            static func less<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {
                isChosen(number, isChanged: a == b) ? a <= b : a < b
            }
            static func lessOrEqual<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {
                isChosen(number, isChanged: a == b) ? a < b : a <= b
            }
            static func greater<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {
                isChosen(number, isChanged: a == b) ? a >= b : a > b
            }
            static func greaterOrEqual<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {
                isChosen(number, isChanged: a == b) ? a > b : a >= b
            }
            static func increased<T: BinaryInteger>(_ number: Int, _ value: T) -> T {
                isChosen(number) ? value + 1 : value
            }

            /// A byte for each mutant: bit 0 is set if its code was evaluated, bit 1 if it would have changed a value.
            private final class Met {
                let bytes: UnsafeMutablePointer<UInt8>?
                static let size = 1 << 16

                init() {
                    guard getenv("SQUALL_MUTANTS_MET") != nil else {
                        bytes = nil
                        return
                    }
                    bytes = .allocate(capacity: Self.size)
                    bytes?.initialize(repeating: 0, count: Self.size)
                    atexit { Mutants.write() }
                }

                func note(_ number: Int, isChanged: Bool) {
                    guard let bytes else { return }
                    // Concurrent threads may overwrite each other's bits, so runs that read them use one thread.
                    bytes[number] |= isChanged ? 3 : 1
                }
            }

            private static func write() {
                guard let bytes = met.bytes, let path = getenv("SQUALL_MUTANTS_MET"), let file = fopen(path, "a") else {
                    return
                }
                for number in 0..<Met.size where bytes[number] != 0 {
                    fputs("\\(number)\\(bytes[number] == 3 ? " changed" : "")\\n", file)
                }
                fclose(file)
            }
        }

        """
}
