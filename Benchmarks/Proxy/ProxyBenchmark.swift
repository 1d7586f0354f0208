import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The program behind `make bench-proxy`. It measures `squall proxy` and the installed relays alternately within one
/// run.
@main
enum ProxyBenchmark {
    static func main() throws {
        signal(SIGPIPE, SIG_IGN)
        Descriptors.raise()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == [Holder.word] { Holder.serve() }
        if arguments.first == BareRelay.word { BareRelay.serve(Array(arguments.dropFirst())) }
        guard let options = Options(arguments) else {
            print(Options.usage)
            exit(64)
        }
        let session = try Session()
        let servers = Servers()
        let holder = try Holder(in: session)
        let ports = (echo: servers.echoPort, brief: servers.briefPort, sink: servers.sinkPort, holder: holder.port)
        let relays = Peers.all(ports, options, in: session)
        guard relays.contains(where: { $0.name == "squall" || options.wants(.throughput) }) else {
            session.finish("")
            print("ProxyBenchmark: \(options.squall) cannot be started as a proxy")
            exit(70)
        }
        let run = Run(
            options: options,
            session: session,
            servers: servers,
            holder: holder,
            relays: relays,
            secured: options.wants(.tls) ? SecuredPeers.all(ports, options, in: session) : []
        )
        run.measureAll()
        Session.progress("")
        session.finish("all measured")
    }
}

/// This process's file-descriptor limit.
enum Descriptors {
    static var limit: Int {
        var limit = rlimit()
        #if canImport(Darwin)
            getrlimit(RLIMIT_NOFILE, &limit)
        #else
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the soft limit to the hard limit.
    static func raise() {
        var limit = rlimit()
        #if canImport(Darwin)
            getrlimit(RLIMIT_NOFILE, &limit)
            limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(OPEN_MAX)))
            setrlimit(RLIMIT_NOFILE, &limit)
        #else
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }
}
