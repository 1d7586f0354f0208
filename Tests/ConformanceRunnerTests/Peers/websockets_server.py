"""Echoes with PyPI's websockets on a port of its own, which it prints: websockets_server.py [CERTIFICATE KEY]."""
import asyncio
import ssl
import sys

from websockets.asyncio.server import serve


async def echo(connection):
    async for message in connection:
        await connection.send(message)


def security():
    if len(sys.argv) < 3:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    return context


async def main():
    async with serve(echo, "127.0.0.1", 0, max_size=2**26, ping_interval=None, ssl=security()) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


asyncio.run(main())
