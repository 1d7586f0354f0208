"""Echoes with PyPI's websockets on a port of its own, which it prints: websockets_server.py."""
import asyncio

from websockets.asyncio.server import serve


async def echo(connection):
    async for message in connection:
        await connection.send(message)


async def main():
    async with serve(echo, "127.0.0.1", 0, max_size=2**26, ping_interval=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


asyncio.run(main())
