import Sockets
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A newly started process in its own process group, along with Squall's ends of its standard streams.
struct SpawnedProcess {
    let id: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32

    /// Starts a command with `/bin/sh -c`, with this process's environment extended by `variables`.
    ///
    /// - Throws: ``SocketError`` if the pipes or the process cannot be created.
    static func begin(_ command: String, _ variables: [(name: String, value: String)]) throws(SocketError)
        -> SpawnedProcess
    {
        // Processes are started one at a time. A process that is started after a pipe is created but before FD_CLOEXEC
        // is set would otherwise keep the pipe open.
        try turn.withLock { _ throws(SocketError) in try beginAlone(command, variables) }
    }

    /// The lock that is held while a process is being started.
    private static let turn = Mutex(())

    private static func beginAlone(_ command: String, _ variables: [(name: String, value: String)]) throws(SocketError)
        -> SpawnedProcess
    {
        // Writing to a client that has closed its standard input must not kill this process.
        signal(SIGPIPE, SIG_IGN)
        let input = try Pipe()
        let output = try Pipe(orClosing: [input])
        let errors = try Pipe(orClosing: [input, output])
        let pipes = [input, output, errors]
        defer { [input.read, output.write, errors.write].forEach { _ = close($0) } }

        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (end, number) in [(input.read, STDIN_FILENO), (output.write, STDOUT_FILENO), (errors.write, STDERR_FILENO)]
        { posix_spawn_file_actions_adddup2(&actions, end, number) }
        configure(&attributes)

        var result: Int32 = 0
        var id: pid_t = 0
        withStrings(["/bin/sh", "-c", shellScript(command)]) { arguments in
            withStrings(environment(adding: variables)) { environment in
                result = posix_spawn(&id, "/bin/sh", &actions, &attributes, arguments, environment)
            }
        }
        guard result == 0 else {
            for pipe in pipes { pipe.closeParentEnds(of: pipes) }
            throw SocketError("start a process", code: result)
        }
        return SpawnedProcess(id: id, input: input.write, output: output.read, errors: errors.read)
    }

    /// Prefixes a simple command with `exec`, so that the command replaces the shell and Squall can observe the
    /// command's exit and the end of its streams.
    ///
    /// A compound command, or one that begins with a shell keyword or builtin, is returned unchanged.
    private static func shellScript(_ command: String) -> String {
        guard !command.contains(where: { ";&|(){}=\n".contains($0) }),
            let name = command.split(whereSeparator: { $0 == " " || $0 == "\t" }).first,
            name.contains("/") || isProgram(String(name))
        else { return command }
        return "exec \(command)"
    }

    /// Returns whether a folder in `PATH` contains an executable file of that name.
    private static func isProgram(_ name: String) -> Bool {
        guard let path = getenv("PATH") else { return false }
        let folders = String(cString: path).split(separator: ":", omittingEmptySubsequences: false)
        return folders.contains { folder in
            let file = "\(folder.isEmpty ? "." : folder)/\(name)"
            var facts = stat()
            return stat(file, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(file, X_OK) == 0
        }
    }

    #if canImport(Darwin)
        private typealias Attributes = posix_spawnattr_t?
    #else
        private typealias Attributes = posix_spawnattr_t
    #endif

    /// Puts the process into its own group and restores the default signal handlers.
    ///
    /// The separate group keeps Ctrl-C from reaching the command, and allows all of the command's children to be
    /// killed.
    private static func configure(_ attributes: inout Attributes) {
        var flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        #if canImport(Darwin)
            flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
    }

    /// Returns this process's environment as `NAME=VALUE` strings, with `variables` added or replaced.
    private static func environment(adding variables: [(name: String, value: String)]) -> [String] {
        var entries: [String] = []
        // The type is declared explicitly because Darwin's header declares an optional pointer and Glibc's does not.
        let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        #if canImport(Darwin)
            list = _NSGetEnviron().pointee
        #else
            list = environ
        #endif
        guard var place = list else { return variables.map { "\($0.name)=\($0.value)" } }
        while let entry = place.pointee {
            let text = String(cString: entry)
            if !variables.contains(where: { text.hasPrefix("\($0.name)=") }) { entries.append(text) }
            place += 1
        }
        return entries + variables.map { "\($0.name)=\($0.value)" }
    }

    /// Calls `body` with the strings as a nil-terminated array of C strings.
    private static func withStrings(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Void
    ) {
        let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        body(copies + [nil])
    }
}

/// A pipe whose ends are not inherited by child processes.
private struct Pipe {
    let read: Int32
    let write: Int32

    /// Creates a pipe. If that fails, closes the pipes in `others`.
    init(orClosing others: [Pipe] = []) throws(SocketError) {
        var ends: [Int32] = [-1, -1]
        let result = pipe(&ends)
        guard result == 0 else {
            let error = SocketError("create a pipe")
            for other in others {
                _ = close(other.read)
                _ = close(other.write)
            }
            throw error
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (ends[0], ends[1])
    }

    /// Closes this process's end of the pipe, because the child process could not be started. `pipes` contains all
    /// pipes, beginning with that of the standard input.
    func closeParentEnds(of pipes: [Pipe]) {
        _ = close(read == pipes.first?.read ? write : read)
    }
}
