import Adapter
import Testing
import WebSocketWire

/// Tests the paths of requests to the control port.
@Suite struct ControlRequestTests {
    /// The printed URL ends in a slash, so an app that appends "/next" to it sends two slashes.
    @Test("The route may follow the token after one slash or two", arguments: ["/abc/next", "/abc//next"])
    func slashes(path: String) throws {
        let head = HTTPRequestHead(method: "GET", target: "\(path)?app=a&after=0")
        #expect(try ControlRequest(head, body: [], token: "abc") == .next(app: "a", after: 0))
    }

    @Test("The token alone is the page for a browser", arguments: ["/abc", "/abc/", "/abc//"])
    func about(path: String) throws {
        #expect(try ControlRequest(HTTPRequestHead(method: "GET", target: path), body: [], token: "abc") == .about)
    }

    @Test(
        "An unknown route and a wrong token are refused",
        arguments: ["/abc/x", "/abc//x/next", "/ab/next", "//next"]
    )
    func refused(path: String) {
        let head = HTTPRequestHead(method: "GET", target: "\(path)?app=a&after=0")
        #expect(throws: ControlRequest.Refusal.self) { try ControlRequest(head, body: [], token: "abc") }
    }
}
