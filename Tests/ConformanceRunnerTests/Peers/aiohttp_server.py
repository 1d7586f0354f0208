"""Echoes with PyPI's aiohttp on a port of its own, which it prints: aiohttp_server.py."""
import asyncio

import aiohttp
from aiohttp import web


async def echo(request):
    connection = web.WebSocketResponse(max_msg_size=2**26)
    await connection.prepare(request)
    async for message in connection:
        if message.type == aiohttp.WSMsgType.TEXT:
            await connection.send_str(message.data)
        elif message.type == aiohttp.WSMsgType.BINARY:
            await connection.send_bytes(message.data)
    return connection


async def main():
    application = web.Application()
    application.router.add_get("/{rest:.*}", echo)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
