"""Shows without Squall what the report card found in slack_sdk: the Retry-After of a 503 or 429 that answers an upgrade is not
waited for; and that ten clients whose connections are lost together come back at the next check of their monitors, which runs
every 5 s from each client's start. Run it with .build/clients/slack/bin/python; it takes three minutes."""

import asyncio
import time

from aiohttp import web
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.web.async_client import AsyncWebClient

arrivals, transports = [], []
refusal = None  # the status that answers each upgrade


async def open_connection(request):
    return web.json_response({"ok": True, "url": f"ws://{request.host}/link?ticket=1"})


async def link(request):
    arrivals.append(time.monotonic())
    if refusal:
        return web.Response(status=refusal, headers={"Retry-After": "25"})
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    transports.append(request.transport)
    await socket.send_json({"type": "hello", "num_connections": 1, "connection_info": {"app_id": "A1"}})
    async for _ in socket:
        pass
    return socket


async def drop(seconds, text):
    """Aborts all connections, and prints when requests came."""
    arrivals.clear()
    begun = time.monotonic()
    for transport in transports:
        transport.abort()
    transports.clear()
    await asyncio.sleep(seconds)
    print(text, ", ".join(f"{moment - begun:.2f}" for moment in arrivals), "s", flush=True)


async def started(api, pause):
    clients = []
    for _ in range(10):
        clients.append(SocketModeClient(app_token="key", web_client=AsyncWebClient(token="key", base_url=api)))
        await asyncio.gather(clients[-1].connect(), asyncio.sleep(pause))
    await asyncio.sleep(2)
    return clients


async def main():
    global refusal
    app = web.Application()
    app.router.add_post("/api/apps.connections.open", open_connection)
    app.router.add_get("/link", link)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    api = f"http://127.0.0.1:{runner.addresses[0][1]}/api/"
    for pause, how in (0, "together"), (0.5, "half a second apart"):
        clients = await started(api, pause)
        await drop(16, f"ten clients, started {how}, come back after")
        for client in clients[1:]:
            await client.close()
        if pause == 0:
            await clients[0].close()
    for refusal in 503, 429:
        await drop(45, f"one client against {refusal} with Retry-After: 25 sends requests after")
        refusal = None
        await asyncio.sleep(15)
    await clients[0].close()
    await runner.cleanup()


asyncio.run(main())
