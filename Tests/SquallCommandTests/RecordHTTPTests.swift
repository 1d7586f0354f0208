import Foundation
import TestSupport
import Testing

/// Tests that `squall record` turns the HTTP requests of any protocol into rules, and that the client receives the same
/// answers from these rules.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: Tool.run("python3", "--version").status == 0, "this needs python3")
) struct RecordHTTPTests {
    /// An HTTP and WebSocket server, and its client, which prints each answer on its own line. Both need only Python.
    private static let program = #"""
        import base64, hashlib, http.client, http.server, json, os, socket, sys, time

        class Server(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            asked = 0

            def answer(self, status, body=b"", kind="application/json", **fields):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Set-Cookie", "sid=cookie-secret-1")
                if body:
                    self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                if self.headers.get("Upgrade"):
                    return self.speak()
                if self.path.startswith("/prices?"):
                    time.sleep(0.15)
                    return self.answer(200, b'{"symbol":"EUR","value":1.50}', ETag='"v1"')
                if self.path == "/count":
                    Server.asked += 1
                    return self.answer(200, b'{"count":%d}' % Server.asked)
                if self.path == "/old":
                    return self.answer(301, Location="/new")
                if self.path == "/moved":
                    return self.answer(302, Location="/new?access_token=location-secret-1#x")
                if self.path.startswith("/find/"):
                    return self.answer(200, b'{"found":true}')
                if self.path == "/endless":
                    self.send_response(200)
                    self.send_header("Connection", "close")
                    self.end_headers()
                    return self.wfile.write(b"until the end")
                if self.path == "/text":
                    return self.answer(200, "Grüße {you}".encode(), "text/plain; charset=utf-8")
                self.answer(503, b'{"error":"busy"}', Retry_After="7")

            def do_POST(self):
                if self.path == "/form":
                    self.rfile.read(int(self.headers["Content-Length"]))
                    return self.answer(200, b"access_token=form-secret-1&scope=all", "application/x-www-form-urlencoded")
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path == "/login":
                    return self.answer(201, json.dumps({"token": "login-secret-1", "for": body["user"]}).encode())
                self.answer(200, json.dumps({"sum": body["a"] + body["b"]}).encode())

            def do_DELETE(self):
                self.answer(204)

            def speak(self):
                key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
                self.send_response(101)
                self.send_header("Upgrade", "websocket")
                self.send_header("Connection", "Upgrade")
                self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
                self.end_headers()
                asked = json.loads(read(self.rfile))
                write(self.connection, json.dumps({"got": asked["id"]}).encode(), False)
                read(self.rfile)
                self.close_connection = True

            def log_message(self, *_):
                pass

        def read(stream):
            head = stream.read(2)
            if len(head) < 2:
                return b""
            size, mask = head[1] & 127, b"\0\0\0\0"
            if head[1] & 128:
                mask = stream.read(4)
            return bytes(byte ^ mask[place % 4] for place, byte in enumerate(stream.read(size)))

        def write(connection, payload, masked):
            mask = b"\1\2\3\4" if masked else b""
            body = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload)) if masked else payload
            connection.sendall(bytes([0x81, len(payload) | (128 if masked else 0)]) + mask + body)

        def client(port, token):
            kept = ["Content-Type", "Location", "Retry-After", "ETag"]
            def ask(method, path, body=None):
                line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                fields = {"Authorization": "Bearer " + token, "Cookie": "sid=" + token}
                if isinstance(body, dict):
                    body = json.dumps(body)
                line.request(method, path, body, fields)
                answer = line.getresponse()
                text = answer.read().decode()
                try:
                    text = json.loads(text)
                except ValueError:
                    pass
                secret = None
                if isinstance(text, dict) and "token" in text:
                    secret, text["token"] = text["token"], "hidden"
                elif isinstance(text, str):
                    text = text.split("&")[-1]
                found = {name: answer.headers[name].split("?")[0] for name in kept if answer.headers[name]}
                print(json.dumps([method, path[:5], answer.status, found, text]))
                line.close()
                return secret
            secret = ask("POST", "/login", {"user": "ann", "password": token})
            ask("GET", "/find/" + secret + "?q=" + secret)
            ask("GET", "/moved")
            ask("GET", "/endless")
            ask("POST", "/form", "password=" + token)
            ask("GET", "/prices?symbol=EUR&token=" + token)
            for _ in range(3):
                ask("GET", "/count")
            ask("GET", "/old")
            ask("GET", "/text")
            ask("GET", "/busy")
            ask("POST", "/add", {"a": 1, "b": 2})
            ask("POST", "/add", {"a": 20, "b": 30})
            ask("DELETE", "/item/7")
            line = socket.create_connection(("127.0.0.1", port), timeout=20)
            line.sendall((f"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode())
            stream = line.makefile("rb")
            while stream.readline().strip():
                pass
            write(line, json.dumps({"do": "ask", "id": len(token)}).encode(), True)
            print(json.dumps(json.loads(read(stream))["got"] == len(token)))
            time.sleep(0.5)
            ask("GET", "/count")
            time.sleep(0.5)

        if sys.argv[1] == "serve":
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
            print(server.server_port, flush=True)
            server.serve_forever()
        client(int(sys.argv[2]), sys.argv[3])
        """#

    /// Starts the server; returns its process and its port.
    private static func server(_ file: String) throws -> (process: Process, port: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", file, "serve"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        return (process, line.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func port(in line: String?) throws -> Substring {
        let line = try #require(line)
        return try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/)).1
    }

    @Test("HTTP requests beside a WebSocket are recorded as rules that give the same answers, without secrets")
    func roundTrip() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let program = try scratch.write(Self.program, to: "peers.py")
        let (server, port) = try Self.server(program)
        // The server inherits the signal mask of the test process, which blocks SIGTERM.
        defer { kill(server.processIdentifier, SIGKILL) }
        let file = scratch.folder.appendingPathComponent("monday.yaml").path
        let recording = try Serving([file, "--upstream", "ws://127.0.0.1:\(port)", "--verbose"], of: "record")
        let entrance = String(try Self.port(in: recording.line(with: "ws://127.0.0.1:")))
        let original = Tool.run("python3", program, "ask", entrance, "first-secret-1")
        #expect(original.status == 0, "\(original.output)")
        let asked = try #require(recording.line(with: "server.received.request"))
        #expect(!asked.contains("first-secret-1"), "a secret is not printed")
        recording.type("quit")
        _ = recording.ending()

        let text = try String(contentsOfFile: file, encoding: .utf8)
        for part in [
            #"request: "GET /prices?symbol=EUR&token={token}""#, #""ETag":"\"v1\"""#,
            #"request: "GET /old", status: 301, headers: {"Location":"/new"}"#, #"body: {"count":2}"#,
            #"request: "POST /add", match: {"a":20,"b":30}, body: {"sum":50}"#, "as: post-login",
            #"request: "GET /find/{secrettoken1}?q={secrettoken1}""#, "until the end", "&scope=all",
            "Grüße {{you}}", #""Retry-After":"7""#, "status: 204", "profile: unknown",
        ] {
            #expect(text.contains(part), "\(part)\n\(text)")
        }
        let price = try #require(text.split(separator: "\n").first { $0.contains("GET /prices?symbol=EUR") })
        // Under load, the answer takes longer than the 150 ms for which the server waits.
        #expect(price.contains(/after: (1[5-9][0-9]|[2-9][0-9]{2})ms|after: [0-9.]+s/), "\(price)")
        #expect(text.contains(/body: \{"count":2\},( after: [0-9.a-z]+,)? count: 1/), "\(text)")
        let secrets = [
            "first-secret-1", "login-secret-1", "cookie-secret-1", "location-secret-1", "form-secret-1",
            "Authorization",
            "Cookie",
        ]
        for secret in secrets {
            #expect(!text.contains(secret), "\(secret)\n\(text)")
        }
        let check = try Command.run("check", "--prove", file)
        #expect(check.status == 0, "\(check.output)\(check.errors)\n\(text)")
        let run = try Command.run("run", file)
        #expect(run.status == 0, "\(run.output)\n\(text)")

        // A different token simulates a later session of the same client.
        let replay = try Serving([file, "--client", "external", "--listen", "127.0.0.1:\(entrance)"], of: "run")
        #expect(replay.complaint(upTo: "start client now") != nil)
        let again = Tool.run("python3", program, "ask", entrance, "other-secret-2")
        let replayed = replay.ending()
        #expect(again.status == 0 && again.output == original.output, "\(again.output)\n\(original.output)\n\(text)")
        #expect(replayed.status == 0, "\(replayed.errors)\n\(text)")
    }
}
