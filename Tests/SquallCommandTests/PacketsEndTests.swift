#if os(Linux)
    import Foundation
    import SquallCore
    import Glibc
    import Synchronization
    import TestSupport
    import Testing

    /// Tests what happens to the bytes that a command sent before it exited, and which events are written.
    extension PacketsCommandTests {
        /// A server on loopback that reads one client's stream to its end.
        private final class Sink: Sendable {
            struct Stream: Hashable {
                var count = 0
                var isReset = false
            }

            let port: UInt16
            private let socket: Int32
            private let stream = Mutex<Stream?>(nil)
            private let over = DispatchSemaphore(value: 0)

            init() throws {
                let listener = try Listener()
                (socket, port) = (listener.socket, listener.port)
                let socket = socket
                Thread.detachNewThread { [self] in
                    let caller = accept(socket, nil, nil)
                    var (stream, buffer) = (Stream(), [UInt8](repeating: 0, count: 65_536))
                    var count = read(caller, &buffer, buffer.count)
                    while count > 0 {
                        stream.count += count
                        count = read(caller, &buffer, buffer.count)
                    }
                    stream.isReset = count < 0 && errno == ECONNRESET
                    close(caller)
                    close(socket)
                    self.stream.withLock { [stream] in $0 = stream }
                    over.signal()
                }
            }

            /// Waits for the stream to end and returns it, or nil if it does not end within 30 s.
            func heard() -> Stream? {
                _ = over.wait(timeout: .now() + 30)
                return stream.withLock { $0 }
            }
        }

        /// A command that exits long before its last byte arrives.
        private static let send = "head -c 100000 /dev/zero > /dev/tcp/app.test/80; exit 3"

        @Test(
            "Bytes sent before the command of squall packets exits still arrive",
            arguments: [["--delay", "50ms"], ["--delay", "20ms", "--loss", "10%", "--seed", "4"]]
        )
        func bytesArriveAfterTheCommandsEnd(_ faults: [String]) throws {
            let sink = try Sink()
            let ending = try Command(
                ["packets", "--quiet", "--reach", "app.test:80=\(sink.port)"] + faults + [
                    "--", "bash", "-c", Self.send,
                ]
            ).ending()
            #expect((ending.status, ending.errors) == (3, ""))
            #expect(sink.heard() == Sink.Stream(count: 100_000))
        }

        /// Some bytes were lost permanently, so the stream must not end with a FIN.
        ///
        /// All of the bytes fit into the kernel's initial send buffer, so the command can exit although none of them is
        /// acknowledged.
        @Test("A stream with permanently lost bytes ends with a reset, not with a FIN")
        func anIncompleteStreamIsReset() throws {
            let sink = try Sink()
            let ending = try Command.run(
                "packets",
                "--quiet",
                "--up",
                "drop 5-1000",
                "--reach",
                "app.test:80=\(sink.port)",
                "--",
                "bash",
                "-c",
                "head -c 20000 /dev/zero > /dev/tcp/app.test/80; exit 3"
            )
            #expect(ending.status == 3)
            #expect(
                ending.errors == "squall: not everything that the command sent has arrived: open streams are reset\n"
            )
            let stream = try #require(sink.heard())
            #expect(stream.isReset && stream.count < 20_000, "\(stream)")
        }

        /// Squall writes more events than the reader's pipe can hold.
        @Test("squall packets reports when the reader of its events stops reading")
        func saysThatAReaderHasStopped() throws {
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = Command.binary
            process.arguments = [
                "packets", "--quiet", "--events", "-", "--", "bash", "-c",
                "for i in {1..600}; do echo > /dev/udp/10.77.0.2/9; done 2> /dev/null; exit 5",
            ]
            (process.standardOutput, process.standardError) = (output, errors)
            try process.run()
            let words = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus == 70)
            #expect(
                String(decoding: words, as: UTF8.self)
                    == "squall: standard output: the reader has stopped reading: the rest is not written\n"
            )
            withExtendedLifetime(output) {}
        }

        /// The reader is slow, but eventually reads everything.
        @Test("squall packets waits for a slow reader of its events")
        func waitsForASlowReader() throws {
            let process = Process()
            let output = Pipe()
            process.executableURL = Command.binary
            process.arguments = [
                "packets", "--quiet", "--events", "-", "--", "bash", "-c",
                "for i in {1..600}; do echo > /dev/udp/10.77.0.2/9; done 2> /dev/null; exit 5",
            ]
            process.standardOutput = output
            try process.run()
            var text = Data()
            while let more = try output.fileHandleForReading.read(upToCount: 16_384), !more.isEmpty {
                text += more
                usleep(200_000)
            }
            process.waitUntilExit()
            #expect(process.terminationStatus == 5)
            #expect(String(decoding: text, as: UTF8.self).split(separator: "\n").last?.contains("link.over") == true)
        }
    }
#endif
