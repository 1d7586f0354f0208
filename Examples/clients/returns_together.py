"""Shows without Squall that clients on the iterator of `websockets` come back together: prints when each returns after
ten connections were closed. Run it with .build/clients/python_websockets/bin/python."""

import asyncio
import time

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve


async def client(port):
    async for socket in connect(f"ws://127.0.0.1:{port}"):
        await socket.wait_closed()


async def main():
    arrivals, sockets = [], []

    async def arrived(socket):
        arrivals.append(time.monotonic())
        sockets.append(socket)
        await socket.wait_closed()

    async with serve(arrived, "127.0.0.1", 0) as server:
        clients = [asyncio.create_task(client(server.sockets[0].getsockname()[1])) for _ in range(10)]
        await asyncio.sleep(2)
        closed = time.monotonic()
        for socket in sockets[:10]:
            socket.transport.abort()
        await asyncio.sleep(8)
        print("back after", ", ".join(f"{(time - closed) * 1000:.0f} ms" for time in arrivals[10:]))
        for task in clients:
            task.cancel()


asyncio.run(main())
