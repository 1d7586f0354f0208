import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests correct clients that differ from Squall's own in permitted ways. No standing invariant may fail for them.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: PythonClient.shared != nil, "this needs python3 with venv, and PyPI")
)
struct SoundClientTests {
    /// The names of the client variants, each saying how the variant differs from Squall's own client. Unless the name
    /// says otherwise, backoff delays are constant and the library's heartbeat is used.
    private static let shapes = [
        "iterator", "overlap", "constant", "doubling", "full-jitter", "linear", "first-at-once", "long",
        "no-heartbeat", "socket-pings", "no-compression", "fragments", "resuming", "extra-fields", "late-login",
        "app-pings", "syncing", "rotating", "no-acks", "slow-start", "keep-alive", "two-sockets",
    ]

    @Test("A correct client that is not Squall's own passes scenarios with lost messages", arguments: shapes)
    func passes(_ shape: String) throws {
        let client = try #require(PythonClient.shared)
        let scratch = try Scratch()
        defer { scratch.remove() }
        let settings = shape == "two-sockets" ? "\nset: { connect.sockets: 2 }" : ""
        let scenario = try scratch.write(Self.scenario + settings, to: "losses.yaml")
        let program = try scratch.write(Self.program, to: "client.py")
        let command = "\(client.python) \(program) \(shape)"
        let ending = try Command.run("run", scenario, "--client", command, "--wire-only")
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    }

    /// The connection is lost in three ways, one of which lasts longer than the client's first backoff delays.
    private static let scenario = """
        squall: 1
        name: A client loses its connection in three ways
        script:
          - wait: { client.connected: {}, within: 20s }
          - wait: 1s
          - server: { post: stukov }
          - wait: 1s
          - network: drop
          - wait: { next: client.connected, within: 20s }
          - wait: 500ms
          - network: { refuse: { for: 2s } }
          - network: reset_peer
          - wait: { next: client.connected, within: 20s }
          - server: { restart: { down: 1s } }
          - wait: { next: client.connected, within: 20s }
          - wait: 1s
        expect:
          - count: { of: client.connected, at_least: 4, within: 60s }
        """

    private static let program = #"""
        import asyncio, http.client, json, os, random, sys, threading
        from urllib.parse import urlsplit
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed

        shape = sys.argv[1]
        url, key = os.environ["SQUALL_WS_URL"], os.environ["SQUALL_KEY"]
        delays = {
            "doubling": lambda n: 0.1 * 2 ** min(n, 6), "full-jitter": lambda n: random.uniform(0, 2 ** min(n, 3)),
            "linear": lambda n: 0.5 * n, "first-at-once": lambda n: 0 if n == 1 else 2, "long": lambda n: 4,
        }
        options = {
            "no-heartbeat": {"ping_interval": None}, "socket-pings": {"ping_interval": 0.4},
            "no-compression": {"compression": None},
        }
        session = None

        def later(seconds, work):
            asyncio.get_running_loop().call_later(seconds, lambda: asyncio.create_task(work()))

        async def use(socket, accepted=lambda: None, noticed=lambda: None):
            """Speaks the chat protocol on one connection until its end."""
            global session
            async def send(frame):
                text = json.dumps(frame)
                await socket.send([text[:9], text[9:]] if shape == "fragments" else text)
            async def beat():
                for count in range(1000):
                    await asyncio.sleep(0.6)
                    await send({"type": "ping", "id": f"{id(socket)}-{count}"})
            pulse = None
            try:
                async for text in socket:
                    frame = json.loads(text)
                    if frame["type"] == "hello":
                        login = {"type": "connect", "api_key": key}
                        if shape == "resuming" and session: login["session_id"] = session
                        if shape == "extra-fields": login["agent"] = {"name": "mine"}
                        if shape == "late-login": await asyncio.sleep(1.5)
                        await send(login)
                    elif frame["type"] == "connected":
                        session = frame["session_id"]
                        accepted()
                        if shape in ("app-pings", "overlap"): pulse = asyncio.create_task(beat())
                        if shape == "syncing": await send({"type": "sync", "last_seq_seen": 0})
                        if shape == "rotating": later(2.2, socket.close)
                    elif frame["type"] == "message":
                        if shape != "no-acks": await send({"type": "message_ack", "message_id": frame["message_id"]})
                        noticed()
            except ConnectionClosed:
                pass
            finally:
                if pulse: pulse.cancel()

        async def iterate():
            async for socket in connect(url):
                await use(socket)

        async def overlap():
            """Opens a new connection when a message comes, and closes the old one 150 ms after the new one is there."""
            async def one(old):
                hasSuccessor = False
                def succeed():
                    nonlocal hasSuccessor
                    if not hasSuccessor: asyncio.create_task(one(socket))
                    hasSuccessor = True
                async with connect(url) as socket:
                    await use(socket, lambda: old and later(0.15, old.close), succeed)
            while True:
                try: await one(None)
                except OSError: pass
                await asyncio.sleep(1)

        async def repeat():
            failures = 0
            def accepted():
                nonlocal failures
                failures = 0
            while True:
                try:
                    async with connect(url, **options.get(shape, {})) as socket: await use(socket, accepted)
                except Exception: pass
                failures += 1
                await asyncio.sleep(delays.get(shape, lambda n: 1)(failures))

        def poll():
            """Requests the same resource again and again on one connection."""
            place = urlsplit(url)
            while True:
                try:
                    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=5)
                    while True:
                        connection.request("GET", "/conversations", headers={"Authorization": f"Bearer {key}"})
                        connection.getresponse().read()
                        threading.Event().wait(0.5)
                except Exception: threading.Event().wait(1)

        async def main():
            if shape == "slow-start": await asyncio.sleep(4)
            if shape == "keep-alive": threading.Thread(target=poll, daemon=True).start()
            if shape == "two-sockets": asyncio.create_task(repeat())
            await {"iterator": iterate, "overlap": overlap}.get(shape, repeat)()

        asyncio.run(main())
        """#
}
