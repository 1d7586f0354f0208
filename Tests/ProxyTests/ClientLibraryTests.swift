import Foundation
import Proxy
import TestSupport
import Testing

/// Runs unmodified Toxiproxy client libraries from PyPI against the proxy.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ClientLibraryTests {
    private static let packages = ["toxiproxy-python==0.1.1", "chaostoolkit-toxiproxy==0.3.1", "setuptools<81"]

    private static let python = Tool.python("toxiproxy-clients", with: packages)

    @Test(
        "Unmodified Toxiproxy client libraries work with the proxy",
        .enabled(if: python != nil, "Python with venv, and PyPI's packages, cannot be had here")
    )
    func theLibrariesOfPyPIDriveIt() throws {
        let python = try #require(Self.python)
        let echo = try Upstream()
        let server = Thread {
            while let peer = echo.accept(within: 30) {
                Thread.detachNewThread {
                    while true {
                        let (bytes, end) = peer.receive(1, within: 30)
                        guard end == nil, peer.send(bytes) else { break }
                    }
                    peer.close()
                }
            }
        }
        server.start()
        try Bench.with { bench in
            let script = Tool.package.appendingPathComponent("Fixtures/toxiproxy/clients.py").path
            let result = Tool.run(
                [python, script, "127.0.0.1", "\(bench.port)", "\(echo.port)"],
                joiningErrors: true,
                within: 240
            )
            #expect(result.status == 0 && result.output.hasSuffix("ok\n"), "\(result.output)")
        }
    }
}
