import Panel
import Proxy
import Reports
import Sockets
import Squall
import SquallCore
import Synchronization
import Trace

/// Connects the web panel of `squall proxy` to the running proxies through the HTTP API.
final class ProxyPanel: PanelBackend {
    /// The proxy server that the panel controls.
    private struct Running {
        var inbox: ReactorInbox
        /// The address and port of the server's API.
        var address: String
    }

    private let actions = ProxyActions()
    private let running = Mutex<Running?>(nil)

    /// Starts the panel, which shows no proxies until ``connect(_:_:)`` is called.
    ///
    /// - Throws: ``SquallError`` if the address or the port is not available.
    static func start(at place: PanelServer.Place) async throws -> (panel: ProxyPanel, server: PanelServer) {
        let panel = ProxyPanel()
        var generator = SystemRandomNumberGenerator()
        let page: JSON = [
            "title": "proxy", "holds": false, "proxies": true, "client": "proxy", "fault": "toxic", "notes": [],
            "clients": [], "invariants": [], "lanes": ["API", "Client", "Proxy", "Upstream"],
            "heal": ["action": "toxic.remove", "field": "toxic"], "heal_all": "proxy.reset",
        ]
        do {
            let server = try await PanelServer.start(
                at: place,
                token: PanelAccess.randomToken(using: &generator),
                page: page,
                catalogue: panel.actions.catalogue,
                feed: PanelFeed(clients: []),
                backend: panel
            )
            return (panel, server)
        } catch let error as SocketError {
            throw SquallError.failed("--panel: \(error)")
        }
    }

    /// Connects the panel to the running server, whose API listens at `address`.
    func connect(_ inbox: ReactorInbox, _ address: String) {
        running.withLock { $0 = Running(inbox: inbox, address: address) }
    }

    func line(of form: PanelForm) -> String {
        actions.call(for: form).curl(at: running.withLock { $0?.address } ?? "localhost:8474")
    }

    func check(_ form: PanelForm) throws(PanelError) {
        let call = actions.call(for: form)
        guard !"\(call.path)/".hasPrefix("/proxies//") else {
            throw PanelError("choose a proxy; if there is none, create it first")
        }
        guard call.path.hasSuffix("/toxics"), call.method == "POST", let body = call.body else { return }
        if let mistake = ToxicEntry.validationMessage(in: body) { throw PanelError(mistake) }
    }

    func perform(_ form: PanelForm) async throws(PanelError) {
        try check(form)
        let call = actions.call(for: form)
        guard let answer = await answer(to: call) else { throw PanelError("the proxy has ended") }
        guard answer.status >= 400 else { return }
        let text = String(decoding: answer.body, as: UTF8.self)
        // As in Toxiproxy, a plain-text API error begins with the status.
        let message = text.hasPrefix("\(answer.status) ") ? text : "\(answer.status) \(text)"
        throw PanelError((try? JSON.decode(answer.body))?["error"]?.stringValue ?? message)
    }

    func perform(_ order: String) async throws(PanelError) { throw PanelError("a proxy cannot be held") }

    func present() async -> PanelState {
        let answer = await answer(to: ProxyActions.Call(method: "GET", path: "/proxies"))
        guard let answer, let proxies = try? JSON.decode(answer.body) else { return PanelState() }
        return PanelState(proxies: (proxies.members ?? []).map(\.value))
    }

    func record() async -> PanelRecording? {
        guard let answer = await answer(to: ProxyActions.Call(method: "GET", path: "/events")) else { return nil }
        return PanelRecording(name: "events.jsonl", answer.body)
    }

    private func answer(to call: ProxyActions.Call) async -> APICall.Response? {
        guard let inbox = running.withLock({ $0?.inbox }) else { return nil }
        return await APICall.call(call.method, call.path, call.body, at: inbox)
    }
}
