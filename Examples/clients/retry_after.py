"""Shows without Squall that the iterator of `websockets` does not wait for Retry-After: prints the times between its requests to
a server that answers 503 with Retry-After: 25. Run it with .build/clients/python_websockets/bin/python."""

import asyncio
import time

from websockets.asyncio.client import connect

arrivals = []


async def refuse(reader, writer):
    await reader.readuntil(b"\r\n\r\n")
    arrivals.append(time.monotonic())
    writer.write(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 25\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    writer.close()


async def client(port):
    async for _ in connect(f"ws://127.0.0.1:{port}"):
        pass


async def main():
    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    task = asyncio.create_task(client(server.sockets[0].getsockname()[1]))
    await asyncio.sleep(20)
    task.cancel()
    print("seconds between requests:", [round(b - a, 1) for a, b in zip(arrivals, arrivals[1:])])


asyncio.run(main())
