"""Plays the cases of a conformance server with PyPI's websockets: websockets_client.py URL AGENT [AUTHORITY]."""
import asyncio
import ssl
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

URL, AGENT = sys.argv[1], sys.argv[2]
OPTIONS = {"max_size": 2**26, "ping_interval": None, "close_timeout": 5, "proxy": None}
if len(sys.argv) > 3:
    # An empty argument selects the certificate authorities that the system trusts.
    OPTIONS["ssl"] = ssl.create_default_context(cafile=sys.argv[3] or None)


async def play(number):
    try:
        async with connect(f"{URL}/runCase?case={number}&agent={AGENT}", **OPTIONS) as connection:
            async for message in connection:
                await connection.send(message)
    except (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError, TimeoutError):
        pass


async def main():
    async with connect(f"{URL}/getCaseCount", **OPTIONS) as connection:
        count = int(await connection.recv())
    for number in range(1, count + 1):
        await play(number)
    async with connect(f"{URL}/updateReports?agent={AGENT}", **OPTIONS):
        pass


asyncio.run(main())
