import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A separate process that accepts connections and keeps them open, so that its descriptors do not limit the benchmark.
final class Holder {
    /// The argument that runs this program as a holder.
    static let word = "--hold"

    let port: Int
    private let input: FileHandle
    private let output: FileHandle

    /// Starts this program as a holder in a child process.
    init(in session: Session) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Self.word]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        session.started(process.processIdentifier)
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        port = Self.number(self.output)
    }

    private static func number(_ output: FileHandle) -> Int {
        var text: [UInt8] = []
        while let byte = output.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") { text.append(byte) }
        return Int(String(decoding: text, as: UTF8.self)) ?? 0
    }

    /// The number of connections accepted so far.
    var held: Int {
        input.write(Data("count\n".utf8))
        return Self.number(output)
    }

    /// Closes all accepted connections.
    func release() {
        input.write(Data("release\n".utf8))
        _ = Self.number(output)
    }

    /// Runs as a holder until standard input ends, which happens when the parent process exits.
    static func serve() -> Never {
        for number in [SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        serve(Sockets.listener(), Held())
        exit(0)
    }

    private static func serve(_ listener: (descriptor: Int32, port: Int), _ held: Held) {
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener.descriptor, nil, nil)
                if descriptor >= 0 { held.add(descriptor) } else { usleep(1000) }
            }
        }
        print(listener.port)
        fflush(nil)
        while let line = readLine() {
            if line == "release" { held.release() }
            print(held.count)
            fflush(nil)
        }
    }
}

/// The descriptors of the open connections.
private final class Held: Sendable {
    private let state = Mutex<(total: Int, open: [Int32])>((0, []))

    var count: Int { state.withLock { $0.total } }

    func add(_ descriptor: Int32) {
        state.withLock {
            $0.total += 1
            $0.open.append(descriptor)
        }
    }

    func release() {
        let open = state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
        for descriptor in open { Sockets.drop(descriptor) }
    }
}
