"""Shows without Squall what the report card found in signalrcore: it gives up after one failed attempt, and stop() leaves its
socket open until the server sends something. Run it with .build/clients/signalr/bin/python; it takes a minute."""

import asyncio
import base64
import hashlib
import json

from signalrcore.hub_connection_builder import HubConnectionBuilder

TRANSPORTS = [{"transport": "WebSockets", "transferFormats": ["Text"]}]
ANSWER = json.dumps({"negotiateVersion": 0, "connectionId": "1", "availableTransports": TRANSPORTS})
RECONNECT = {"type": "raw", "keep_alive_interval": 10, "reconnect_interval": 5}
asked, sockets, ended = [], [], []


async def serve(reader, writer):
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    asked.append(lines[0].split(" ")[0])
    if asked[-1] == "POST":
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(ANSWER)}\r\nConnection: close\r\n\r\n{ANSWER}".encode())
        return writer.close()
    key = next(line.split(": ")[1] for line in lines if line.lower().startswith("sec-websocket-key"))
    accept = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
    writer.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode())
    sockets.append(writer)
    try:
        # The answer to the hub's handshake is a write of its own, after the client's request.
        await reader.read(1024)
        writer.write(b"\x81\x03{}\x1e")
        while await reader.read(1024):
            pass
    except ConnectionResetError:
        pass
    ended.append(writer)


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    hubs = [
        HubConnectionBuilder().with_url(f"http://127.0.0.1:{port}/chat", options={}).with_automatic_reconnect(RECONNECT).build()
        for _ in range(2)
    ]
    await asyncio.to_thread(hubs[0].start)
    await asyncio.sleep(1)
    asyncio.get_running_loop().run_in_executor(None, hubs[0].stop)
    await asyncio.sleep(8)
    print("8 s after stop() the socket is", "closed" if ended else "open")
    sockets[0].write(b"\x81\x0b{\"type\":6}\x1e")
    await asyncio.sleep(1)
    print("1 s after the server's next ping it is", "closed" if ended else "open")
    await asyncio.to_thread(hubs[1].start)
    await asyncio.sleep(1)
    asked.clear()
    server.close()
    for socket in sockets:
        socket.close()
    await asyncio.sleep(3)
    await asyncio.start_server(serve, "127.0.0.1", port)
    await asyncio.sleep(45)
    print("requests within 45 s of an outage of 3 s:", len(asked))


asyncio.run(main())
