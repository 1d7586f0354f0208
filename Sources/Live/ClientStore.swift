import GRDB
import ReferenceClient
import SquallCore

/// The persistent store of one client: an SQLite database with one table of keys and JSON texts.
final class ClientStore {
    private let client: ClientID
    private let database: DatabaseQueue

    /// Where SQLite keeps what it needs to undo a transaction.
    enum Journal: String {
        /// In memory: enough for a client in this process, which is killed between transactions only.
        case memory = "MEMORY"
        /// In a file: a process can be killed in the middle of a transaction, which the next one then undoes.
        case file = "DELETE"
    }

    /// Opens the database at `path`, creating it if necessary.
    ///
    /// - Throws: ``LiveError/store(_:reason:)`` when SQLite reports an error.
    init(of client: ClientID, at path: String, journal: Journal = .memory) throws(LiveError) {
        self.client = client
        var configuration = Configuration()
        // A killed process may still hold its locks for a moment when the next one starts.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // A kill ends the client, never the machine: data handed to the kernel survives it without a sync.
            try database.execute(sql: "PRAGMA journal_mode = \(journal.rawValue); PRAGMA synchronous = OFF")
        }
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.write { database in
                try database.execute(
                    sql: "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
                )
            }
        } catch {
            throw .store(client, reason: "\(error)")
        }
    }

    /// Reads all entries, by ascending key.
    func image() throws(LiveError) -> StoreImage {
        do {
            let entries = try database.read { database in
                try Row.fetchAll(database, sql: "SELECT key, value FROM entry ORDER BY key").map { row in
                    StoreImage.Entry(
                        key: row["key"],
                        value: try JSON.decode(row["value"] as String, limits: Self.limits)
                    )
                }
            }
            return StoreImage(entries)
        } catch {
            throw .store(client, reason: "\(error)")
        }
    }

    /// Performs all writes in order, or none, in one transaction.
    func apply(_ writes: [StoreWrite]) throws(LiveError) {
        do {
            try database.write { database in
                for write in writes {
                    guard let value = write.value else {
                        try database.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [write.key])
                        continue
                    }
                    let text = String(decoding: value.encode(), as: UTF8.self)
                    try database.execute(
                        sql:
                            """
                            INSERT INTO entry (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = \
                            excluded.value
                            """,
                        arguments: [write.key, text]
                    )
                }
            }
        } catch {
            throw .store(client, reason: "\(error)")
        }
    }

    func close() {
        // The folder is removed in any case, and a database that fails to close with it.
        try? database.close()
    }

    /// Limits generous enough that everything stored once can be read again.
    private static let limits = JSONLimits(depth: JSONLimits.deepest, size: 1 << 30, duplicates: .keep)
}
