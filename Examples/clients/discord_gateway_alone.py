"""Shows without Squall what the report card found in discord.py: ten clients that lose their connections together come back
together, it connects again without a delay while its connections are closed right after the handshake, and the Retry-After of a
503 or 429 that answers an upgrade is not waited for. Run it with .build/clients/discord_gateway/bin/python; it takes three minutes."""

import asyncio
import json
import time
import zlib

import discord
import yarl
from aiohttp import web

USER = {"id": "2", "username": "squall", "discriminator": "0", "global_name": None, "avatar": None, "bot": True,
        "flags": 0}
APPLICATION = {"id": "2", "name": "squall", "icon": None, "description": "", "summary": "", "bot_public": False,
               "bot_require_code_grant": False, "verify_key": "", "flags": 0, "owner": USER, "team": None}
READY = {"v": 10, "user": USER, "guilds": [], "session_id": "1", "application": {"id": "2", "flags": 0}}
arrivals, transports, tasks = [], [], []
refusal = None  # the status that answers each upgrade, or 101 to close each connection after its handshake


async def gateway(request):
    arrivals.append(time.monotonic())
    if refusal not in (None, 101):
        return web.Response(status=refusal, headers={"Retry-After": "25"})
    socket, stream = web.WebSocketResponse(), zlib.compressobj()
    await socket.prepare(request)
    if refusal:
        request.transport.close()
        return socket
    transports.append(request.transport)

    async def send(op, data, event=None, number=None):
        packet = json.dumps({"op": op, "d": data, "t": event, "s": number}).encode()
        await socket.send_bytes(stream.compress(packet) + stream.flush(zlib.Z_SYNC_FLUSH))

    await send(10, {"heartbeat_interval": 41250})
    async for message in socket:
        op = json.loads(message.data)["op"]
        if op == 2:
            await send(0, READY | {"resume_gateway_url": str(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY)}, "READY", 1)
        elif op == 6:
            await send(0, {}, "RESUMED", 2)
        elif op == 1:
            await send(11, None)
    return socket


async def start():
    client = discord.Client(intents=discord.Intents.default())
    await client.login("key")
    tasks.append(asyncio.create_task(client.connect()))
    await asyncio.sleep(0.5)
    await client.wait_until_ready()
    return client


async def main():
    global refusal
    app = web.Application()
    app.router.add_get("/", gateway)
    app.router.add_get("/api/v10/users/@me", lambda _: respond(USER))
    app.router.add_get("/api/v10/oauth2/applications/@me", lambda _: respond(APPLICATION))
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    # The library stores its server addresses as attributes of two classes.
    discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{port}/")
    clients = [await start() for _ in range(10)]
    await asyncio.sleep(2)
    await drop(16, "ten clients come back after")
    for client in clients:
        await client.close()
    for status, seconds, text in (
        (101, 15, "one client whose connections are closed after the handshake sends requests after"),
        (503, 45, "one client against 503 with Retry-After: 25 sends requests after"),
        (429, 45, "one client against 429 with Retry-After: 25 sends requests after"),
    ):
        refusal = None
        client = await start()
        refusal = status
        await drop(seconds, text)
        await client.close()
    await runner.cleanup()


async def respond(value):
    # The library reads JSON only with this content type, which has no charset.
    return web.Response(body=json.dumps(value).encode(), headers={"Content-Type": "application/json"})


async def drop(seconds, text):
    """Aborts all connections, and prints when requests came."""
    arrivals.clear()
    begun = time.monotonic()
    for transport in transports:
        transport.abort()
    transports.clear()
    await asyncio.sleep(seconds)
    times = ", ".join(f"{moment - begun:.2f}" for moment in arrivals[:20])
    print(text, times, "s" + (f"; {len(arrivals)} in all" if len(arrivals) > 20 else ""), flush=True)


asyncio.run(main())
