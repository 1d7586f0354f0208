"""Shows without Squall that signalrcore gives up after one failed attempt: prints what a hub's server is asked before and
after an outage of three seconds. Run it with .build/clients/signalr/bin/python."""

import asyncio
import base64
import hashlib
import json

from signalrcore.hub_connection_builder import HubConnectionBuilder

TRANSPORTS = [{"transport": "WebSockets", "transferFormats": ["Text"]}]
ANSWER = json.dumps({"negotiateVersion": 0, "connectionId": "1", "availableTransports": TRANSPORTS})
asked, sockets = [], []


async def serve(reader, writer):
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    asked.append(lines[0].split(" ")[0])
    if asked[-1] == "POST":
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(ANSWER)}\r\nConnection: close\r\n\r\n{ANSWER}".encode())
        return writer.close()
    key = next(line.split(": ")[1] for line in lines if line.lower().startswith("sec-websocket-key"))
    digest = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
    accept = base64.b64encode(digest).decode()
    writer.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode() + b"\x81\x03{}\x1e")
    sockets.append(writer)


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    options = {"type": "raw", "keep_alive_interval": 10, "reconnect_interval": 5}
    hub = HubConnectionBuilder().with_url(f"http://127.0.0.1:{port}/chat", options={}).with_automatic_reconnect(options)
    await asyncio.to_thread(hub.build().start)
    await asyncio.sleep(2)
    print("before the outage:", asked)
    asked.clear()
    server.close()
    for socket in sockets:
        socket.close()
    await asyncio.sleep(3)
    await asyncio.start_server(serve, "127.0.0.1", port)
    await asyncio.sleep(60)
    print("in the minute after it:", asked)


asyncio.run(main())
