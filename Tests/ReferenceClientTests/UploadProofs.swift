import ChatWire
import Faults
import ReferenceClient
import SquallCore

let uploadProofs: [Proof] = [
    Proof("headOfLine") { driver in
        driver.startConnected()
        driver.share(100_000)
        return driver.open("/uploads/").count == 1
    },
    Proof("fixedPayload") { driver in
        driver.startConnected()
        driver.share(100_000)
        for _ in 0..<2 {
            driver.failRequest("/uploads/", .reset)
            driver.advance(by: .seconds(2))
        }
        return driver["upload.chunk_size"] == 8192
    },
    Proof("uploadDiesWithApp") { driver in
        driver.startConnected()
        driver.share(100_000)
        driver.command(.background)
        return driver.transfers.count == 1
    },
    Proof("tinyChunks") { driver in
        driver.startConnected()
        driver.share(100_000)
        return driver["upload.chunk_size"] == 16384
    },
    Proof("wholeFiles") { driver in
        driver.startConnected()
        driver.share(600_000)
        return driver["upload.chunk_size"] == 16384
    },
    Proof("uploadStartsAnew") { driver in
        driver.startConnected()
        driver.share(40_000)
        driver.receipt(16_384, of: 40_000)
        driver.killAndStart()
        driver.connectAgain()
        return driver.chunks.first?.hasPrefix("offset=16384") == true
    },
    Proof("uploadStaysOnDisk") { driver in
        driver.startConnected()
        driver.share(1000)
        driver.receipt(1000, of: 1000)
        return !driver.store.entries.contains { $0.key.hasPrefix("uploads/") }
    },
    Proof("progressForgotten") { driver in
        driver.startConnected()
        driver.sendImage(40_000)
        driver.diskIsFast = false
        driver.receipt(16_384, of: 40_000)
        return driver["image.progress[\(driver.imageKey)]"] == 0
    },
    Proof("commandsRepeated") { driver in
        driver.startConnected()
        driver.command(.execute("make"))
        driver.comeBack()
        return driver.said(.executeCommand).count == 1
    },
    Proof("startCountsTwice") { driver in
        driver.startConnected()
        driver.command(.execute("make"))
        driver.command(.execute("make test"))
        for _ in 0..<2 { driver.receive(.commandStarted(id: "cmd-1", text: "make")) }
        return driver["commands.unanswered"] == 1
    },
]

extension Driver {
    mutating func share(_ bytes: Int64, _ file: String = "photo.jpg", label: String? = nil) {
        command(.share(file: file, bytes: bytes, label: label))
    }

    /// Connects a client that was connected before and has missed nothing.
    mutating func connectAgain() {
        connect()
        replay([], through: 0)
    }

    /// Acknowledges the oldest chunk: the server has received `received` of the file's `size` bytes.
    mutating func receipt(_ received: Int64, of size: Int64) {
        let receipt = UploadReceipt(received: received, isComplete: received == size)
        answer("/uploads/", received == size ? 201 : 202, body: receipt.encode(wire))
    }

    /// Describes every chunk in flight by its query and its size in bytes.
    var chunks: [String] {
        requests.filter { $0.request.target.hasPrefix("/uploads/") && !cancelled.contains($0.id) }.map {
            "\($0.request.target.split(separator: "?").last ?? "") \($0.request.body.count)"
        }
    }

    /// The names of the files on the server, in the order in which they were shared.
    var files: [String] {
        observations.map(\.observation).filter { $0.name == "client.shared" }.compactMap(\.key)
    }
}
