import Foundation
package import SquallCore

/// A headless Chromium, controlled over its debugging pipe: JSON commands and events, each terminated by a zero byte.
package final class Browser {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// The path of a Chromium executable found in `PATH`; nil if there is none.
    package static let path: String? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return ["chromium", "chromium-browser", "google-chrome"].lazy
            .flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The events that the browser has sent: requests, console messages and errors.
    package private(set) var events: [JSON] = []
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let folder: URL
    private var received = Data()
    private var lastCommand: Int64 = 0
    private var session: String?
    /// The longest time, in seconds, to wait for the next message from the browser.
    private let patience: Int32

    /// Starts a browser. It is terminated if it sends nothing for `patience` seconds while a message is awaited.
    ///
    /// Only time spent waiting for the browser counts. The time that a test takes to render a page is excluded, because
    /// it depends on how busy the machine is.
    package init(patience: Int32 = 90) throws {
        self.patience = patience
        guard let path = Self.path else { throw Failure(description: "no Chromium") }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-report-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A write to a browser that has crashed must throw an error instead of ending all tests with SIGPIPE.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The browser reads commands from descriptor 3 and writes to descriptor 4.
        process.arguments = [
            "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", path, "--headless", "--no-sandbox",
            "--disable-gpu",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--user-data-dir=\(folder.path)", "--window-size=1400,1000", "--remote-debugging-pipe", "about:blank",
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let target = try command("Target.createTarget", ["url": "about:blank"])["targetId"] ?? .null
        session = try command("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]?.stringValue
        for domain in ["Page", "Runtime", "Network", "Log"] { try command("\(domain).enable") }
    }

    deinit {
        // When asked to close, the browser first terminates its helper processes, which may keep writing for a moment.
        session = nil
        if (try? command("Browser.close")) == nil { process.terminate() }
        process.waitUntilExit()
        for _ in 0..<20 where FileManager.default.fileExists(atPath: folder.path) {
            try? FileManager.default.removeItem(at: folder)
            usleep(20_000)
        }
    }

    // MARK: - Commands

    /// Writes the page to a file and opens it at the fragment. Returns the page's address once its script has run.
    package func open(_ page: String, at fragment: String = "") throws -> String {
        let file = folder.appendingPathComponent("page-\(lastCommand).html")
        try page.write(to: file, atomically: true, encoding: .utf8)
        let address = "file://\(file.path)"
        try open(address: address + fragment)
        return address
    }

    /// Opens an address, and returns once the page's script has run.
    package func open(address: String) throws {
        try command("Page.navigate", ["url": .string(address)])
        while !events.contains(where: { $0["method"] == "Page.loadEventFired" }) { try readMessage() }
        events.removeAll { $0["method"] == "Page.loadEventFired" }
    }

    /// Waits until an expression is true in the page. Throws an error after ten seconds.
    package func wait(until expression: String) throws {
        let limit = ContinuousClock.now + .seconds(10)
        while try value(of: "Boolean(\(expression))") != true {
            guard ContinuousClock.now < limit else { throw Failure(description: "never true: \(expression)") }
            try value(of: "new Promise((done) => setTimeout(() => done(0), 20))")
        }
    }

    /// Returns the value of an expression in the page.
    @discardableResult
    package func value(of expression: String) throws -> JSON {
        let answer = try command(
            "Runtime.evaluate",
            ["expression": .string(expression), "returnByValue": true, "awaitPromise": true]
        )
        if let error = answer["exceptionDetails"] { throw Failure(description: "\(expression): \(error)") }
        return answer["result"]?["value"] ?? .null
    }

    /// Presses a key and waits until the page has been redrawn.
    package func press(_ key: String) throws {
        var stroke: JSON = ["type": "keyDown", "key": .string(key)]
        if key.count == 1 { stroke.set("text", to: .string(key)) }
        if key == "Enter" { stroke.set("text", to: "\r") }
        try command("Input.dispatchKeyEvent", stroke)
        try command("Input.dispatchKeyEvent", ["type": "keyUp", "key": .string(key)])
        try value(of: "new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(0)), 50))")
    }

    @discardableResult
    package func command(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
        lastCommand += 1
        var message: JSON = ["id": .integer(lastCommand), "method": .string(method), "params": parameters]
        if let session { message.set("sessionId", to: .string(session)) }
        try input.fileHandleForWriting.write(contentsOf: Data(message.encode() + [0]))
        while true {
            let answer = try readMessage()
            guard answer["id"]?.intValue == lastCommand else { continue }
            if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
            return answer["result"] ?? .null
        }
    }

    @discardableResult
    private func readMessage() throws -> JSON {
        while true {
            if let end = received.firstIndex(of: 0) {
                let text = Array(received[received.startIndex..<end])
                received = Data(received[received.index(after: end)...])
                let message = try JSON.decode(text, limits: JSONLimits(depth: 128, size: 64 << 20, duplicates: .keep))
                if message["method"] != nil { events.append(message) }
                return message
            }
            let descriptor = output.fileHandleForReading.fileDescriptor
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let readyCount = poll(&ready, 1, patience * 1000)
            if readyCount < 0, errno == EINTR { continue }
            guard readyCount != 0 else {
                process.terminate()
                throw Failure(description: "the browser has sent nothing for \(patience) s")
            }
            // `FileHandle.availableData` would crash the process if a signal interrupted the read.
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(description: "the browser has ended") }
            received += piece[..<count]
        }
    }

    // MARK: - Events

    /// The number of requests that the page's policy has blocked.
    package var refusals: Int {
        events.count { $0["method"] == "Network.loadingFailed" && $0["params"]?["blockedReason"] == "csp" }
    }

    /// The URLs of all requests that the page made or attempted.
    package var requests: [String] {
        events.filter { $0["method"] == "Network.requestWillBeSent" }
            .compactMap { $0["params"]?["request"]?["url"]?.stringValue }
    }

    /// The page's console messages, policy violations and uncaught errors.
    package var complaints: [JSON] {
        events.filter {
            ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"].contains(
                $0["method"]?.stringValue
            )
        }
    }
}
