"""Shows without Squall that phoenix-channels-python-client writes its key into the address. The library's
documentation warns of it and names `additional_headers` as the remedy. Run it with .build/clients/phoenix/bin/python."""

import asyncio
import os
import sys

from phoenix_channels_python_client import PHXChannelsClient


async def show(reader, writer):
    print((await reader.readline()).decode().strip())
    sys.stdout.flush()
    os._exit(0)  # the client would try again without end


async def main():
    server = await asyncio.start_server(show, "127.0.0.1", 0)
    url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/socket/websocket"
    async with PHXChannelsClient(url, "SECRET"):
        pass


asyncio.run(main())
