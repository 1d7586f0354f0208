import Foundations
import ReferenceClient
import ScenarioModel

/// The stores of a run's clients, in one folder that goes with the run, and what waits to be done to them.
///
/// One job a turn, in the order asked for: each completion is an input of its own in a later turn, and a kill may fall between.
final class StoreRoom {
    private enum Job {
        case launch(ClientID)
        case persist(ClientID, Int, [StoreWrite])

        var client: ClientID {
            switch self {
            case .launch(let client), .persist(let client, _, _): client
            }
        }
    }

    private let parent: String?
    private var folder: TemporaryFolder?
    private var open: [ClientID: ClientStore] = [:]
    /// The number of a client's file: a client's name may be any text, a file's may not.
    private var files: [ClientID: Int] = [:]
    private var jobs: [Job] = []

    init(in parent: String?) {
        self.parent = parent
    }

    var isBusy: Bool { !jobs.isEmpty }

    func launch(_ client: ClientID) {
        jobs.append(.launch(client))
    }

    func persist(_ client: ClientID, _ number: Int, _ writes: [StoreWrite]) {
        jobs.append(.persist(client, number, writes))
    }

    /// What is not written is lost, what is written stays for the next launch.
    func kill(_ client: ClientID) {
        jobs.removeAll { $0.client == client }
        open.removeValue(forKey: client)?.close()
    }

    /// Does the next job and gives what came of it.
    func turn() throws(LiveError) -> TransportInput? {
        guard !jobs.isEmpty else { return nil }
        switch jobs.removeFirst() {
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
