"""The PyPI package `aiohttp`: its WebSocket client with a heartbeat; it has no reconnection, so two seconds are waited."""

import asyncio

import aiohttp

from plain import PlainChat


class Chat(PlainChat):
    async def run(self):
        async with aiohttp.ClientSession() as session:
            while True:
                try:
                    async with session.ws_connect(self.url, heartbeat=20) as socket:
                        async for message in socket:
                            if message.type == aiohttp.WSMsgType.TEXT:
                                await self.received(message.data, socket.send_str)
                except aiohttp.ClientError:
                    pass
                self.closed()
                await asyncio.sleep(2)
