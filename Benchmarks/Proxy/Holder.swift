import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A process that accepts and holds, for counting what a relay needs for a connection: descriptors of its own.
final class Holder {
    /// As the only argument it makes this program the holder.
    static let word = "--hold"

    let port: Int
    private let input: FileHandle
    private let output: FileHandle

    /// Starts this program once more.
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

    /// Connections that it has accepted since it began.
    var held: Int {
        input.write(Data("count\n".utf8))
        return Self.number(output)
    }

    /// Lets go of all that it holds.
    func release() {
        input.write(Data("release\n".utf8))
        _ = Self.number(output)
    }

    /// Ends with its standard input, so that it never outlives who started it.
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

/// Descriptors that are held.
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
