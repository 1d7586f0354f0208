/// Work that needs nothing but a core.
enum Parallel {
    /// Does `count` pieces of work, at most `jobs` at once, and gives their results in order.
    static func map<Output: Sendable>(
        _ count: Int,
        jobs: Int,
        _ work: @escaping @Sendable (Int) -> Output
    ) async -> [Output] {
        await withTaskGroup(of: (Int, Output).self) { group in
            var results = [Output?](repeating: nil, count: count)
            var next = 0
            while next < min(jobs, count) {
                let index = next
                group.addTask { (index, work(index)) }
                next += 1
            }
            for await (index, output) in group {
                results[index] = output
                guard next < count else { continue }
                let following = next
                group.addTask { (following, work(following)) }
                next += 1
            }
            return results.compactMap(\.self)
        }
    }
}
