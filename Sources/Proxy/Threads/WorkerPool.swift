/// The threads that relay connections: the accepting thread and its workers.
///
/// Confined to the accepting thread.
final class WorkerPool {
    let workers: [WorkerThread]
    /// The number of connections that the accepting thread relays.
    let localLoad = Load()
    private var proxies = 0

    init(_ workers: [WorkerThread] = []) {
        self.workers = workers
    }

    /// Returns the id that the worker threads use for a new proxy.
    func nextNumber() -> Int {
        proxies += 1
        return proxies
    }

    /// Chooses the least loaded thread and adds one connection to its count. The accepting thread wins ties.
    ///
    /// Returns 0 for the accepting thread, otherwise the worker's position, counted from 1.
    func leastLoaded() -> Int {
        var (least, index) = (localLoad.count, 0)
        for (number, worker) in workers.enumerated() where worker.load.count < least {
            (least, index) = (worker.load.count, number + 1)
        }
        (index == 0 ? localLoad : workers[index - 1].load).add()
        return index
    }
}
