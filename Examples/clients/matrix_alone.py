"""Shows without Squall what matrix-nio does when /sync is answered with 503: prints how many requests it sends in a second.
Run it with .build/clients/matrix/bin/python."""

import asyncio

import nio
from aiohttp import web


async def main():
    requests = 0

    async def sync(request):
        nonlocal requests
        requests += 1
        if "since" not in request.query:
            return web.json_response({"next_batch": "s1", "rooms": {}})
        return web.json_response({"errcode": "M_UNKNOWN", "error": "unavailable"}, status=503)

    app = web.Application()
    app.router.add_get("/_matrix/client/v3/sync", sync)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    client = nio.AsyncClient(f"http://127.0.0.1:{runner.addresses[0][1]}")
    client.restore_login("@app:squall", "SQUALL", "key")
    task = asyncio.create_task(client.sync_forever(timeout=30_000))
    await asyncio.sleep(1)
    print(f"{requests} requests in a second")
    task.cancel()
    await client.close()
    await runner.cleanup()


asyncio.run(main())
