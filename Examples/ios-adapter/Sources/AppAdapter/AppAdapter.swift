public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The carrier of Squall's adapter protocol for an app that Squall cannot start as a process.
///
///     let squall = AppAdapter(url: url) { command, squall in
///         switch command["type"] {
///         case "init":
///             return ["type": "init_ok", "name": "my-app", "shows": ["connection.state"], "takes": ["reset"]]
///         case "start":
///             chat.onState = { squall.report(["event": "state", "value": .text($0)]) }
///             chat.connect()
///             return ["type": "ok"]
///         default:
///             return ["type": "error", "definite": true, "code": "not_supported"]
///         }
///     }
///     await squall.run()
///
/// It polls the control port for commands, passes each to the handler, and posts the handler's answers and what is
/// reported. Messages have numbers in both directions, so that a request that fails is simply repeated.
public final class AppAdapter: Sendable {
    /// A message of the protocol, a JSON object.
    public typealias Message = [String: JSONValue]
    /// Executes a command and returns its answer, an object with `type`; returns nil for a command that has no answer.
    public typealias Handler = @Sendable (Message, AppAdapter) async throws -> Message?

    private struct Outbox {
        /// The messages that Squall has not accepted yet; the first one has the number `first`.
        var messages: [Message] = []
        var first = 1
        /// Whether no later request can succeed.
        var isOver = false
    }

    private static let retryDelay = Duration.milliseconds(500)
    /// The time limit of a request in seconds; Squall holds a poll for up to 20 s.
    private static let requestLimit: TimeInterval = 40
    private static let batch = 100

    private let url: URL
    private let handle: Handler
    private let session = URLSession(configuration: .ephemeral)
    /// The identifier of this launch of the app.
    private let app = UUID().uuidString
    private let outbox = Mutex(Outbox())
    /// Yields an element when something has been added to the outbox.
    private let added: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// Creates a carrier that polls `url`, which `squall run --client http` prints.
    public init(url: URL, handle: @escaping Handler) {
        // If the URL had no trailing slash, appending a path would replace its last component.
        self.url = url.absoluteString.hasSuffix("/") ? url : url.appendingPathComponent("", isDirectory: true)
        self.handle = handle
        (added, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Executes commands one after another until Squall ends or ``stop()`` is called. Must be called only once.
    public func run() async {
        async let posting: Void = post()
        await poll()
        signal.finish()
        await posting
    }

    /// Makes ``run()`` return after the current request.
    public func stop() {
        outbox.withLock { $0.isOver = true }
    }

    private func poll() async {
        var received = 0
        while !Task.isCancelled, !outbox.withLock(\.isOver) {
            let answer = await request("next?app=\(app)&after=\(received)")
            guard let first = answer?["first"]?.integer, let messages = answer?["messages"]?.list else { continue }
            for (index, message) in messages.enumerated() where first + index > received {
                received = first + index
                if let command = message.object { await perform(command) }
            }
        }
    }

    /// Sends an event after all messages that were sent before. May be called from any thread.
    public func report(_ event: Message) {
        outbox.withLock { $0.messages.append(event) }
        signal.yield()
    }

    private func perform(_ command: Message) async {
        var answer: Message?
        do {
            // Earlier reports are already in the outbox, so they are posted before this answer.
            answer = command["type"] == "sync" ? ["type": "ok"] : try await handle(command, self)
            // The app's reports may reach Squall later than its frames reach the server, so Squall needs `sync` to wait
            // for them.
            if answer?["type"] == "init_ok" {
                let takes = answer?["takes"]?.list ?? []
                answer?["takes"] = .list(takes + ["sync"])
            }
        } catch {
            answer = ["type": "error", "definite": false, "text": .text("\(error)")]
        }
        guard var answer else { return }
        answer["in_reply_to"] = command["id"]
        report(answer)
    }

    private func post() async {
        for await _ in added { await postAll() }
    }

    private func postAll() async {
        while let body = nextBody() {
            guard let taken = await request("messages?app=\(app)", body)?["taken"]?.integer else { continue }
            outbox.withLock { outbox in
                outbox.messages.removeFirst(min(max(0, taken + 1 - outbox.first), outbox.messages.count))
                outbox.first = taken + 1
            }
        }
    }

    private func nextBody() -> Message? {
        outbox.withLock { outbox in
            guard !outbox.messages.isEmpty, !outbox.isOver else { return nil }
            let messages = outbox.messages.prefix(Self.batch).map { JSONValue.object($0) }
            return ["first": .integer(outbox.first), "messages": .list(messages)]
        }
    }

    /// Sends a request and returns the response; if there is none, waits a moment and returns nil.
    private func request(_ path: String, _ body: Message? = nil) async -> Message? {
        guard let target = URL(string: path, relativeTo: url) else { return nil }
        var request = URLRequest(url: target, timeoutInterval: Self.requestLimit)
        do {
            if let body {
                request.httpMethod = "POST"
                request.httpBody = try JSONEncoder().encode(body)
            }
            let (data, response) = try await session.data(for: request)
            let answer = try JSONDecoder().decode(Message.self, from: data)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            if status == 200 || answer["taken"] != nil { return answer }
            // Another launch of the app has replaced this one, Squall has ended, or the URL is wrong.
            if status == 410 || status == 401 { outbox.withLock { $0.isOver = true } }
        } catch {
            // The network was unavailable, the app was suspended, or Squall has ended: the caller repeats the request.
        }
        try? await Task.sleep(for: Self.retryDelay)
        return nil
    }
}
