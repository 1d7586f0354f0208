"""Shows findings of the report card without Squall: `.build/clients/DRIVER/bin/python alone.py DRIVER MODE`, where MODE is STATUS,
together, silent, closes, hangs or final.

STATUS answers each upgrade with this status and `Retry-After: 25`, and prints when requests came in 45 s. `together` drops ten
clients that were started half a second apart, and prints when they were back. `silent` never answers an open connection, and
prints what became of it in 70 s. `closes` closes each connection right after its handshake, and prints how many requests came in
15 s. `hangs` drops an open connection, does not answer the next handshake, and prints when requests came in 70 s.
`final` (signalr only) ends an open connection with the message that forbids another one, and prints when requests came in 45 s.
"""

import asyncio
import base64
import hashlib
import sys
import threading
import time

driver, mode = sys.argv[1:]
GREETINGS = {"centrifugo": b'{"id":1,"connect":{"client":"1","version":"0"}}', "signalr": b"{}\x1e"}
FINAL_FRAMES = {"signalr": b'{"type":7,"error":"Unauthorized","allowReconnect":false}\x1e'}
arrivals, writers, closed = [], [], []


async def start(port):
    """Starts one client as the library's documentation shows; some of these calls only return at the end."""
    url = f"ws://127.0.0.1:{port}/"
    if driver == "websocket_client":
        import websocket
        options = {"reconnect": 5, "ping_interval": 20, "ping_timeout": 10}
        threading.Thread(target=websocket.WebSocketApp(url).run_forever, kwargs=options, daemon=True).start()
    elif driver == "python_websockets":
        from websockets.asyncio.client import connect
        async for connection in connect(url):
            await connection.wait_closed()
    elif driver == "pusher":
        import pysher
        pysher.Pusher("app", custom_host="127.0.0.1", port=port, secure=False).connect()
    elif driver == "graphql_ws":
        from gql import Client
        from gql.transport.websockets import WebsocketsTransport
        await Client(transport=WebsocketsTransport(url)).connect_async(reconnecting=True)
    elif driver == "centrifugo":
        import centrifuge
        await centrifuge.Client(url).connect()
    elif driver == "socket_io":
        import socketio
        await socketio.AsyncClient().connect(url.replace("ws", "http"), transports=["websocket"], retry=True)
    elif driver == "mqtt_paho":
        import paho.mqtt.client as mqtt
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, transport="websockets")
        client.connect_async("127.0.0.1", port)
        client.loop_start()
    elif driver == "signalr":
        from signalrcore.hub_connection_builder import HubConnectionBuilder
        options = {"type": "raw", "keep_alive_interval": 10, "reconnect_interval": 5}
        hub = HubConnectionBuilder().with_url(url.replace("ws", "http"), options={"skip_negotiation": True})
        threading.Thread(target=hub.with_automatic_reconnect(options).build().start, daemon=True).start()


async def serve(reader, writer):
    request = (await reader.readuntil(b"\r\n\r\n")).decode()
    arrivals.append(time.monotonic())
    if mode.isdigit():
        writer.write(f"HTTP/1.1 {mode} X\r\nRetry-After: 25\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        return writer.close()
    if mode == "hangs" and len(arrivals) == 2:
        return writers.append(writer)
    lines = [line.split(": ", 1) for line in request.split("\r\n")[1:] if line]
    fields = {name.lower(): value for name, value in lines}
    key = fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    offered = fields.get("sec-websocket-protocol", "").split(",")[0]
    protocol = f"Sec-WebSocket-Protocol: {offered}\r\n" if offered else ""
    writer.write(f"HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n{protocol}\r\n"
                 .encode())
    if mode == "closes":
        await writer.drain()
        return writer.close()
    writers.append(writer)
    await asyncio.sleep(0.3)  # after the client's own first frame, and apart from the answer to the upgrade
    if driver == "mqtt_paho":
        writer.write(b"\x82\x04\x20\x02\x00\x00")
    elif greeting := GREETINGS.get(driver):
        writer.write(bytes([0x81, len(greeting)]) + greeting)
    if mode == "final":
        await asyncio.sleep(1)
        frame = FINAL_FRAMES[driver]
        writer.write(bytes([0x81, len(frame)]) + frame + b"\x88\x02\x03\xe8")
    try:
        while await reader.read(1024):
            pass
    except OSError:
        pass
    closed.append(time.monotonic())


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    tasks, begun, port = [], time.monotonic(), server.sockets[0].getsockname()[1]
    for _ in range(10 if mode == "together" else 1):
        tasks.append(asyncio.create_task(start(port)))
        await asyncio.sleep(0.5)
    await asyncio.sleep({"together": 2, "silent": 70, "closes": 15, "hangs": 2}.get(mode, 45))
    if mode == "closes":
        return print(driver, mode, len(arrivals), "requests in 15 s")
    if mode in ("together", "hangs"):
        begun = time.monotonic()
        if mode == "together":
            arrivals.clear()
        for writer in list(writers):
            writer.transport.abort()
        await asyncio.sleep(16 if mode == "together" else 70)
    print(driver, mode, "requests after", ", ".join(f"{time - begun:.2f}" for time in arrivals), "s")
    if mode == "silent":
        print("the connection was closed after", f"{closed[0] - begun:.1f} s" if closed else "more than 70 s: it is open")


loop = asyncio.new_event_loop()
threading.Timer(100, lambda: __import__("os")._exit(1)).start()
loop.run_until_complete(main())
sys.stdout.flush()
__import__("os")._exit(0)  # some libraries leave threads that do not end
