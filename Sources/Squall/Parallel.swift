/// Calls a closure concurrently for each number in a range.
enum Parallel {
    /// Calls `work` with the numbers from 0 to `count` - 1, with at most `jobs` concurrent calls; returns the results
    /// in numerical order.
    static func map<Output: Sendable>(
        _ count: Int,
        jobs: Int,
        _ work: @escaping @Sendable (Int) async -> Output
    ) async -> [Output] {
        await withTaskGroup(of: (Int, Output).self) { group in
            var results = [Output?](repeating: nil, count: count)
            var next = 0
            while next < min(jobs, count) {
                let index = next
                group.addTask { (index, await work(index)) }
                next += 1
            }
            for await (index, output) in group {
                results[index] = output
                guard next < count else { continue }
                let following = next
                group.addTask { (following, await work(following)) }
                next += 1
            }
            return results.compactMap(\.self)
        }
    }
}
