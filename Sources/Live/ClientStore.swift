import GRDB
import ReferenceClient
import SquallCore

/// What one client keeps on disk: a table of keys and JSON texts in a database of its own.
final class ClientStore {
    private let client: ClientID
    private let database: DatabaseQueue

    /// Opens the database at `path`, or makes it.
    init(of client: ClientID, at path: String) throws(LiveError) {
        self.client = client
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // A kill ends a client and never the machine: what is handed to the system survives without waiting for a disk.
            try database.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
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

    /// Everything stored, by ascending key.
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

    /// Carries out all writes in order, or none.
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
                            "INSERT INTO entry (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                        arguments: [write.key, text]
                    )
                }
            }
        } catch {
            throw .store(client, reason: "\(error)")
        }
    }

    func close() {
        // The folder goes in any case; a database that will not close goes with it.
        try? database.close()
    }

    /// What was stored once is read again, however deep or large.
    private static let limits = JSONLimits(depth: JSONLimits.deepest, size: 1 << 30, duplicates: .keep)
}
