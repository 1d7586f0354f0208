/// All threads that carry connections: the one that accepts them, and its workers.
///
/// Confined to the thread that accepts.
final class WorkerPool {
    let workers: [WorkerThread]
    let localLoad = Load()
    private var proxies = 0

    init(_ workers: [WorkerThread] = []) {
        self.workers = workers
    }

    /// A number by which workers know a proxy.
    func nextNumber() -> Int {
        proxies += 1
        return proxies
    }

    /// Takes one more connection to the thread that has fewest, this one before others: 0, or a worker's place from 1.
    func leastLoaded() -> Int {
        var (least, place) = (localLoad.count, 0)
        for (number, worker) in workers.enumerated() where worker.load.count < least {
            (least, place) = (worker.load.count, number + 1)
        }
        (place == 0 ? localLoad : workers[place - 1].load).add()
        return place
    }
}
