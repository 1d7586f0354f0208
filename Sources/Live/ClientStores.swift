import ReferenceClient
import ScenarioModel
import SquallCore

/// The stores of a run's clients, in one folder that goes with the run, and what waits to be done to them.
///
/// Each completion is an input of its own in a later turn, and a kill may fall between.
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

    /// How many turns of the loop a job takes at least.
    ///
    /// A turn carries what is under way one hop further, and in the simulated world a store takes as long as five hops.
    static let turns = 5

    private let parent: String?
    private var folder: TemporaryFolder?
    private var open: [ClientID: ClientStore] = [:]
    /// The number of a client's file: a client's name may be any text, a file's may not.
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

    /// What is not written is lost, what is written stays for the next launch.
    func kill(_ client: ClientID) {
        jobs.removeAll { $0.job.client == client }
        open.removeValue(forKey: client)?.close()
    }

    func beginTurn() {
        turnCount += 1
    }

    /// Does the next job that is due in this turn and gives what came of it; nil when there is none left.
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
