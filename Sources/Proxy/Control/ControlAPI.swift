import SquallCore
import WebSocketWire

/// Executes one Toxiproxy HTTP API request and returns the response.
struct ControlAPI {
    /// The Toxiproxy version that `/version` reports, for clients that check it before they use PATCH.
    static let version = "2.12.0"

    private let server: ProxyServer
    private let request: APIRequest
    /// The route for the path; nil if the path is unknown.
    private let route: Route?
    /// The parsed JSON body, or the error if it cannot be parsed.
    private let parsedBody: Result<JSON, APIError>

    init(_ request: APIRequest, to server: ProxyServer) {
        self.server = server
        self.request = request
        route = Route(request)
        parsedBody = Result { () throws(APIError) in
            do throws(BodyError) {
                return try LooseObject.firstValue(in: request.body)
            } catch {
                throw .badRequestBody(error.message)
            }
        }
    }

    private func parsedSchedule() throws(APIError) -> Schedule {
        do throws(APIError) {
            let schedule = try Schedule(try parsedBody.get())
            try schedule.check(knowing: server.sorted.map(\.name))
            return schedule
        } catch {
            throw error.inBody
        }
    }

    /// Executes the request and returns its response.
    func answer() -> APIResponse {
        guard let route else { return .notFound }
        guard route.methods.contains(request.method) else { return .notAllowed }
        if case .metrics = route, !server.options.hasMetrics { return .notFound }
        guard request.headers["User-Agent"]?.hasPrefix("Mozilla/") != true else {
            return .text("User agent not allowed", status: 403)
        }
        do {
            return try perform(route)
        } catch {
            return .failure(error)
        }
    }

    private enum Route {
        case version, reset, proxies, populate, metrics, events, schedules, authority
        case schedule(String)
        case proxy(String)
        case toxics(String)
        case toxic(String, String)

        init?(_ request: APIRequest) {
            let path = request.path
            guard request.rawPath.hasPrefix("/"), !path.contains(where: \.isEmpty) else { return nil }
            switch (path[0], path.count) {
            case ("version", 1): self = .version
            case ("reset", 1): self = .reset
            case ("populate", 1): self = .populate
            case ("metrics", 1): self = .metrics
            case ("events", 1): self = .events
            case ("tls", 2) where path[1] == "ca.pem": self = .authority
            case ("schedules", 1): self = .schedules
            case ("schedules", 2): self = .schedule(path[1])
            case ("proxies", 1): self = .proxies
            case ("proxies", 2): self = .proxy(path[1])
            case ("proxies", 3) where path[2] == "toxics": self = .toxics(path[1])
            case ("proxies", 4) where path[2] == "toxics": self = .toxic(path[1], path[3])
            default: return nil
            }
        }

        var methods: [String] {
            switch self {
            case .version, .events, .authority: ["GET"]
            case .metrics: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
            case .reset, .populate: ["POST"]
            case .proxies, .toxics, .schedules: ["GET", "POST"]
            case .schedule: ["DELETE"]
            case .proxy, .toxic: ["GET", "POST", "PATCH", "DELETE"]
            }
        }
    }

    private func perform(_ route: Route) throws(APIError) -> APIResponse {
        let reads = request.method == "GET" || request.method == "HEAD"
        switch route {
        case .version:
            let body = Array("{\"version\": \"\(Self.version)\"}\n".utf8)
            return APIResponse(status: 200, contentType: "application/json;charset=utf-8", body: body)
        case .reset:
            try server.reset()
            return .done
        case .metrics:
            let text = PrometheusText.render(server)
            return APIResponse(status: 200, contentType: PrometheusText.contentType, body: Array(text.utf8))
        case .events:
            let since = request.since
            let lines = server.events.since(since).flatMap(\.line)
            return APIResponse(status: 200, contentType: "application/jsonl", body: lines)
        case .authority: return try server.certificates.answer()
        case .schedules where reads: return .json(server.schedules?.json ?? [])
        case .schedules:
            let schedule = try parsedSchedule()
            server.schedules?.begin(schedule)
            return .json(schedule.source, status: 201)
        case .schedule(let name):
            try server.schedules?.remove(name)
            return .done
        case .populate: return populate()
        case .proxies where reads: return .json(.object(server.sorted.map { JSONMember($0.name, $0.json) }))
        case .proxies: return .json(try server.create(ProxySpec(try parsedBody.get())).json, status: 201)
        case .proxy(let name):
            let proxy = try server.proxy(name)
            switch request.method {
            case "GET": return .json(proxy.json)
            case "DELETE":
                server.remove(proxy)
                return .done
            default:
                let change = try ProxyChange(try parsedBody.get())
                var settings = proxy.settings
                settings.upstream = change.upstream ?? settings.upstream
                settings.readsProtocol = change.readsProtocol ?? settings.readsProtocol
                settings.tls = change.tls ?? settings.tls
                try server.certificates.prepare(settings.tls, to: settings.upstream)
                let isEnabled = change.enabled ?? proxy.isEnabled
                try proxy.update(listen: change.listen ?? proxy.listen, settings, isEnabled: isEnabled)
                return .json(proxy.json)
            }
        case .toxics(let name):
            let proxy = try server.proxy(name)
            if reads { return .json(.array(proxy.chain.listed.map(\.json))) }
            let toxic = try Toxic(creating: try parsedBody.get()) { proxy.chain[$0] != nil }
            proxy.add(toxic)
            return .json(toxic.json)
        case .toxic(let name, let toxicName):
            let proxy = try server.proxy(name)
            guard var toxic = proxy.chain[toxicName] else { throw APIError.toxicNotFound }
            switch request.method {
            case "GET": return .json(toxic.json)
            case "DELETE":
                proxy.removeToxic(toxicName)
                return .done
            default:
                try toxic.update(try parsedBody.get())
                proxy.update(toxicName, to: toxic)
                return .json(toxic.json)
            }
        }
    }

    /// The endpoints on which a proxy could start listening as a result of the request. Their host names are resolved
    /// before the request is executed.
    var listenEndpoints: [Endpoint] {
        guard request.method != "GET", let route else { return [] }
        var texts: [String] = []
        switch route {
        case .reset: texts = server.idleListenAddresses
        case .proxies, .populate, .proxy:
            let body = try? parsedBody.get()
            for entry in body?.arrayValue ?? [body].compactMap({ $0 }) {
                guard let object = try? LooseObject(entry, as: "proxy") else { continue }
                // A disabled proxy does not listen, so its address need not be resolved.
                if (try? object.flag("enabled")) == false { continue }
                if let listen = try? object.text("listen") {
                    texts.append(listen)
                } else if case .proxy(let name) = route, let proxy = try? server.proxy(name), !proxy.isEnabled {
                    texts.append(proxy.listen)
                }
            }
        default: break
        }
        return texts.compactMap { try? Endpoint($0) }
    }

    /// Creates or replaces the listed proxies. An error response lists those that were created before the error.
    private func populate() -> APIResponse {
        var made: [JSON]?
        do throws(APIError) {
            let specs = try ProxySpec.list(try parsedBody.get())
            made = []
            for spec in specs { made?.append(try server.createOrReplace(spec).json) }
            return .json(["proxies": .array(made ?? [])], status: 201)
        } catch {
            let list = made.map { $0.isEmpty ? JSON.null : .array($0) } ?? .null
            return .json(.object(error.members + [JSONMember("proxies", list)]), status: error.status)
        }
    }
}
