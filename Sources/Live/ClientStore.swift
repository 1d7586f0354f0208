import GRDB
import ReferenceClient
import SquallCore

/// The persistent store of one client: an SQLite database with a single table of keys and JSON values.
final class ClientStore {
    private let client: ClientID
    private let database: DatabaseQueue

    /// The rollback journal of the database (SQLite's `journal_mode`).
    enum Journal: String {
        /// The journal is kept in memory. This is sufficient for a client in this process, which is killed only between
        /// transactions.
        case memory = "MEMORY"
        /// The journal is kept in a file. A client process can be killed during a transaction, which is rolled back
        /// when the client is started again.
        case file = "DELETE"
    }

    /// Opens the database at `path`, creating it if necessary.
    ///
    /// - Throws: ``LiveError/store(_:reason:)`` if SQLite reports an error.
    init(of client: ClientID, at path: String, journal: Journal = .memory) throws(LiveError) {
        self.client = client
        var configuration = Configuration()
        // A killed process may still hold its locks for a short time after its successor has started.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // Data that has been passed to the kernel survives the process being killed. A sync would only protect
            // against the machine crashing.
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

    /// Reads all entries, in ascending order of their keys.
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

    /// Applies all writes in order, in one transaction.
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
        // Errors are ignored, because the folder that contains the database is removed anyway.
        try? database.close()
    }

    /// Limits that are high enough to decode every stored value.
    private static let limits = JSONLimits(depth: JSONLimits.deepest, size: 1 << 30, duplicates: .keep)
}
