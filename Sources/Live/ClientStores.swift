import ReferenceClient
import ScenarioModel
import SquallCore

/// The stores of a run's clients, all in one temporary folder, and the queue of jobs for them.
///
/// A job's completion is reported as a separate input in a later event-loop iteration, so that the client can be killed
/// before its job completes.
final class ClientStores {
    private enum Job {
        case launch(ClientID)
        case persist(ClientID, Int, [StoreWrite])

        var client: ClientID {
            switch self {
            case .launch(let client), .persist(let client, _, _): client
            }
        }
    }

    /// The minimum number of event-loop iterations that a job takes.
    ///
    /// Data in transit moves one network hop further in each iteration. In a simulated run, a store access takes as
    /// long as five hops.
    static let turns = 5

    private let parent: String?
    private var folder: TemporaryFolder?
    private var open: [ClientID: ClientStore] = [:]
    /// The number that identifies each client in the file name of its store. The client's name itself may contain
    /// characters that are not allowed in file names.
    private var files: [ClientID: Int] = [:]
    private var jobs: [(job: Job, due: Int)] = []
    private var turnCount = 0

    init(in parent: String?) {
        self.parent = parent
    }

    var isBusy: Bool { !jobs.isEmpty }

    func launch(_ client: ClientID) {
        jobs.append((.launch(client), turnCount + Self.turns))
    }

    func persist(_ client: ClientID, _ number: Int, _ writes: [StoreWrite]) {
        jobs.append((.persist(client, number, writes), turnCount + Self.turns))
    }

    /// Discards a killed client's pending jobs. The client's stored data is kept for its next launch.
    func kill(_ client: ClientID) {
        jobs.removeAll { $0.job.client == client }
        open.removeValue(forKey: client)?.close()
    }

    func beginTurn() {
        turnCount += 1
    }

    /// Executes the next job that is due in this iteration and returns its completion; returns nil if no job is due.
    ///
    /// - Throws: ``LiveError`` if the folder cannot be created or the store fails.
    func next() throws(LiveError) -> TransportInput? {
        guard let next = jobs.first, next.due <= turnCount else { return nil }
        jobs.removeFirst()
        switch next.job {
        case .launch(let client):
            return .launched(client, try store(of: client).image())
        case .persist(let client, let number, let writes):
            try store(of: client).apply(writes)
            return .client(client, .persisted(number))
        }
    }

    private func store(of client: ClientID) throws(LiveError) -> ClientStore {
        if let store = open[client] { return store }
        let folder = try makeFolder()
        let number = files[client] ?? files.count + 1
        files[client] = number
        let store = try ClientStore(of: client, at: "\(folder.path)/\(number).sqlite")
        open[client] = store
        return store
    }

    private func makeFolder() throws(LiveError) -> TemporaryFolder {
        if let folder { return folder }
        let made = try TemporaryFolder(in: parent)
        folder = made
        return made
    }

    func close() {
        jobs.removeAll()
        open.values.forEach { $0.close() }
        open.removeAll()
        folder?.remove()
        folder = nil
    }
}
