"""Plays the cases of a conformance server with PyPI's aiohttp: aiohttp_client.py URL AGENT."""
import asyncio
import sys

import aiohttp

URL, AGENT = sys.argv[1], sys.argv[2]
OPTIONS = {"max_msg_size": 2**26, "compress": 15, "heartbeat": None}


async def play(session, number):
    try:
        async with session.ws_connect(f"{URL}/runCase?case={number}&agent={AGENT}", **OPTIONS) as connection:
            async for message in connection:
                if message.type == aiohttp.WSMsgType.TEXT:
                    await connection.send_str(message.data)
                elif message.type == aiohttp.WSMsgType.BINARY:
                    await connection.send_bytes(message.data)
                else:
                    break
    except (aiohttp.ClientError, OSError, asyncio.TimeoutError):
        pass


async def main():
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"{URL}/getCaseCount", **OPTIONS) as connection:
            count = int((await connection.receive()).data)
        for number in range(1, count + 1):
            await play(session, number)
        async with session.ws_connect(f"{URL}/updateReports?agent={AGENT}", **OPTIONS) as connection:
            await connection.receive()


asyncio.run(main())
